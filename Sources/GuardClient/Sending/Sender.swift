import JSONText
import ShiftDomain

/// Sends the queue: one request at a time, in the order of arrival, again after every failure that
/// may pass. What the server has is removed; so is what it refused for good, and the app is told.
actor Sender {
  /// How a round of sending ended.
  enum Pause: Hashable, Sendable {
    /// Nothing is left to send.
    case idle
    case wait(TimeSpan)
    case unauthorized
    /// Another round is under way.
    case busy
  }

  private var queue: DiskQueue
  private let installation: String
  /// What names the version of the rules in this app; `nil` if the app does not say.
  let rulesVersion: String?
  private let language: String?
  private let tokens: any TokenStore
  private let transport: any GuardTransport
  let clock: ClientClock
  private let tell: @Sendable (ClientEvent) -> Void

  private var kept = KeptRecords()
  private var backOff = BackOff()
  private var notBefore: Instant?
  private var limit = Upload.pingsMax
  private var isSending = false
  /// Those who wait for the end of the round under way.
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var isUnauthorized = false
  private var wantsFix = false
  /// How to track, by the newest answer in this run of the app.
  private(set) var order: TrackingOrder?
  /// The numbers of the clock actions that wait.
  private var actions: Set<UInt64>
  var optional: OptionalRecords
  /// The server's clock minus the phone's, as the newest state said; `nil` if the phone's is right.
  private(set) var skew: TimeSpan?
  /// The newest answer that says what sites and which plan to hold, until it is taken.
  private var statusToHold: GuardStatus?
  /// Changes when the queue is emptied: the answer to an earlier upload then means nothing.
  private var enrolments = 0

  init(
    _ queue: consuming DiskQueue, installation: String, rulesVersion: String? = nil,
    language: String?, tokens: any TokenStore, transport: any GuardTransport, clock: ClientClock,
    tell: @escaping @Sendable (ClientEvent) -> Void
  ) {
    let marked = queue.marked
    actions = marked.clockActions
    optional = OptionalRecords(marked.optional)
    self.queue = queue
    self.installation = installation
    self.rulesVersion = rulesVersion
    self.language = language
    self.tokens = tokens
    self.transport = transport
    self.clock = clock
    self.tell = tell
  }

  /// The records that wait, those kept for a review included, and optional ones left out.
  var count: Int { queue.count - optional.numbers.count }

  func append(
    _ item: QueuedItem, _ importance: DiskQueue.Importance
  ) throws(DiskQueueError) {
    let number = try append(item.bytes, importance)
    if case .clockAction = item { actions.insert(number) }
  }

  private func append(
    _ content: [UInt8], _ importance: DiskQueue.Importance
  ) throws(DiskQueueError) -> UInt64 {
    do throws(DiskQueueError) { return try queue.append(content, importance) } catch {
      guard error == .full, !optional.numbers.isEmpty else { throw error }
      removeOptional(optional.numbers)
      return try queue.append(content, importance)
    }
  }

  /// Adds an optional record, or drops it if there is no room.
  func add(optional item: QueuedItem) {
    removeOptional(optional.surplus)
    guard let number = try? queue.append(item.bytes, .optional) else { return }
    optional.add(number)
  }

  func removeOptional(_ numbers: [UInt64]) {
    guard !numbers.isEmpty else { return }
    optional.remove(numbers)
    remove(numbers)
  }

  /// Whether a clock action waits for its answer, or for its review.
  var hasClockAction: Bool { !actions.isEmpty }

  func sync() throws(DiskQueueError) { try queue.sync() }

  /// Removes everything: it belongs to another enrolment.
  /// - Returns: How many records there were, optional ones left out.
  func removeAll() throws(DiskQueueError) -> Int {
    let count = self.count
    try queue.acknowledge(try queue.first(.max).map(\.number))
    (kept, order, actions, optional) = (KeptRecords(), nil, [], OptionalRecords())
    statusToHold = nil
    enrolments += 1
    return count
  }

  /// Sends nothing more until `resume`.
  func stop() { isUnauthorized = true }

  /// The server does not accept the token: the app is told once.
  func loseToken() {
    if !isUnauthorized { tell(.unauthorized) }
    isUnauthorized = true
  }

  /// An answer to another request described the state.
  func take(_ status: GuardStatus) { (order, skew) = (status.tracking, status.skew) }

  /// There is a new token, or the employee asks to try again: nothing needs to wait any longer.
  func resume() {
    isUnauthorized = false
    notBefore = nil
    backOff.succeed()
    optional.resume()
    kept.checkAll()
  }

  /// Asks for the reviews of kept clock-ins with the next round.
  func resumeChecks() { kept.checkAll() }

  /// Whether an answer asked for a position since this was last read.
  func takeWantsFix() -> Bool {
    defer { wantsFix = false }
    return wantsFix
  }

  func takeStatusToHold() -> GuardStatus? {
    defer { statusToHold = nil }
    return statusToHold
  }

  /// Sends until nothing is left or there is a reason to wait.
  func drain() async -> Pause {
    guard !isSending else { return .busy }
    isSending = true
    defer {
      isSending = false
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
    while !Task.isCancelled {
      do throws(DiskQueueError) {
        if let pause = try await turn() { return pause }
      } catch {
        tell(.diskFailed(error))
        return fail(retryAfter: nil)
      }
    }
    return .idle
  }

  /// The same, or waits for the round that does it.
  func flush() async {
    guard isSending else {
      _ = await drain()
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Sends one upload.
  /// - Returns: Why not to go on; `nil`: there may be more.
  private func turn() async throws(DiskQueueError) -> Pause? {
    // Before the token is read: one of an earlier enrolment must not send records of a later one.
    let enrolment = enrolments
    guard !isUnauthorized, let token = await tokens.token() else { return .unauthorized }
    guard enrolment == enrolments, !isUnauthorized else { return nil }
    let now = clock.now()
    if let pause = remainingPause(at: now) { return .wait(pause) }
    switch Upload.head(of: try nextRecords(at: now), limit: limit) {
    case .nothing:
      guard let check = kept.nextCheck else { return .idle }
      return .wait(min(check - now, optionalPause ?? check - now))
    case .unreadable(let number):
      remove([number])
      tell(.recordUnreadable)
      return nil
    case .upload(let upload): return await send(upload, with: token, of: enrolment, at: now)
    }
  }

  /// When optional records that wait may be sent again; `nil` if none wait.
  var optionalPause: TimeSpan? { optional.pause(at: clock.now()) }

  /// Optional records are sent when nothing else can be.
  private func nextRecords(at now: Instant) throws(DiskQueueError) -> [DiskQueue.Record] {
    let skipped = kept.skipped(at: now)
    let records = try queue.first(limit, skipping: skipped.union(optional.numbers))
    guard records.isEmpty, !optional.numbers.isEmpty, optional.pause(at: now) == nil
    else { return records }
    return try queue.first(Upload.appEventsMax, skipping: skipped)
  }

  private func send(
    _ upload: Upload, with token: String, of enrolment: Int, at now: Instant
  ) async -> Pause? {
    let request = upload.request(
      installation: installation, sentAt: now, token: token, language: language)
    let response: GuardResponse
    do throws(NoResponse) {
      response = try await transport.send(request)
    } catch {
      // An app that ends its own request has not found the server unreachable.
      if Task.isCancelled { return .idle }
      return upload.isOptional ? failOptional(retryAfter: nil) : fail(retryAfter: nil)
    }
    guard enrolment == enrolments else { return nil }
    return upload.isOptional
      ? takeOptional(response, to: upload) : take(response, to: upload)
  }

  /// `nil` when it is over, or when the clock was set back so far that it would never be.
  private func remainingPause(at now: Instant) -> TimeSpan? {
    guard let notBefore, now < notBefore, notBefore - now <= BackOff.retryAfterMax + .minutes(1)
    else { return nil }
    return notBefore - now
  }

  private func take(_ response: GuardResponse, to upload: Upload) -> Pause? {
    switch response.status {
    case 200...299: return takeSuccess(response, of: upload)
    // Only the server's own refusals are final. A login page of a hotel, or a proxy, may answer
    // anything, and must neither cost a single record nor end the sending.
    case 400, 401, 409, 413, 422:
      guard let problem = Problem(response.body) else {
        return fail(retryAfter: response.retryAfter)
      }
      guard response.status != 401 else {
        loseToken()
        return .unauthorized
      }
      return takeRefusal(problem, JSONFields(ofBody: response.body), of: upload)
    case 429:
      guard case .clockAction(let action) = upload.content, let problem = Problem(response.body),
        problem.code == "too_many_waiting"
      else { return fail(retryAfter: response.retryAfter) }
      setAside(action, number: upload.numbers[0], problem)
      return nil
    default: return fail(retryAfter: response.retryAfter)
    }
  }

  private func fail(retryAfter: TimeSpan?) -> Pause {
    let pause = backOff.fail(retryAfter: retryAfter, chance: clock.chance())
    notBefore = clock.now() + pause
    tell(.waiting(pause))
    return .wait(pause)
  }

  private func succeed() {
    backOff.succeed()
    notBefore = nil
    limit = min(limit * 2, Upload.pingsMax)
  }
}

// What answers mean for the queue.

extension Sender {
  private func takeSuccess(_ response: GuardResponse, of upload: Upload) -> Pause? {
    guard let fields = JSONFields(ofBody: response.body), let status = try? GuardStatus(fields)
    else { return fail(retryAfter: response.retryAfter) }
    switch upload.content {
    case .pings(let pings):
      guard let results = ItemResult.results(in: fields, count: pings.count) else {
        return fail(retryAfter: nil)
      }
      remove(finished(pings, upload.numbers, results))
      tell(.tracking(status.tracking))
    case .reports(let reports):
      guard let results = ItemResult.results(in: fields, count: reports.count) else {
        return fail(retryAfter: nil)
      }
      remove(upload.numbers)
      for case .refused(_, let detail) in results { tell(.reportRefused(detail: detail)) }
      tell(.status(status))
      skew = status.skew
    case .clockAction(let action):
      let review = try? fields.shown("review")
      guard response.status != 202 || review != nil else { return fail(retryAfter: nil) }
      let result = review.map {
        ClockActionResult.kept(reason: (try? fields.shown("reason")) ?? "", review: $0)
      }
      take(result ?? .recorded(status), status, number: upload.numbers[0], of: action)
      skew = status.skew
      if response.status == 201 { noteDifference(of: action, in: fields) }
    // `takeOptional` reads their answers.
    case .appEvents, .ruleDifference: break
    }
    order = status.tracking
    if status.saysWhatToHold { statusToHold = status }
    if status.wantsFixNow { wantsFix = true }
    succeed()
    return nil
  }

  /// Removes what the server has. If the disk refuses, it is sent once more after a restart.
  private func remove(_ numbers: [UInt64]) {
    actions.subtract(numbers)
    do throws(DiskQueueError) { try queue.acknowledge(numbers) } catch { tell(.diskFailed(error)) }
  }

  /// The pings that are not needed any longer.
  private func finished(
    _ pings: [RecordedPing], _ numbers: [UInt64], _ results: [ItemResult]
  ) -> [UInt64] {
    let now = clock.now()
    var finished: [UInt64] = []
    for (place, result) in results.enumerated() {
      if case .refused(let reason, _) = result {
        if reason == PingRefusal.noShift.code,
          kept.keep(ping: numbers[place], of: pings[place].recordedAt, at: now)
        {
          continue
        }
        tell(.pingRefused(recordedAt: pings[place].recordedAt, reason: reason))
      }
      finished.append(numbers[place])
    }
    return finished
  }

  private func take(
    _ result: ClockActionResult, _ status: GuardStatus, number: UInt64,
    of action: QueuedClockAction
  ) {
    let wasKept = kept.contains(number)
    if case .kept(_, "pending") = result, action.kind == .clockIn,
      kept.keep(clockIn: number, of: action.occurredAt, at: clock.now())
    {
      if wasKept { return }
    } else {
      kept.resolve(number)
      remove([number])
    }
    tell(.clockAction(id: action.id, action.kind, result))
    tell(.status(status))
  }

  /// Goes on without a clock action that the server takes only after some reviews.
  private func setAside(_ action: QueuedClockAction, number: UInt64, _ problem: Problem) {
    let isKnown = kept.contains(number)
    kept.setAside(
      number, clockInAt: action.kind == .clockIn ? action.occurredAt : nil, at: clock.now())
    if !isKnown {
      tell(.clockAction(id: action.id, action.kind, .kept(reason: problem.code, review: "pending")))
    }
    succeed()
  }

  private func takeRefusal(
    _ problem: Problem, _ fields: JSONFields?, of upload: Upload
  ) -> Pause? {
    // One item may have spoilt all of them: smaller uploads find it.
    if upload.count > 1 {
      limit = max(1, upload.count / 2)
      return nil
    }
    kept.resolve(upload.numbers[0])
    remove(upload.numbers)
    switch upload.content {
    case .pings(let pings):
      tell(.pingRefused(recordedAt: pings[0].recordedAt, reason: problem.code))
    case .reports: tell(.reportRefused(detail: problem.detail))
    case .clockAction(let action):
      tell(.clockAction(id: action.id, action.kind, .refused(problem)))
      if problem.code == "clock_in_blocked", let fields {
        noteDifference(of: action, in: fields)
      }
    case .appEvents, .ruleDifference: break
    }
    succeed()
    return nil
  }
}
