import GuardRules
import ShiftDomain

/// One employee's working life from a seed: phones, the way to the server, the rules, a ledger that
/// performs what they say, and the oracle beside it. The same seed lives the same life.
public struct World {
  /// The seed.
  public let seed: UInt64
  /// How many events the rules have judged.
  public private(set) var steps = 0
  /// What has happened so far, to see that nothing is never met.
  public internal(set) var met = Meetings()

  var dice: Dice
  var now = Instant(milliseconds: 1_700_000_000_000)
  private(set) var choice = PolicyChoice()
  /// Messages that are due, and the ways by which they were sent.
  var messages = Messages()
  /// An objection found between two steps; reported with the next step.
  var objection: String?
  /// The phone in use, then one that also talks: a second one, or the one before.
  var handsets: [Handset] = []
  var radio = Radio()
  var devices: [DeviceRecord] = []
  var track = Track()
  var ledger = Ledger()
  /// Told of each step, in words, when somebody listens.
  let listener: ((String) -> Void)?

  let rules: RulesUnderTest
  private(set) var policy: Policy
  private(set) var state = GuardState()
  private(set) var oracle = Oracle()
  /// Whether much happens at a time, as when somebody taps around in Settings.
  private var isQuick = false
  /// The number of the newest report at the server.
  var lastReport: Int64 = 0
  /// Whether the time until the next turn has still to pass.
  private var hasTurned = true

  /// A world at its beginning.
  /// - Parameter listener: Is told of each step in a line.
  public init(
    seed: UInt64, rules: RulesUnderTest = RulesUnderTest(), listener: ((String) -> Void)? = nil
  ) {
    self.seed = seed
    self.rules = rules
    self.listener = listener
    // Neighbouring seeds must not live neighbouring lives.
    var mixer = Dice(seed: seed)
    dice = Dice(seed: mixer.next())
    policy = choice.policy
    changePolicy()
    changeWays()
    handsets.append(newPhone())
    if dice.oneIn(3) { handsets.append(newPhone()) }
  }

  /// Goes on until the rules have judged `count` events in all, or broke a promise.
  public mutating func live(until count: Int) -> Violation? {
    while steps < count {
      if hasTurned { wait() }
      guard let (occurrence, time) = nextOccurrence() else {
        hasTurned = true
        deliver(until: now)
        if let violation = turn() { return violation }
        noteOpenApps()
        continue
      }
      if let violation = meet(occurrence, at: time) { return violation }
    }
    return nil
  }

  /// Time passes; what happens by itself meanwhile comes before the next turn.
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

  /// What happens without anybody's doing.
  private enum Occurrence {
    case arrival
    case silence(SilenceKind, since: Instant)
    case due
  }

