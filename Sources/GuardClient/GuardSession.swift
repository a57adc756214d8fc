import GuardRules
import JSONText
public import ShiftDomain
import SystemCalls

/// What an app holds: one for each run of the app. It stores what happens, sends it, and says what
/// to show. Calls that store something return once it is on disk; those that ask the server for
/// something, such as `enrol` and `refresh`, wait for its answer.
///
/// `run` sends for as long as it runs; everything else also works without it.
public actor GuardSession {
  /// What the app should know. One reader; of more than 4,096 unread events the oldest are dropped.
  public nonisolated let events: AsyncStream<ClientEvent>
  /// The id of this run of the app, for which an acknowledgement holds.
  public nonisolated let appSession: String

  let settings: GuardSettings
  let sender: Sender
  let location: any LocationAdapter
  let tokens: any TokenStore
  let transport: any GuardTransport
  let clock: ClientClock
  let tell: @Sendable (ClientEvent) -> Void
  private let endEvents: @Sendable () -> Void
  let builder: ReportBuilder
  private let memoryPath: String
  var memory: ClientMemory
  var flow: ClockInFlow?
  var flowMemory: ClockInMemory
  /// The permission that `flow` was last told of.
  var flowPermission: PlatformPermission?
  /// The team's rules by which `flow` decides; `nil`: it decides by the policy of the settings.
  var flowRules: ClockInRules?
  /// What was reported last in this run of the app.
  private var reported: PlatformPermission?
  var latestFix: RecordedPing?
  /// By what sites and which plan the phone decides.
  var held: HeldPlace
  let placePath: String
  var isReadingSites = false
  /// The server's clock minus the phone's, as the newest state said; `nil` if the phone's is right.
  var skew: TimeSpan?
  /// The readings of the permission so far, and the newest one that has ended.
  private var readings = (begun: 0, ended: 0)
  private var isRunning = false
  var isListening = false
  /// The newest notification of this run of the app.
  var latestNotification: Int64?
  /// Changes with every enrolment: the answer to an earlier request then means nothing.
  var enrolments = 0
  /// The answer to the last `refresh`.
  var known: (tag: String, status: GuardStatus)?
  /// Since when the permission is insufficient and no indicator was shown; `nil`: it is not.
  var insufficientSince: Instant?
  /// The clock-in whose result was shown last.
  var shownAnswer: String?
  var pace = TrackingPace()
  var debounce: ChangeDebounce
  var unsentAcknowledgement: FindingSet = []
  private var isWoken = false
  private var waiter: (number: Int, continuation: CheckedContinuation<Void, Never>)?
  private var waits = 0

  /// Opens the queue and what else is on disk, or creates it.
  public init(
    _ settings: GuardSettings, location: any LocationAdapter, tokens: any TokenStore,
    transport: any GuardTransport, clock: ClientClock = .system
  ) throws(DiskQueueError) {
    let (events, continuation) = AsyncStream.makeStream(
      of: ClientEvent.self, bufferingPolicy: .bufferingNewest(4_096))
    let tell: @Sendable (ClientEvent) -> Void = { continuation.yield($0) }
    // First, because it locks the folder's files.
    let queue = try DiskQueue(
      settings.folder + "/shiftguard.queue", bytesMax: settings.queueBytesMax)
    let memoryPath = settings.folder + "/shiftguard.json"
    let memory: ClientMemory
    do throws(FileError) {
      if let known = try ClientMemory(reading: memoryPath) {
        memory = known
      } else {
        // The server takes the reports that wait for this installation's, so its numbers go on.
        memory = ClientMemory(installation: randomID(), nextSequence: queue.nextSequence)
        try memory.write(to: memoryPath)
      }
    } catch { throw .disk(error) }
    if queue.bytesDamaged > 0 { tell(.recordUnreadable) }
    sender = Sender(
      queue, installation: memory.installation, rulesVersion: settings.phone.rulesVersion,
      language: settings.language, tokens: tokens, transport: transport, clock: clock, tell: tell)
    builder = ReportBuilder(phone: settings.phone, installation: memory.installation)
    flowMemory = ClockInMemory(askedForBackground: memory.askedForBackground)
    debounce = ChangeDebounce(span: settings.debounce)
    appSession = randomID()
    self.settings = settings
    self.location = location
    self.tokens = tokens
    self.transport = transport
    self.clock = clock
    self.events = events
    endEvents = { continuation.finish() }
    self.tell = tell
    self.memory = memory
    self.memoryPath = memoryPath
    let placePath = settings.folder + "/shiftguard-place.json"
    self.placePath = placePath
    held = HeldPlace(reading: placePath)
  }

  /// The team's rules for a clock-in, as the server sent them last; `nil` before that.
  public var rules: ClockInRules? { memory.rules }

  /// The records that were not sent yet, without what the app notes about itself.
  public var waiting: Int { get async { await sender.count } }

  /// Sends what is stored, now and whenever there is something, until its task is cancelled. While
  /// it runs, a second call returns at once.
  public func run() async {
    guard !isRunning else { return }
    isRunning = true
    defer { isRunning = false }
    while !Task.isCancelled {
      await pause(atMost: await send())
    }
  }

  /// Sends what is stored, once: in the time that the system gives to an app in the background.
  /// - Returns: When to come again; `nil`: nothing is left, or the app has to be enrolled first.
  @discardableResult public func send() async -> TimeSpan? {
    let now = clock.now()
    if !debounce.isOver(at: now), let due = debounce.due { return due - now }
    var pause = await sender.drain()
    // An answer may ask for a position at once: tracking was restored, or has begun.
    // A position is found on shift only: before or while it is looked for, the end may have come.
    if await sender.takeWantsFix(), await isTracking, let fix = await location.currentFix(),
      await isTracking
    {
      do throws(DiskQueueError) {
        try await record(fix)
        pause = await sender.drain()
      } catch { tell(.diskFailed(error)) }
    }
    if pause == .idle { await sendAcknowledgement() }
    if let order = await sender.order { keep(order) }
    skew = await sender.skew
    if let status = await sender.takeStatusToHold() { await hold(status) }
    return switch pause {
    case .wait(let span): span
    case .busy: .seconds(1)
    case .idle: await sender.optionalPause
    case .unauthorized: nil
    }
  }

  // Positions.

  /// Stores a position or a sign of life. Throws `.full` when the queue has no room for it. To be
  /// called on shift only, and not on a break: what is stored is sent.
  public func record(_ ping: RecordedPing) async throws(DiskQueueError) {
    if ping.fix != nil { latestFix = ping }
    pace.record(at: clock.now())
    try await sender.append(.ping(ping), .routine)
    wake()
  }

  /// Stores a sign of life, due when there is no fix for the `heartbeat` of `TrackingOrder`.
  public func signOfLife(isStationary: Bool = false) async throws(DiskQueueError) {
    try await record(RecordedPing(recordedAt: clock.now(), isStationary: isStationary))
  }

  /// Announces that the phone does not move and that the system will suspend the app: its silence
  /// is then no interruption. The next ping or report ends the rest.
  /// - Parameter end: By the phone's clock; `nil`: for as long as the policy allows.
  public func rest(until end: Instant? = nil) async throws(DiskQueueError) {
    try await record(
      RecordedPing(
        recordedAt: clock.now(), isStationary: true,
        rest: end.map { .until($0) } ?? .asLongAsAllowed))
    // The app may be suspended now, and the phone may be switched off.
    try await sender.sync()
  }

  /// The app ends the session: everything stored is on the disk, and `events` end.
  public func close() async {
    do throws(DiskQueueError) { try await sender.sync() } catch { tell(.diskFailed(error)) }
    endEvents()
  }

  /// The app goes into the background: everything stored would now survive a loss of power.
  public func sync() async throws(DiskQueueError) { try await sender.sync() }

  // Reports.

  /// Reads the permission and stores a report: at every start and return to the foreground, and at
  /// every change. A change to what was reported already is no change.
  public func report(_ trigger: ReportTrigger) async throws(DiskQueueError) {
    let opening = trigger == .launch || trigger == .foreground ? clock.now() : nil
    let permission = await readPermission()
    let before = reported
    guard trigger != .change || permission != before else { return }
    let object = try newReport(permission, trigger)
    try await sender.append(.report(JSONValue.object(object).bytes), .essential)
    reported = permission
    if trigger == .change {
      _ = debounce.change(at: clock.now())
    } else {
      await sender.resumeChecks()
    }
    wake()
    await noteReading(permission, opening: opening)
    if permission != before { try await noteChange(from: before, to: permission) }
  }

  /// The permission now. Of two readings at once, the one that began first may end last; it is
  /// repeated, because a report with an older reading must never count as the newer one.
  func readPermission() async -> PlatformPermission {
    while true {
      readings.begun += 1
      let number = readings.begun
      let permission = await location.permission()
      guard number < readings.ended else {
        readings.ended = number
        return permission
      }
    }
  }

  /// What `permission` says; what it leaves unknown is as reported shortly before, as the server
  /// judges it.
  func state(of permission: PlatformPermission) -> PermissionState {
    let (now, platform) = (clock.now(), settings.phone.platform)
    let report = PermissionReport(
      id: ReportID(.max), state: permission.state(on: platform), effectiveAt: now,
      sequence: memory.nextSequence)
    let evidence = Evidence.report(report, platform).completed(
      by: memory.lastReports.map { ReceivedReport($0, from: 0, receivedAt: $0.effectiveAt) },
      under: memory.rules?.policy ?? settings.policy, at: now)
    return evidence.report?.state ?? report.state
  }

  /// A new enrolment begins with nothing of an earlier one's.
  func forgetEmployee() {
    enrolments += 1
    (reported, flow, unsentAcknowledgement) = (nil, nil, [])
    memory.lastReports = []
    (memory.rules, memory.order, memory.tracksLocally) = (nil, nil, nil)
    (latestNotification, known, pace) = (nil, nil, TrackingPace())
    (insufficientSince, shownAnswer, memory.sufficiency) = (nil, nil, nil)
    try? keepMemory()
    forgetPlace()
    flowMemory = ClockInMemory(askedForBackground: memory.askedForBackground)
    debounce = ChangeDebounce(span: settings.debounce)
  }

  private func noteChange(
    from before: PlatformPermission?, to permission: PlatformPermission
  ) async throws(DiskQueueError) {
    let state = permission.state(on: settings.phone.platform)
    let isDowngrade =
      before.map { compare($0.state(on: settings.phone.platform), state).isDowngrade } ?? false
    tell(.permission(state, isDowngrade: isDowngrade))
    let step = flow?.step
    guard let step, !step.isEnd else { return }
    flowPermission = permission
    let next = try await advance(.changed(self.state(of: permission)))
    if next != step { tell(.clockInStep(next)) }
  }

  private func keep(tracksLocally tracks: Bool) {
    memory.tracksLocally = tracks
    do throws(DiskQueueError) { try keepMemory() } catch { tell(.diskFailed(error)) }
  }

  /// Stores what an answer said for times without the network.
  func keep(_ order: TrackingOrder, _ rules: ClockInRules? = nil) {
    let rules = rules ?? memory.rules
    guard order != memory.order || rules != memory.rules else { return }
    (memory.order, memory.rules) = (order, rules)
    do throws(DiskQueueError) { try keepMemory() } catch { tell(.diskFailed(error)) }
  }

  /// A report with the next number, which is used up even if the report cannot be stored.
  private func newReport(
    _ permission: PlatformPermission, _ trigger: ReportTrigger
  ) throws(DiskQueueError) -> JSONObject {
    let (sequence, now) = (memory.nextSequence, clock.now())
    memory.nextSequence += 1
    let state = permission.state(on: settings.phone.platform)
    memory.lastReports = stillKnown(
      in: memory.lastReports + [
        PermissionReport(
          id: ReportID(sequence), state: state, effectiveAt: now, sequence: sequence)
      ])
    try keepMemory()
    return builder.report(permission, sequence: sequence, trigger: trigger, at: now)
  }

  func keepMemory() throws(DiskQueueError) {
    do throws(FileError) { try memory.write(to: memoryPath) } catch { throw .disk(error) }
  }

  // Clock actions.

  /// Stores a clock action; its result comes as an event with the id that is returned.
  /// - Parameters:
  ///   - permission: What it is decided on; `nil`: the newest report.
  ///   - rules: By which the phone has decided; `nil`: not by the team's.
  ///   - overrideReason: Why the employee clocks in in spite of a block, if the policy allows that.
  func clockAction(
    _ kind: ClockActionKind, on permission: PlatformPermission? = nil,
    by rules: ClockInRules? = nil, overrideReason: String? = nil
  ) async throws(DiskQueueError) -> String {
    let now = clock.now()
    let trigger: ReportTrigger = kind == .takeOver ? .takeOver : .clockIn
    var report: JSONObject?
    if let permission { report = try newReport(permission, trigger) }
    let needsFix = kind == .clockIn || kind == .clockOut
    let fix = needsFix ? recentFix(at: now) : nil
    let platform = settings.phone.platform
    let local = permission.flatMap { permission in
      rules.flatMap {
        LocalDecision(
          on: state(of: permission), of: platform, at: now, skew: skew, under: $0,
          adding: placeAndPlanFindings(at: now, under: $0.policy),
          sitesVersion: held.judgesPlace ? held.sitesVersion : nil)
      }
    }
    let action = builder.clockAction(
      kind, id: randomID(), at: now, report: report, local: local, fix: fix,
      overrideReason: overrideReason)
    let tracked = memory.tracksLocally
    // Whatever happens in between, nobody is tracked after the end.
    if !kind.beginsTracking { keep(tracksLocally: false) }
    do throws(DiskQueueError) { try await sender.append(.clockAction(action), .essential) } catch {
      memory.tracksLocally = tracked
      throw error
    }
    if kind.beginsTracking { keep(tracksLocally: true) }
    if let permission { reported = permission }
    // A clock action does not wait for further changes.
    debounce = ChangeDebounce(span: settings.debounce)
    wake()
    return action.id
  }

  // Waiting.

  /// Ends a pause of `run`.
  func wake() {
    isWoken = true
    guard let waiter else { return }
    self.waiter = nil
    waiter.continuation.resume()
  }

  private func pause(atMost span: TimeSpan?) async {
    guard !isWoken else {
      isWoken = false
      return
    }
    waits += 1
    let number = waits
    let milliseconds = min(max(span?.milliseconds ?? 3_600_000, 10), 3_600_000)
    async let _: Void = endPause(number, after: .milliseconds(milliseconds))
    await withCheckedContinuation { waiter = (number, $0) }
    isWoken = false
  }

  /// Also ends it when the task is cancelled, because then the sleep ends.
  private func endPause(_ number: Int, after span: Duration) async {
    try? await Task.sleep(for: span)
    guard let waiter, waiter.number == number else { return }
    self.waiter = nil
    waiter.continuation.resume()
  }
}
