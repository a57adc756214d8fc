import GuardRules
import ShiftDomain

/// One employee's working life from a seed: phones, the network, the rules, a ledger that performs
/// their effects, and the oracle. The same seed gives the same life.
package struct World {
  /// The seed of all random choices.
  package let seed: UInt64
  /// The number of events that the rules have judged.
  package private(set) var steps = 0
  /// The events that have occurred so far.
  package internal(set) var caseCoverage = CaseCoverage()

  var dice: Dice
  var now = Instant(milliseconds: 1_700_000_000_000)
  private(set) var choice = PolicyChoice()
  /// Due notifications, and the channels by which they were sent.
  var notifications = SimulatedNotifications()
  /// An objection found between two steps; reported with the next step.
  var objection: String?
  /// The phone in use, and possibly another that also sends: a second or the previous phone.
  var phones: [SimulatedPhone] = []
  var radio = Radio()
  var devices: [DeviceRecord] = []
  var track = Track()
  var reference = ReferenceState()
  /// Receives a line about each step.
  let listener: ((String) -> Void)?

  let rules: RulesUnderTest
  private(set) var policy: Policy
  private(set) var state = GuardState()
  private(set) var oracle = Oracle()
  /// Whether events follow each other quickly, as when somebody changes Settings.
  private var isQuick = false
  /// The number of the newest report at the server.
  var lastReport: Int64 = 0
  /// Whether the time until the next turn must still pass.
  private var hasTurned = true

  /// A world at its beginning.
  /// - Parameter listener: Receives a line about each step.
  package init(
    seed: UInt64, rules: RulesUnderTest = RulesUnderTest(), listener: ((String) -> Void)? = nil
  ) {
    self.seed = seed
    self.rules = rules
    self.listener = listener
    // Neighbouring seeds must not give similar lives.
    var mixer = Dice(seed: seed)
    dice = Dice(seed: mixer.next())
    policy = choice.policy
    changePolicy()
    changeWays()
    phones.append(newPhone())
    if dice.oneIn(3) { phones.append(newPhone()) }
  }

  /// Runs until the rules have judged `count` events in total, or have broken a promise.
  package mutating func live(until count: Int) -> Violation? {
    while steps < count {
      if hasTurned { wait() }
      guard let (occurrence, time) = nextOccurrence() else {
        hasTurned = true
        deliver(until: now)
        if let objection = presentObjection() { return violation(objection) }
        if let violation = turn() { return violation }
        noteOpenApps()
        continue
      }
      if let violation = meet(occurrence, at: time) { return violation }
    }
    return nil
  }

  /// Time passes; occurrences in this time come before the next turn.
  private mutating func wait() {
    hasTurned = false
    now = now + .milliseconds(dice.pick(isQuick ? Self.quickPauses : Self.pauses))
    if dice.oneIn(64) { isQuick.toggle() }
  }

  /// Milliseconds between two turns: none, within a debounce, at its ends, and long.
  private static let pauses: [Int64] = [
    0, 400, 2_001, 10_000, 30_000, 60_000, 60_000, 120_000, 200_000, 3_600_000,
  ]
  private static let quickPauses: [Int64] = [0, 0, 1, 100, 400, 400, 999, 1_999, 2_000, 2_001]

  /// An event without an action of the employee.
  private enum Occurrence {
    case arrival
    case silence(SilenceKind, since: Instant)
    case due
  }

  /// The first occurrence until now; of several at once, the server's come before the phones'.
  private func nextOccurrence() -> (Occurrence, Instant)? {
    var first: (Occurrence, Instant)?
    if let due = oracle.due(choice), due <= now { first = (.due, due) }
    if let (kind, since) = nextSilence(), since <= now, since < first?.1 ?? .distantFuture {
      first = (.silence(kind, since: since), since)
    }
    if let arrival = radio.nextArrival, arrival <= now, arrival < first?.1 ?? .distantFuture {
      first = (.arrival, arrival)
    }
    return first
  }

  private mutating func meet(_ occurrence: Occurrence, at time: Instant) -> Violation? {
    switch occurrence {
    case .arrival:
      return radio.receive().flatMap { take($0) }
    case .silence(let kind, let since):
      guard let device = reference.shift?.device else { return nil }
      track.noted.insert(kind)
      return judge(.silence(kind, device: device, since: since), at: max(time, track.judgedAt))
    case .due:
      if let violation = judge(.time, at: max(time, track.judgedAt)) { return violation }
      if let due = oracle.due(choice), due <= time { return violation("a due event stays due") }
      return nil
    }
  }

  mutating func changePolicy() {
    choice.preset = dice.pick(Preset.drawn)
    choice.moved = nil
    if dice.oneIn(6), let finding = Finding(rawValue: UInt8(dice.below(18))) {
      choice.moved = (finding, dice.pick([.advice, .warn, .block]))
    }
    choice.debounce = .seconds(dice.pick([0, 1, 2, 2, 2, 3]))
    choice.pingInterval = .seconds(dice.pick([30, 60, 60, 120, 600]))
    choice.shiftMax = .hours(dice.pick([4, 16, 16, 24]))
    choice.breakMax = .minutes(dice.pick([15, 120, 120]))
    choice.reminderAfter = .hours(dice.pick([3, 10, 10]))
    choice.selfOverride = dice.oneIn(3) ? .withReason : .off
    choice.cooldown = .minutes(dice.pick([0, 10, 10, 60]))
    choice.emailAfter = .minutes(dice.pick([0, 5, 5, 30]))
    choice.managersAfter = .minutes(dice.pick([0, 10, 10, 60]))
    choice.maxRest = .minutes(dice.pick([0, 30, 30, 60]))
    choice.accuracyMax = dice.pick([nil, nil, 100])
    choice.version += 1
    policy = choice.policy
  }

  /// Lets the rules judge an event at `time`, performs their effects, and compares the result.
  mutating func judge(_ simulated: SimulatedEvent, at time: Instant) -> Violation? {
    let event = simulated.event(now: time)
    reference.send(by: time)
    deliver(until: time)
    track.judgedAt = time
    let expected = oracle.expect(simulated, choice: choice, now: time)
    if case .report(let report, _) = event { rememberReports(before: report, at: time) }
    let result = rules.step(state, event, policy, time)
    steps += 1
    caseCoverage.note(result)
    if listener != nil { trace(event, result, at: time) }
    if let objection { return violation(objection) }
    if let objection = expected.answer.objection(to: Answer(result.answer)) {
      return violation(objection)
    }
    for effect in result.effects {
      if case .shiftEnded(let number, let end, _) = effect, number == reference.shift?.number,
        let objection = coverageObjection(until: end)
      {
        return violation(objection)
      }
      if let objection = reference.perform(effect) { return violation(objection) }
      note(effect)
    }
    let mayHoldOther = result.state.mayHoldOther(than: state)
    state = result.state
    // The world stores the report of such a clock action, and does not step it as the service does.
    if result.effects.isEmpty, event.isClockAction { state.shift?.reportMarks = nil }
    if let end = reference.endings.first { notifications.endDueAt = end.dueAt }
    if mayHoldOther { reviewNotifications(at: time + choice.debounce) }
    deliver(until: time)
    if let wanted = expected.wantsFixNow, wanted != rules.wantsFixNow(result) {
      return violation(
        wanted ? "no fix is asked for" : "a fix is asked for that the phone cannot get")
    }
    let objection =
      difference(simulated, expected) ?? difference() ?? self.objection ?? endObjection(at: time)
      ?? settingsObjection(at: time)
    return objection.map { violation($0) }
  }

  /// Records an effect in the server's other tables.
  private mutating func note(_ effect: GuardEffect) {
    switch effect {
    case .shiftStarted(let shift, _, _):
      track.begin(devices[Int(shift.device ?? 0)], choice, at: shift.startedAt)
      notifications.begin()
    case .tookOver(_, let device, _): track.changeDevice(devices[Int(device)])
    case .breakEnded: track.resume()
    case .incidentOpened(let incident, _):
      if let device = reference.shift?.device { track.open(incident, of: device) }
    case .incidentClosed(let number, let at, _): track.close(number, at: at)
    case .incidentWithdrawn(let number): track.withdraw(number)
    default: break
    }
  }

  /// Compares announcements and explanations with the oracle's.
  private func difference(_ simulated: SimulatedEvent, _ expected: Oracle.Outcome) -> String? {
    if reference.announcements != expected.announcements {
      return "announced \(reference.announcements) instead of \(expected.announcements)"
    }
    if let objection = endingObjection(expected) { return objection }
    guard case .report(let report, _, let device) = simulated else {
      return reference.explained == nil ? nil : "a silence is explained without a report"
    }
    guard let explained = reference.explained else {
      return expected.explained == nil ? nil : "a silence is not explained"
    }
    let isRight =
      explained.kind == expected.explained && explained.device == device
      && explained.at == report.effectiveAt
    return isRight ? nil : "a silence is explained wrongly: \(explained.kind.code)"
  }

  /// Checks that the end of notified incidents is reported once, with the kind that is left.
  private func endingObjection(_ expected: Oracle.Outcome) -> String? {
    if let at = reference.contactClosedAt, at != track.judgedAt {
      return "a silence ends at another time than the request that ended it"
    }
    if reference.endings.isEmpty {
      guard let ending = expected.ending else { return nil }
      return "no end is reported, with \(ending.kind?.code ?? "nothing") left"
    }
    guard let ending = expected.ending else { return "an end is reported that nobody expects" }
    if reference.endings == [ending] { return nil }
    if reference.endings.count > 1 { return "an end is reported more than once" }
    let truth = reference.endings[0].kind
    return truth == nil
      ? "an all-clear though \(ending.kind?.code ?? "nothing") is left"
      : "\(truth?.code ?? "none") is reported as left instead of \(ending.kind?.code ?? "none")"
  }

  /// Compares the shift and each dimension of the oracle with the rules' state and the ledger.
  private func difference() -> String? {
    if state.lastShift != reference.newestShift || state.lastIncident != reference.newestIncident {
      return "the state's numbers differ from the effects"
    }
    if state.incidents.count != reference.incidents.count { return "the state's incidents differ" }
    if state.unconfirmed?.number != oracle.unconfirmed?.number { return "an end to be confirmed" }
    if state.due(under: policy) != oracle.due(choice) { return "due at another time" }
    guard let shift = reference.shift, let truth = oracle.shift else {
      let isClosed = reference.shift == nil && oracle.shift == nil && state.shift == nil
      if !isClosed { return "the shift differs" }
      return reference.outbox.isEmpty ? nil : "a notification is pending"
    }
    if state.shift?.number != shift.number || truth.number != shift.number
      || state.shift?.device != shift.device || truth.device != shift.device
      || state.shift?.startedAt != shift.startedAt || truth.startedAt != shift.startedAt
      || state.shift?.isOnBreak != shift.isOnBreak || truth.breaks.count != shift.breaks.count
    {
      return "the shift differs"
    }
    for (kept, pause) in zip(shift.breaks, truth.breaks)
    where kept.start != pause.start || kept.end != pause.end {
      return "a break is dated wrongly"
    }
    var open = 0
    for history in oracle.histories {
      if history.incident != nil { open += 1 }
      if let objection = difference(history) {
        return "\(history.dimension.code): \(objection)"
      }
    }
    if open != reference.incidents.count { return "an incident that nothing explains" }
    return silenceObjection()
  }

  private func difference(_ history: IncidentHistory) -> String? {
    let incident = reference.incident(history.dimension)
    let found = reference.waiting(history.dimension)
    guard let truth = history.incident else {
      if incident != nil { return "an incident is open though all is well" }
      return found == nil ? difference(of: history) : "a notification is pending without need"
    }
    guard let incident else { return "a missed impairment: \(truth.kind.code)" }
    if incident.kind != truth.kind { return "\(incident.kind.code) instead of \(truth.kind.code)" }
    if incident.origin != truth.origin { return "its origin is \(incident.origin.code)" }
    if incident.isAccepted != truth.isAccepted { return "what is accepted differs" }
    if incident.openedAt != truth.openedAt {
      return "it opened \((incident.openedAt - truth.openedAt).milliseconds) ms too late"
    }
    let remembered = state[history.dimension]
    if remembered?.kind != truth.kind || remembered?.number != incident.number {
      return "the state remembers another incident"
    }
    switch (history.waiting, found) {
    case (nil, nil): break
    case (nil, _?): return "a notification is pending that has nothing new"
    case (_?, nil): return "a notification is missing"
    case (let wanted?, let found?):
      if wanted.kind != found.kind {
        return "a notification is about \(found.kind?.code ?? "nothing")"
      }
      if wanted.dueAt != found.dueAt { return "a notification is not due at the debounce's end" }
      if wanted.isUrgent != found.isUrgent { return "a notification's urgency is wrong" }
    }
    return difference(of: history)
  }

  private func difference(of history: IncidentHistory) -> String? {
    let (done, truth) = (reference.tallies[Int(history.dimension.rawValue)], history.tally)
    if done.sent != truth.sent { return "\(done.sent) notifications instead of \(truth.sent)" }
    if done.flickers != truth.flickers { return "\(done.flickers) flickers, not \(truth.flickers)" }
    return done.restored == truth.restored
      ? nil : "\(done.restored) restored instead of \(truth.restored)"
  }

  /// Compares the rules' deadline for contact with the oracle's.
  private func silenceObjection() -> String? {
    guard let shift = state.shift, let expected = deadline(.noContact) else { return nil }
    var evidence = SilenceEvidence(
      fixAgeMax: track.stored.fixAgeMax, outages: IntervalSet(track.outages))
    evidence.lastReceipt = track.lastReceipt
    return rules.contactDue(shift, evidence, policy) == expected
      ? nil : "silence is due at another time"
  }

  /// Compares the settings that the phone gets with those chosen when the shift began.
  private mutating func settingsObjection(at time: Instant) -> String? {
    guard let shift = reference.shift, let chosen = oracle.shift?.settings else { return nil }
    if chosen != choice.settings { caseCoverage.mark(.settingsOutlived) }
    return rules.settings(track.row(of: shift), time, policy) == chosen
      ? nil : "the phone gets other settings than at its clock-in"
  }

  func violation(_ message: String) -> Violation {
    Violation(seed: seed, step: steps, message: message)
  }

  /// When a silence of the tracking device is too long; `nil` while there can be none.
  private func deadline(_ kind: SilenceKind) -> Instant? {
    guard let shift = reference.shift, !shift.isOnBreak else { return nil }
    return track.deadline(
      after: max(track.lastSign(kind) ?? shift.trackedSince, shift.trackedSince))
  }

  /// The next silence that the watch detects; a missing fix only while there is contact.
  private func nextSilence() -> (SilenceKind, Instant)? {
    guard let contact = deadline(.noContact), let fix = deadline(.noFix) else { return nil }
    let isSilent = reference.incident(.contact) != nil
    if !isSilent, fix < contact, !oracle.isBlind, !track.noted.contains(.noFix) {
      return (.noFix, fix)
    }
    return isSilent || track.noted.contains(.noContact) ? nil : (.noContact, contact)
  }

  /// Reads the reports if the state does not have their marks, as the service does.
  private mutating func rememberReports(before report: PermissionReport, at time: Instant) {
    guard let shift = reference.shift, let open = state.shift, open.reportMarks == nil else {
      return
    }
    var frame = CoverageProbe(shift, until: time, track, rules).facts.frame
    frame.reports.removeAll { $0.report.id == report.id }
    state.shift?.reportMarks = ReportMarks(of: open, frame)
  }

  private mutating func coverageObjection(until end: Instant) -> String? {
    guard let shift = reference.shift, shift.startedAt < end else { return nil }
    let probe = CoverageProbe(shift, until: end, track, rules)
    let segments = rules.coverage(probe.facts, policy)
    caseCoverage.note(segments)
    return probe.objection(to: segments, &dice)
  }
}

extension Instant {
  fileprivate static let distantFuture = Instant(milliseconds: .max)
}
