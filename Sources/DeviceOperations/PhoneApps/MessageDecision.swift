import Cryptography
import GuardRules
import NotificationQueue
import OperationCore
import PhoneProtocols
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// What happened on a phone, as a message of its app says: it is decided in this order. Reports
/// come first, because a clock-in and a take-over need the present permission. Positions come
/// before the departure, which may be the first thing after a take-over.
struct MessageEvents: Sendable {
  let device: DeviceID
  let receipt: Receipt
  let message: AppMessage
  /// `nil`: it has no reports.
  let upload: ReportRequest?
  let arrival: TimedClockAction?
  let pings: [Ping]
  let departure: TimedClockAction?
  /// What the arrival is judged by, and one that waited.
  let evidence = PinnedEvidence()
  let waitingEvidence = PinnedEvidence()

  init(_ message: AppMessage, from credential: DeviceCredential, _ receipt: Receipt) {
    let reports = message.reports.map {
      TimedReport($0, of: credential.device, sentAt: nil, receivedAt: receipt.at)
    }
    let upload = ReportRequest(
      credential: credential, installation: nil, language: nil, timedReports: reports,
      receivedAt: receipt.at, mayRepeat: true)
    self.init(message, upload: reports.isEmpty ? nil : upload, from: credential.device, receipt)
  }

  /// Nothing new, so that only an arrival that waits is decided on.
  init(of device: DeviceID, _ receipt: Receipt) {
    self.init(AppMessage(from: .ownTracks), upload: nil, from: device, receipt)
  }

  private init(
    _ message: AppMessage, upload: ReportRequest?, from device: DeviceID, _ receipt: Receipt
  ) {
    (self.message, self.upload, self.device, self.receipt) = (message, upload, device, receipt)
    pings = message.pings.map { $0.dated(sentAt: nil, receivedAt: receipt.at) }
    func timed(_ action: ClockAction) -> TimedClockAction {
      TimedClockAction(action, of: device, receivedAt: receipt.at)
    }
    arrival = message.sightings.first(where: \.isArrival).map {
      timed(.arrival(at: $0.recordedAt, fix: $0.fix))
    }
    departure = message.sightings.last(where: \.isDeparture).map {
      timed(.departure(at: $0.recordedAt))
    }
  }

  /// The latest time of what it says.
  var newest: Instant? {
    let times =
      message.sightings.map(\.recordedAt) + pings.map(\.effectiveAt)
      + (upload?.timedReports.map(\.report.effectiveAt) ?? [])
    return times.max().map { min($0, receipt.at) }
  }

  /// The time of its earliest position that can still count.
  var firstFix: Instant? {
    pings.filter { $0.fix != nil }.map { max($0.effectiveAt, receipt.at - recordAgeMax) }.min()
  }

  /// The earliest time at which its shift is asked for.
  var since: Instant {
    let times =
      [arrival?.at, departure?.at].compactMap(\.self)
      + (upload?.timedReports.map(\.report.effectiveAt) ?? [])
    return min(times.min() ?? receipt.at, receipt.at - recordAgeMax) - arrivalJitterMax
  }
}

/// What a message decides, event by event, on what was read at once.
struct MessageDecision: Sendable {
  private let events: MessageEvents
  private let now: Instant
  /// The employee as read.
  private let before: EmployeeRecord
  private(set) var inputs: DecisionInputs
  private var facts: ActionFacts
  private var begun: [BegunShift]
  private var presence: RegionPresence

  private(set) var arrival: ArrivalState?
  private(set) var hasTakenOver = false
  /// What is written after the claim.
  private(set) var statements: [SQL] = []
  private var effects: [GuardEffect] = []
  private(set) var notifications: [ShiftNotification] = []
  /// The shifts of which something late may have changed what was.
  private(set) var changedShifts: Set<Int32> = []
  /// The report whose detections are measured.
  private(set) var detected: ReportID?
  /// The time of a position that came with a crossing.
  private(set) var fixAt: Instant?
  private var changesState = false

