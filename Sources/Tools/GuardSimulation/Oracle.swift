import GuardRules
import ShiftDomain

/// Knows the true state of the phones and what has reached the server, and derives from these alone
/// the expected answers, incidents and notifications. It never uses the rules.
struct Oracle {
  struct Shift {
    var number: Int32
    var device: Int16
    var startedAt: Instant
    /// The tracking settings chosen when it began.
    var settings: TrackingSettings
    /// The devices that tracked the shift, each with its start.
    var trackers: [(device: Int16, since: Instant)]
    /// The maximum lengths of the shift and of a break, as chosen when it began.
    var shiftMax: TimeSpan
    var breakMax: TimeSpan
    /// The state at the clock-in.
    var beginning: TruePermission?
    var begunAt: Instant
    /// The highest sequence number in force, when its report took effect, and since when it counts.
    var highest: Int64?
    var saidAt: Instant?
    var countsFrom: Instant?
    var takenOverAt: Instant?
    var breaks: [Pause] = []
    var isReminded = false
    /// When each flicker of the tracking device ended.
    var flickers: [Instant] = []
    /// When the shift was last reported as unstable.
    var unstableAt: Instant?
    /// What the open app was last told, and when the debounce that runs ends.
    var told: Set<IncidentKind> = []
    var comparedAt: Instant?
    /// The first alarm of each dimension in which the last comparison found something.
    var alarmedAt: [Dimension: Instant] = [:]
    var entries: [Entry] = []

    var isOnBreak: Bool { breaks.last.map { $0.end == nil } ?? false }

    /// Whether the device that took over has not reported what holds on it.
    var awaitsReport: Bool { takenOverAt != nil && saidAt == nil }
  }

  struct Pause {
    var start: Instant
    /// When the server received its start.
    var receivedAt: Instant
    var end: Instant?
    var isAsked = false
  }

  /// The expected outcome of a step.
  struct Outcome {
    var answer: Answer
    /// Notifications other than those about an incident.
    var announcements: [Announcement] = []
    /// The cause of a past silence.
    var explained: IncidentKind?
    /// The notification that a notified incident has ended; its kind is the worst that is left, or
    /// `nil`.
    var ending: Announcement?
    /// Whether the phone must be asked for a fix at once; `nil`: optional.
    var wantsFixNow: Bool?
  }

  var shift: Shift?
  /// The newest shift that ended at its limit, while its end is not confirmed.
  var unconfirmed: (number: Int32, start: Instant, end: Instant)?
  var shiftsBegun: Int32 = 0
  /// The stories after the last step, one for each dimension.
  private(set) var histories: [IncidentHistory] = []

  /// The dimensions that have stories.
  static let dimensions = TruePermission.dimensions + [.contact, .fix]

  /// The expected outcome of an event; updates the oracle's state.
  mutating func expect(
    _ simulated: SimulatedEvent, choice: PolicyChoice, now: Instant
  ) -> Outcome {
    var announcements: [Announcement] = []
    if let open = shift, let time = simulated.time(now: now),
      open.startedAt + open.shiftMax <= time
    {
      unconfirmed = (open.number, open.startedAt, open.startedAt + open.shiftMax)
      shift = nil
      announcements.append(Announcement(.endedAtLimit, open.number, dueAt: now))
    }
    compare(by: now)
    let before = shift?.device
    let wasBlind = histories.contains { $0.isBlind }
    var outcome = judge(simulated, choice, now)
    outcome.announcements = announcements + outcome.announcements
    replayHistories(choice, now, &outcome)
    beginDebounce(choice, now)
    outcome.wantsFixNow = wantsFixNow(
      outcome.answer, wasBlind: wasBlind && before == shift?.device)
    return outcome
  }

  /// True for the report after which the phone can be located again; false while it cannot be
  /// located, on a break or off shift.
  private func wantsFixNow(_ answer: Answer, wasBlind: Bool) -> Bool? {
    guard let shift, !shift.isOnBreak, !histories.contains(where: { $0.isBlind }) else {
      return false
    }
    return wasBlind && answer == .inForce ? true : nil
  }

  /// The worst kind that is left, for the notification of an end.
  func worstLeft(at time: Instant) -> IncidentKind? {
    var oracle = self
    oracle.compare(by: time)
    let told = oracle.shift?.told ?? []
    let left = histories.compactMap { history(on: $0, at: time).left(knowing: told) }
    return IncidentKind.worstFirst.first { left.contains($0) }
  }

