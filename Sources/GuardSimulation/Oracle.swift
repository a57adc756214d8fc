import GuardRules
import ShiftDomain

/// Knows what is true of the phones and what has reached the server, and from that alone what the
/// rules must answer, what must be open and who must have been told. It never asks the rules.
struct Oracle {
  struct Shift {
    var number: Int32
    var device: Int16
    var startedAt: Instant
    /// How long it may last: what was chosen when it began.
    var shiftMax: TimeSpan
    /// What the shift began with.
    var beginning: Sight?
    var begunAt: Instant
    /// The highest number in force, and since when it is.
    var highest: Int64?
    var saidAt: Instant?
    var takenOverAt: Instant?
    var breaks: [Pause] = []
    var isReminded = false
    /// When each flicker of the tracking device ended.
    var flickers: [Instant] = []
    /// When flickers were told last.
    var unstableAt: Instant?
    var entries: [Entry] = []
  }

  struct Pause {
    var start: Instant
    var end: Instant?
    var isAsked = false
  }

  /// What must come of a step.
  struct Outcome {
    var answer: Answer
    /// Messages besides those about an interruption.
    var announcements: [Announcement] = []
    /// What a past silence was.
    var explained: IncidentKind?
  }

  var shift: Shift?
  /// The newest shift that ended at its limit, while its end is not confirmed.
  var unconfirmed: (number: Int32, start: Instant, end: Instant)?
  var shiftsBegun: Int32 = 0
  /// The stories as of the last step, one for each dimension.
  private(set) var stories: [Story] = []

  /// Those of which there are stories.
  static let dimensions = Sight.dimensions + [.contact, .fix]

  /// What must come of `happening`; takes in what is then known.
  mutating func expect(
    _ happening: Happening, choice: PolicyChoice, now: Instant
  ) -> Outcome {
    var announcements: [Announcement] = []
    if let open = shift, let time = happening.time(now: now),
      open.startedAt + open.shiftMax <= time
    {
      unconfirmed = (open.number, open.startedAt, open.startedAt + open.shiftMax)
      shift = nil
      announcements.append(Announcement(.endedAtLimit, open.number, dueAt: now))
    }
    var outcome = judge(happening, choice, now)
    outcome.announcements = announcements + outcome.announcements
    outcome.announcements += tellAnew(choice, now)
    return outcome
  }

  /// When time alone must change something next.
  func due(_ choice: PolicyChoice) -> Instant? {
    guard let shift else { return nil }
    var due = shift.startedAt + shift.shiftMax
    if !shift.isReminded { due = min(due, shift.startedAt + choice.reminderAfter) }
    if let pause = shift.breaks.last, pause.end == nil, !pause.isAsked {
      due = min(due, pause.start + choice.breakMax)
    }
    return due
  }

  /// Tells every dimension's story from the shift's beginning; a third flicker on the way is news.
  private mutating func tellAnew(_ choice: PolicyChoice, _ now: Instant) -> [Announcement] {
    guard let shift else {
      stories.removeAll(keepingCapacity: true)
      return []
    }
    var news: [Announcement] = []
    var isOver = false
    for (place, dimension) in Self.dimensions.enumerated() {
      var story = Story(dimension, beginning: shift.beginning, at: shift.begunAt)
      for entry in shift.entries { story.go(on: entry) }
      story.wait(until: now)
      guard place < stories.count else {
        stories.append(story)
        continue
      }
      if story.tally.flickers > stories[place].tally.flickers {
        self.shift?.flickers.append(now)
        if isThirdFlicker(choice, now), choice.preset != .advisory {
          self.shift?.unstableAt = now
          news.append(Announcement(.unstable, 0, kind: story.flickered, dueAt: now))
        }
      }
      if story.ends > stories[place].ends { isOver = true }
      stories[place] = story
    }
    // Those who were alarmed hear once that it is over, or else what is left.
    if isOver {
      let left = stories.compactMap(\.left)
      let worst = IncidentKind.worstFirst.first { left.contains($0) }
      news.append(Announcement(.restored, 0, kind: worst, dueAt: now))
    }
    return news
  }

  /// Whether the newest flicker is the third within ten minutes, and nobody was told of such in
  /// this shift within the cooldown.
  private func isThirdFlicker(_ choice: PolicyChoice, _ now: Instant) -> Bool {
    let times = shift?.flickers.map { $0.milliseconds } ?? []
    guard times.count > 2, times[times.count - 1] - times[times.count - 3] < 600_000 else {
      return false
    }
    return shift?.unstableAt.map { now - $0 >= choice.cooldown } ?? true
  }

  private mutating func judge(
    _ happening: Happening, _ choice: PolicyChoice, _ now: Instant
  ) -> Outcome {
    switch happening {
    case .report(let report, let sight, let device):
      return hear(report, sight, device, choice, now)
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
      if shift?.device == device { note(.heard(kind.kind), now, choice, now) }
      return Outcome(answer: .quiet)
    case .startMoved(let start): return Outcome(answer: move(to: start, now))
    case .endConfirmed(let number, let at): return Outcome(answer: confirm(number, at: at))
    case .time: return pass(choice, now)
    }
  }

  /// Adds to the shift's history.
  mutating func note(
    _ what: Entry.What, _ openingAt: Instant, _ choice: PolicyChoice, _ now: Instant
  ) {
    shift?.entries.append(
      Entry(what: what, openingAt: openingAt, receivedAt: now, choice: choice))
  }

  /// The first moment from `instant` on at which the tracking device was to track: in the shift,
  /// after it took over, and not in the newest break if that is over. The rules remember no other,
  /// so what comes two breaks late may be dated within the first.
  func trackable(from instant: Instant) -> Instant {
    guard let shift else { return instant }
    let start = max(instant, shift.startedAt, shift.takenOverAt ?? shift.startedAt)
    guard let pause = shift.breaks.last, let end = pause.end, pause.start <= start, start < end
    else { return start }
    return end
  }
}

extension SilenceKind {
  /// The incident it is, in the oracle's own words.
  var kind: IncidentKind {
    switch self {
    case .noContact: .noContact
    case .noFix: .noFix
    }
  }
}

/// A message besides those about an interruption.
struct Announcement: Equatable {
  var topic: NoticeTopic
  /// The shift; 0 where it is an incident, whose number only the rules know.
  var subject: Int32
  var ordinal: Int16
  var kind: IncidentKind?
  var dueAt: Instant

  init(
    _ topic: NoticeTopic, _ subject: Int32, ordinal: Int16 = 1, kind: IncidentKind? = nil,
    dueAt: Instant
  ) {
    self.topic = topic
    self.subject = subject
    self.ordinal = ordinal
    self.kind = kind
    self.dueAt = dueAt
  }
}