  /// - Parameter now: For what must not be decided before it was received.
  init(_ events: MessageEvents, _ inputs: DecisionInputs, _ read: MessageReading, now: Instant) {
    (self.events, self.inputs, self.now) = (events, inputs, now)
    (before, facts, begun) = (inputs.employee, read.facts, read.begun)
    presence = inputs.device.presence
    report()
    decideWaitingArrival(by: read.waiting)
    if let arrival = events.arrival { depart(seen: arrival.at, until: nil) }
    presence.note(events.message.sightings, receivedAt: events.receipt.at)
    if let (shift, step) = read.reopening { reopen(shift, step) }
    if arrival != .waits { arrive() }
    takeOver(from: read.pages)
    depart(seen: events.newest, until: events.receipt.at)
    storePresence()
    quarantine()
  }

  /// Writes the state; `nil`: it stays as it is.
  var claim: GuardCommit? {
    guard changesState else { return nil }
    var before = before
    before.lastClockAction = inputs.employee.lastClockAction
    before.lastOverride = inputs.employee.lastOverride
    return GuardCommit(
      before: before,
      step: GuardStep(state: inputs.employee.state, effects: effects, answer: .noted),
      now: events.receipt.at)
  }

  var writes: Bool { !statements.isEmpty || changesState }

  var isOnBreak: Bool { tracked?.isOnBreak ?? false }

  /// What the app must do from now on.
  var advice: TrackingAdvice {
    let (employee, at) = (inputs.employee, events.receipt.at)
    return TrackingAdvice(
      isTracking: isTracking,
      settings: facts.shifts.first { $0.isTracked(at: at) }?.settings(at: at)
        ?? TrackingSettings(of: employee.policy, version: employee.policyVersion))
  }

  /// As time alone has changed it.
  private var present: GuardState {
    let employee = inputs.employee
    return step(employee.state, .time, policy: employee.policy, now: events.receipt.at).state
  }

  private var isTracking: Bool { tracked.map { !$0.isOnBreak } ?? false }

  /// The open shift, if the device tracks it.
  private var tracked: OpenShift? {
    present.shift.flatMap { $0.device == events.device.number ? $0 : nil }
  }
}

// MARK: The events

extension MessageDecision {
  private mutating func report() {
    guard let request = events.upload else { return }
    let upload = DecidedUpload(request, inputs, facts.stored)
    let (writing, after) = upload.written(among: facts.shifts)
    statements += writing.statements
    changedShifts.formUnion(writing.changedShifts)
    facts.held += writing.reports.map {
      ReceivedReport($0.report, from: events.device.number, receivedAt: $0.receivedAt)
    }
    inputs = after
    guard let commit = upload.guardCommit else { return }
    note(commit.step, commit.step.notifications)
    detected = upload.detected
  }

  /// Decides on an arrival that waited, unless the employee has clocked in by another way since.
  /// What the app was asked for may never come.
  private mutating func decideWaitingArrival(by waiting: WaitingFacts?) {
    guard let arrivedAt = inputs.device.arrivedAt, let waiting else { return }
    let receivedAt = events.receipt.at
    guard events.upload != nil || receivedAt - arrivedAt > onlineAgeMax else {
      if events.message.hasCrossings { arrival = .waits }
      return
    }
    let waited = TimedClockAction(
      .arrival(at: arrivedAt), of: events.device, receivedAt: receivedAt)
    arrival = .decided(isTracking: false)
    if facts.count(arrival: waited, inputs.employee) {
      var facts = facts
      (facts.policy, facts.sites, facts.plan) = (waiting.policy, waiting.sites, waiting.plan)
      clockIn(waited, facts, events.waitingEvidence)
    }
    setArrival(nil)
  }