  private func history(on history: IncidentHistory, at time: Instant) -> IncidentHistory {
    var history = history
    history.wait(until: time)
    return history
  }

  /// When time alone changes something next.
  func due(_ choice: PolicyChoice) -> Instant? {
    guard let shift else { return nil }
    var due = shift.startedAt + shift.shiftMax
    if !shift.isReminded { due = min(due, shift.startedAt + choice.reminderAfter) }
    if let pause = shift.breaks.last, pause.end == nil, !pause.isAsked {
      due = min(due, pause.start + shift.breakMax)
    }
    return due
  }

  /// Replays every dimension's story from the shift's beginning; adds a notification for a third
  /// flicker, and for the end of notified incidents.
  private mutating func replayHistories(
    _ choice: PolicyChoice, _ now: Instant, _ outcome: inout Outcome
  ) {
    guard let shift else {
      histories.removeAll(keepingCapacity: true)
      return
    }
    let comparedAt = comparedAt(choice, now)
    var isOver = false
    for (place, dimension) in Self.dimensions.enumerated() {
      var history = IncidentHistory(
        dimension, beginning: shift.beginning, on: shift.trackers[0].device, at: shift.begunAt)
      for entry in shift.entries { history.go(on: entry) }
      history.wait(until: now)
      guard place < histories.count else {
        histories.append(history)
        continue
      }
      // Several within one debounce are one.
      let isNew = self.shift?.flickers.last.map { $0 <= history.flickeredSince } ?? true
      if history.tally.flickers > histories[place].tally.flickers, isNew {
        self.shift?.flickers.append(now)
        if isThirdInTenMinutes(choice, now), !choice.preset.documented.isQuiet {
          self.shift?.unstableAt = now
          outcome.announcements.append(
            Announcement(.unstable, 0, kind: history.flickered, dueAt: now))
        }
      }
      if history.ends > histories[place].ends { isOver = true }
      histories[place] = history
    }
    guard isOver else { return }
    let worst = worstLeft(at: now)
    outcome.ending = Announcement(.restored, 0, kind: worst, dueAt: comparedAt)
    guard let worst else { return }
    note(.left(worst), now, choice, now)
    guard let notified = self.shift?.entries.last else { return }
    for place in histories.indices { histories[place].go(on: notified) }
  }

  /// Whether the newest flicker is the third within ten minutes, and the cooldown since the last
  /// such notification in this shift has passed.
  private func isThirdInTenMinutes(_ choice: PolicyChoice, _ now: Instant) -> Bool {
    guard let shift, shift.flickers.count > 2 else { return false }
    if let notified = shift.unstableAt, now - notified < choice.cooldown { return false }
    return now - shift.flickers[shift.flickers.count - 3] < .minutes(10)
  }

  private mutating func judge(
    _ simulated: SimulatedEvent, _ choice: PolicyChoice, _ now: Instant
  ) -> Outcome {
    switch simulated {
    case .report(let report, let truePermission, let device):
      return receive(report, truePermission, device, choice, now)
    case .clockIn(let device, let knowledge, let override):
      return Outcome(answer: begin(device, knowledge, override, choice, now))
    case .clockOut(let at): return Outcome(answer: end(at: at))
    case .breakStart(let at): return Outcome(answer: rest(at: at, choice, now))
    case .breakEnd(let at): return Outcome(answer: resume(at: at, choice, now))
    case .takeOver(let device, let at, let knowledge):
      return Outcome(answer: takeOver(device, at, knowledge, choice, now))
    case .silence(let kind, let device, let since):
      fallSilent(kind, device, since, choice, now)
      return Outcome(answer: .quiet)
    case .signOfLife(let kind, let device, _):
      if shift?.device == device { note(.heardAgain(kind.kind), now, choice, now) }
      return Outcome(answer: .quiet)
    case .startMoved(let start): return Outcome(answer: move(to: start, now))
    case .endConfirmed(let number, let at): return Outcome(answer: confirm(number, at: at))
    case .time: return pass(choice, now)
    }
  }

  /// Adds an entry to the shift's history.
  mutating func note(
    _ change: Entry.Change, _ openingAt: Instant, closingAt: Instant? = nil,
    _ choice: PolicyChoice, _ now: Instant
  ) {
    let (comparedAt, told) = (comparedAt(choice, now), shift?.told ?? [])
    let startedAt = shift?.startedAt ?? openingAt
    shift?.entries.append(
      Entry(
        change: change, openingAt: openingAt, startedAt: startedAt,
        closingAt: closingAt ?? openingAt, comparedAt: comparedAt, receivedAt: now, told: told,
        choice: choice))
  }