  /// The first that is not after now; of several at once, the server's own come before the phones'.
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
      guard let device = ledger.shift?.device else { return nil }
      track.noted.insert(kind)
      return judge(.silence(kind, device: device, since: since), at: max(time, track.judgedAt))
    case .due:
      if let violation = judge(.time, at: max(time, track.judgedAt)) { return violation }
      if let due = oracle.due(choice), due <= time { return violation("time stands still") }
      return nil
    }
  }

  mutating func changePolicy() {
    choice.preset = dice.pick([.standard, .standard, .standard, .strict, .strict, .advisory])
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

  /// Lets the rules judge what reached the server at `time`, performs what they say, and compares.
  mutating func judge(_ happening: Happening, at time: Instant) -> Violation? {
    let event = happening.event(now: time)
    ledger.send(by: time)
    deliver(until: time)
    track.judgedAt = time
    let expected = oracle.expect(happening, choice: choice, now: time)
    let result = rules.step(state, event, policy, time)
    steps += 1
    met.note(result)
    if listener != nil { tell(event, result, at: time) }
    if let objection { return violation(objection) }
    if let objection = expected.answer.objection(to: Answer(result.answer)) {
      return violation(objection)
    }
    for effect in result.effects {
      if case .shiftEnded(let number, let end, _) = effect, number == ledger.shift?.number,
        let objection = coverageObjection(until: end)
      {
        return violation(objection)
      }
      if let objection = ledger.perform(effect) { return violation(objection) }
      note(effect)
    }
    state = result.state
    deliver(until: time)
    if let wanted = expected.wantsFixNow, wanted != rules.wantsFixNow(result) {
      return violation(
        wanted ? "no fix is asked for" : "a fix is asked for that cannot be had")
    }
    let objection =
      difference(happening, expected) ?? difference() ?? self.objection ?? endObjection(at: time)
      ?? settingsObjection(at: time)
    return objection.map { violation($0) }
  }

  /// What the server's other tables take from an effect.
  private mutating func note(_ effect: GuardEffect) {
    switch effect {
    case .shiftStarted(let shift, _, _):
      track.begin(devices[Int(shift.device)], choice)
      messages.begin()
    case .tookOver(_, let device, _): track.changeDevice(devices[Int(device)])
    case .breakEnded: track.resume()
    case .incidentOpened(let incident):
      if let device = ledger.shift?.device { track.open(incident, of: device) }
    case .incidentClosed(let number, let at, _): track.close(number, at: at)
    default: break
    }
  }

  /// What was announced and explained, beside what the oracle expects.
  private func difference(_ happening: Happening, _ expected: Oracle.Outcome) -> String? {
    if ledger.announcements != expected.announcements {
      return "announced \(ledger.announcements) instead of \(expected.announcements)"
    }
    if let objection = endingObjection(expected) { return objection }
    guard case .report(let report, _, let device) = happening else {
      return ledger.explained == nil ? nil : "a silence explained by no report"
    }
    guard let explained = ledger.explained else {
      return expected.explained == nil ? nil : "a silence is not explained"
    }
    let isRight =
      explained.kind == expected.explained && explained.device == device
      && explained.at == report.effectiveAt
    return isRight ? nil : "a silence is explained otherwise: \(explained.kind.code)"
  }

  /// Whether those who were told of what is over hear it once, with what is left.
  private func endingObjection(_ expected: Oracle.Outcome) -> String? {
    if let at = ledger.contactClosedAt, at != track.judgedAt {
      return "a silence ends at another time than the request that ended it"
    }
    if ledger.endings.isEmpty {
      guard let ending = expected.ending, !expected.isEndQuiet else { return nil }
      return "nobody hears that it is over, but for \(ending.kind?.code ?? "nothing")"
    }
    guard let ending = expected.ending else { return "an end is told of what nobody was told" }
    if ledger.endings == [ending] { return nil }
    if ledger.endings.count > 1 { return "an end is told more than once" }
    let told = ledger.endings[0].kind
    return told == nil
      ? "an all-clear though \(ending.kind?.code ?? "nothing") is left"
      : "\(told?.code ?? "nothing") is told as left instead of \(ending.kind?.code ?? "nothing")"
  }

  /// What the oracle tells of the shift and each dimension, beside what the rules remember and what
  /// was done.
  private func difference() -> String? {
    if state.lastShift != ledger.newestShift || state.lastIncident != ledger.newestIncident {
      return "the state's numbers are not those told"
    }
    if state.incidents.count != ledger.incidents.count { return "the state's incidents differ" }
    if state.unconfirmed?.number != oracle.unconfirmed?.number { return "an end to be confirmed" }
    if state.due(under: policy) != oracle.due(choice) { return "due at another time" }
    guard let shift = ledger.shift, let told = oracle.shift else {
      let isClosed = ledger.shift == nil && oracle.shift == nil && state.shift == nil
      return isClosed ? ledger.outbox.isEmpty ? nil : "a message waits" : "the shift differs"
    }
    if state.shift?.number != shift.number || told.number != shift.number
      || state.shift?.device != shift.device || told.device != shift.device
      || state.shift?.startedAt != shift.startedAt || told.startedAt != shift.startedAt
      || state.shift?.isOnBreak != shift.isOnBreak || told.breaks.count != shift.breaks.count
    {
      return "the shift differs"
    }
    for (kept, pause) in zip(shift.breaks, told.breaks)
    where kept.start != pause.start || kept.end != pause.end {
      return "a break is dated otherwise"
    }
    var open = 0
    for story in oracle.stories {
      if story.incident != nil { open += 1 }
      if let objection = difference(story) {
        return "\(story.dimension.code): \(objection)"
      }
    }
    if open != ledger.incidents.count { return "an incident that nothing explains" }
    return silenceObjection()
  }

  private func difference(_ story: Story) -> String? {
    let incident = ledger.incident(story.dimension)
    let found = ledger.waiting(story.dimension)
    guard let told = story.incident else {
      if incident != nil { return "an incident is open though all is well" }
      return found == nil ? difference(of: story) : "a message waits in vain"
    }
    guard let incident else { return "a missed impairment: \(told.kind.code)" }
    if incident.kind != told.kind { return "\(incident.kind.code) instead of \(told.kind.code)" }
    if incident.origin != told.origin { return "its origin is \(incident.origin.code)" }
    if incident.openedAt != told.openedAt {
      return "it opened \((incident.openedAt - told.openedAt).milliseconds) ms too late"
    }
    let remembered = state[story.dimension]
    if remembered?.kind != told.kind || remembered?.number != incident.number {
      return "the state remembers another incident"
    }
    switch (story.waiting, found) {
    case (nil, nil): break
    case (nil, _?): return "a message waits that tells nothing new"
    case (_?, nil): return "a message is missing"
    case (let wanted?, let found?):
      if wanted.kind != found.kind { return "a message is about \(found.kind?.code ?? "nothing")" }
      if wanted.dueAt != found.dueAt { return "a message is not due at the debounce's end" }
      if wanted.isUrgent != found.isUrgent { return "a message's urgency is wrong" }
    }
    return difference(of: story)
  }

  private func difference(of story: Story) -> String? {
    let (done, told) = (ledger.tallies[Int(story.dimension.rawValue)], story.tally)
    if done.sent != told.sent { return "\(done.sent) messages sent instead of \(told.sent)" }
    if done.flickers != told.flickers { return "\(done.flickers) flickers, not \(told.flickers)" }
    return done.restored == told.restored
      ? nil : "\(done.restored) restored instead of \(told.restored)"
  }

  /// The rules' deadline of each silence beside the plain one.
  private func silenceObjection() -> String? {
    guard let shift = state.shift, let expected = deadline(.noContact) else { return nil }
    var signs = SilenceSigns(
      fixAgeMax: track.stored.fixAgeMax, outages: IntervalSet(track.outages))
    signs.lastReceipt = track.lastReceipt
    return rules.contactDue(shift, signs, policy) == expected
      ? nil : "silence is due at another time"
  }

  /// Compares the settings that the phone gets with those chosen when the shift began.
  private mutating func settingsObjection(at time: Instant) -> String? {
    guard let shift = ledger.shift, let chosen = oracle.shift?.settings else { return nil }
    if chosen != choice.settings { met.mark(.settingsOutlived) }
    return rules.settings(track.row(of: shift), time, policy) == chosen
      ? nil : "the phone is advised otherwise than at its clock-in"
  }

  func violation(_ message: String) -> Violation {
    Violation(seed: seed, step: steps, message: message)
  }

  /// When a silence of the tracking device is too long; `nil` while none can be.
  private func deadline(_ kind: SilenceKind) -> Instant? {
    guard let shift = ledger.shift, !shift.isOnBreak else { return nil }
    let sign = max(track.lastSign(kind) ?? shift.trackedSince, shift.trackedSince)
    return sign + track.fixAgeMax + track.downtime(since: sign)
  }

  /// The silence that the watch finds next: no position only while something is heard.
  private func nextSilence() -> (SilenceKind, Instant)? {
    guard let contact = deadline(.noContact), let fix = deadline(.noFix) else { return nil }
    let isSilent = ledger.incident(.contact) != nil
    if !isSilent, fix < contact, !oracle.isBlind, !track.noted.contains(.noFix) {
      return (.noFix, fix)
    }
    return isSilent || track.noted.contains(.noContact) ? nil : (.noContact, contact)
  }

  private mutating func coverageObjection(until end: Instant) -> String? {
    guard let shift = ledger.shift, shift.startedAt < end else { return nil }
    let probe = CoverageProbe(shift, until: end, track, rules)
    let segments = rules.coverage(probe.facts, policy)
    met.note(segments)
    return probe.objection(to: segments, &dice)
  }
}

extension Instant {
  fileprivate static let distantFuture = Instant(milliseconds: .max)
}