  /// Undoes the end of a shift: the phone has come back before its departure would have counted.
  private mutating func reopen(_ shift: ShiftRow, _ step: GuardStep) {
    guard inputs.employee.state.shift == nil else { return }
    let commit = GuardCommit(before: inputs.employee, step: step, now: events.receipt.at)
    statements += ShiftStore.reopen(shift.shift, from: shift.startedAt) + commit.statements
    inputs.employee.state = step.state
    changedShifts.insert(shift.shift.number)
    note(step, step.notifications)
    if let place = facts.shifts.firstIndex(where: { $0.number == shift.shift.number }) {
      facts.shifts[place].end = step.state.shift?.limit
    }
    begun.append(
      BegunShift(number: shift.shift.number, device: shift.device, isByArrival: true))
    arrival = .decided(isTracking: isTracking)
  }

  private mutating func arrive() {
    guard let arrival = events.arrival, inputs.device.arrivedAt == nil,
      facts.count(arrival: arrival, inputs.employee)
    else { return }
    guard inputs.waitsForReport(at: arrival) else {
      return clockIn(arrival, facts, events.evidence)
    }
    // A clock that is ahead must not make it wait longer, nor begin the shift later.
    setArrival(
      effectiveTime(
        recordedAt: arrival.action.occurredAt ?? arrival.at, sentAt: nil,
        receivedAt: events.receipt.at
      ).instant)
    self.arrival = .waits
  }

  private mutating func clockIn(
    _ timed: TimedClockAction, _ facts: ActionFacts, _ evidence: PinnedEvidence
  ) {
    var facts = facts
    if !timed.isOffline { facts.policy = nil }
    facts.arrivedAt = presence.site(among: facts.sites)
    let clockIn = ClockIn(timed, inputs, facts, judging: evidence, until: now)
    if take(clockIn) {
      if let fix = timed.fix { fixAt = fix.at }
      if case .clockedIn(let shift, _) = clockIn.outcome {
        begun.append(
          BegunShift(number: shift.number, device: events.device.number, isByArrival: true))
      }
    }
    arrival = .decided(isTracking: isTracking)
  }

  /// Takes over each shift that a page tracked at the app's first position after the page's last
  /// one: a queue of the app may be older than its first message, and come after the shift.
  private mutating func takeOver(from pages: [Int32: [Int16: Instant?]]) {
    let times = events.pings.filter { ping in
      ping.fix != nil && place(ping) == .refused(.notTrackingDevice)
    }.map(\.effectiveAt)
    for shift in facts.shifts {
      let at = shift.takeOver(
        by: events.device.number, fixedAt: times, from: pages[shift.number] ?? [:])
      if let at { takeOver(shift, at: at) }
    }
  }

  private mutating func takeOver(_ shift: TrackedShift, at: Instant) {
    let (number, device, receivedAt) = (shift.number, events.device.number, events.receipt.at)
    let earlier = shift.takeOvers.first { $0.device == device }?.since
    guard earlier == nil, inputs.employee.openShift(at: receivedAt)?.number == number else {
      let step = inputs.employee.state.takenOver(
        number, by: device, at: at, insteadOf: earlier)
      statements +=
        GuardCommit(before: inputs.employee, step: step, now: receivedAt).statements
      inputs.employee.state = step.state
      changedShifts.insert(number)
      hasTakenOver = true
      return note(step, [])
    }
    let id = "app-" + String(number)
    let timed = TimedClockAction(
      ClockAction(actionID: id, bodyHash: sha256(Array(id.utf8)), occurredAt: at),
      of: events.device, receivedAt: receivedAt)
    guard take(UnguardedAction(.takeOver, timed, inputs, facts)), tracked != nil, let claim else {
      return
    }
    hasTakenOver = true
    let told = ShiftNotification(
      .appTookOver, subject: number, ordinal: device, dueAt: receivedAt)
    statements.append(claim.queue(told))
    notifications.append(told)
  }