  /// When what holds is compared with what was told: at the end of the debounce that runs in the
  /// shift, or begins now.
  private func comparedAt(_ choice: PolicyChoice, _ now: Instant) -> Instant {
    min(shift?.comparedAt ?? now + choice.debounce, now + choice.debounce)
  }

  /// What holds for the employee: also what was accepted, once an end has named it.
  private var holding: Set<IncidentKind> {
    let accepted = histories.compactMap(\.incident).filter(\.isAccepted).map(\.kind)
    return alarming.union(accepted.filter { shift?.told.contains($0) == true })
  }

  /// What the employee is to be alarmed of.
  private var alarming: Set<IncidentKind> {
    let open = histories.compactMap(\.incident).filter { !$0.isAccepted }.map(\.kind)
    let isKnown = histories.contains { history in
      history.incident.map { $0.kind.blinds && shift?.told.contains($0.kind) == true } ?? false
    }
    return Set(open.filter { $0 != .noContact || !isKnown })
  }

  /// A debounce that is over has told what holds.
  private mutating func compare(by now: Instant) {
    guard let open = shift, let at = open.comparedAt, at <= now else { return }
    let (holding, alarming) = (holding, alarming)
    shift?.told = holding
    shift?.comparedAt = nil
    shift?.alarmedAt = [:]
    for kind in alarming {
      shift?.alarmedAt[kind.dimension] = open.alarmedAt[kind.dimension] ?? at
    }
    let isEnd = open.told.contains { told in
      !holding.contains { $0.dimension == told.dimension && $0.badness >= told.badness }
    }
    guard isEnd, let worst = worstLeft(at: at), var entry = open.entries.last else { return }
    // The end names it, which tells of it.
    let named = histories.compactMap(\.incident).first { $0.kind == worst && $0.isAccepted }
    if let named { shift?.told.insert(named.kind) }
    (entry.change, entry.receivedAt) = (.left(worst), at)
    shift?.entries.append(entry)
    for place in histories.indices { histories[place].go(on: entry) }
  }

  /// One begins when something else holds than was told, and none runs; never on a break, nor
  /// before the device that took over has said what holds.
  private mutating func beginDebounce(_ choice: PolicyChoice, _ now: Instant) {
    guard let open = shift else { return }
    if open.isOnBreak || open.awaitsReport && histories.allSatisfy({ $0.incident == nil }) {
      shift?.comparedAt = nil
    } else if open.comparedAt == nil, holding != open.told {
      shift?.comparedAt = now + choice.debounce
    }
  }

  /// The alarm from which the steps of `dimension` count.
  func firstAlarm(of dimension: Dimension, by now: Instant) -> Instant? {
    var oracle = self
    oracle.compare(by: now)
    return oracle.shift?.alarmedAt[dimension]
  }

  /// The first moment from `instant` on at which the device should track: in the shift, after the
  /// take-over, and not in the newest break if that is over. The rules remember only that break, so
  /// something that arrives two breaks late may be dated within the first.
  func trackable(from instant: Instant) -> Instant {
    guard let shift else { return instant }
    let start = max(instant, shift.startedAt, shift.takenOverAt ?? shift.startedAt)
    guard let pause = shift.breaks.last, let end = pause.end, pause.start <= start, start < end
    else { return start }
    return end
  }
}

extension SilenceKind {
  /// The kind of incident of the silence, independent of the rules.
  var kind: IncidentKind {
    switch self {
    case .noContact: .noContact
    case .noFix: .noFix
    }
  }
}

/// A notification other than those about an incident.
struct Announcement: Equatable {
  var topic: NotificationTopic
  /// The shift; 0 for an incident, whose number only the rules know.
  var subject: Int32
  var ordinal: Int16
  var kind: IncidentKind?
  var dueAt: Instant

  init(
    _ topic: NotificationTopic, _ subject: Int32, ordinal: Int16 = 1, kind: IncidentKind? = nil,
    dueAt: Instant
  ) {
    self.topic = topic
    self.subject = subject
    self.ordinal = ordinal
    self.kind = kind
    self.dueAt = dueAt
  }
}