  /// Ends the shift by the departure from the last region, once it is known that the phone has not
  /// come back. A clock-in that is kept for review has no shift, and gets its departure at once.
  /// - Parameters:
  ///   - newest: The latest time of which the phone tells.
  ///   - now: `nil`: only such a time counts.
  private mutating func depart(seen newest: Instant?, until now: Instant?) {
    let state = present
    let number = state.shift?.number ?? state.unconfirmed?.number
    let breaks = facts.shifts.first { $0.number == number }?.breaks ?? IntervalSet()
    guard let left = presence.leftAt, let counted = presence.departure(among: breaks),
      number == nil || presence.isOver(counted, newest: newest, now: now)
    else { return }
    let departure = TimedClockAction(
      .departure(at: left, countsFrom: counted), of: events.device, receivedAt: events.receipt.at)
    if facts.count(departure: departure, state, among: begun) {
      _ = take(UnguardedAction(.clockOut, departure, inputs, facts))
    }
    if number != nil { presence = RegionPresence() }
  }

  /// Until its shift has ended.
  private mutating func storePresence() {
    let ended = present.unconfirmed?.number
    let isOfShift = begun.contains { shift in
      shift.isByArrival
        && (shift.number == tracked?.number
          || shift.number == ended && shift.device == events.device.number)
    }
    if !isOfShift, inputs.device.arrivedAt == nil { presence = RegionPresence() }
    guard presence != inputs.device.presence else { return }
    statements.append(setPresence(presence, of: events.device))
    changesState = true
  }

  /// The contents of what could not be read are kept only if the employee is on shift, and all else
  /// is from the shift: outside, no position may be stored.
  private mutating func quarantine() {
    guard !events.message.quarantined.isEmpty else { return }
    let keepsContents =
      isTracking
      && !events.pings.contains { [.refused(.noShift), .refused(.onBreak)].contains(place($0)) }
    statements += events.message.quarantined.map { piece in
      let isShort = piece.content.count <= QuarantinedPiece.storedBytesMax
      return ShiftStore.quarantine(
        QuarantinedMessage(
          receivedAt: events.receipt.at, app: events.message.app,
          reason: piece.reason.description, byteCount: Int32(clamping: piece.content.count)),
        hash: sha256(piece.content), body: keepsContents && isShort ? piece.text : nil,
        of: events.device)
    }
    statements.append(shortenQuarantine(of: events.device))
  }

  private func place(_ ping: Ping) -> PingPlacement {
    GuardRules.place(
      effectiveAt: ping.effectiveAt, device: events.device.number, among: facts.shifts,
      now: events.receipt.at)
  }
}

// MARK: What they do

extension MessageDecision {
  /// One too many for the managers is left out: the app knows no such answer, and the rest of its
  /// message must be stored.
  private mutating func take(_ action: some ClockActionTransaction) -> Bool {
    guard !action.isOneTooMany(besides: facts.waiting) else { return false }
    let writing = action.writing(among: facts.shifts)
    changedShifts.formUnion(action.changedShifts(facts))
    statements += writing.statements
    inputs = writing.after
    facts.note(action.record, upTo: presence.leftAt ?? events.departure?.at)
    note(action.step, writing.notifications)
    return true
  }

  private mutating func note(_ step: GuardStep, _ notifications: [ShiftNotification]) {
    changesState = true
    effects += step.effects
    self.notifications += notifications
    for effect in step.effects { facts.shifts.apply(effect, under: inputs.employee) }
  }

  private mutating func setArrival(_ instant: Instant?) {
    inputs.device.arrivedAt = instant
    statements.append(ShiftStore.setArrival(instant, of: events.device))
  }
}

extension ActionFacts {
  /// The facts for the next event, after a clock action that is not stored yet.
  /// - Parameter departure: The time up to which clock-ins matter.
  fileprivate mutating func note(_ record: ClockActionRecord, upTo departure: Instant?) {
    earlier.append(record)
    if record.waitsForReview { waiting += 1 }
    if record.outcome.kind == .clockIn, let departure, record.at <= departure {
      isClockInKept = record.kept != nil
    }
  }
}

extension QuarantinedPiece {
  /// As text: what is no UTF-8, and U+0000, is replaced.
  fileprivate var text: String {
    String(decoding: content, as: UTF8.self).replacing("\0", with: "\u{FFFD}")
  }
}
