import GuardRules
import ShiftDomain

/// Due notifications about incidents: the channels by which each was sent, and those available.
struct SimulatedNotifications {
  /// A due notification.
  struct Item {
    var notification: ShiftNotification
    /// When the next decision about it is made.
    var nextAt: Instant
    /// The channels by which it was sent.
    var reached: Set<EscalationStep> = []
  }

  var waiting: [Item] = []
  /// The channels to the employee, and `.managers` if the team has contacts.
  var ways: Set<EscalationStep> = []
  /// Whether an app of the employee was open at the last check.
  var hadOpenApp = false
  /// When each channel other than the open app last sent an alarm of each kind.
  private(set) var lastAlarms: [IncidentKind: [EscalationStep: Instant]] = [:]
  /// The kind of each dimension that each channel told last in this shift, and has not ended.
  private(set) var heard: [EscalationStep: [Dimension: IncidentKind]] = [:]
  /// The same, as the rules know it.
  private(set) var told = Told()
  /// When the end of alarms is due; `nil`: none is, or it waits.
  var endDueAt: Instant?
  /// Whether the end of alarms waits for the end of a break, or for a channel.
  var isEndWaiting = false
  /// The worst kind of each dimension shown by an open app in this shift.
  private(set) var shown: [Dimension: IncidentKind] = [:]

  /// A shift begins.
  mutating func begin() {
    shown.removeAll(keepingCapacity: true)
    (heard, told, endDueAt, isEndWaiting) = ([:], Told(), nil, false)
  }

  /// Adds notifications that have become due.
  mutating func add(_ notifications: [ShiftNotification]) {
    waiting += notifications.map { Item(notification: $0, nextAt: $0.dueAt) }
  }

  /// The index of the first notification to decide on by `time`; `nil` if there is none.
  func next(by time: Instant) -> Int? {
    var first: Int?
    for place in waiting.indices where waiting[place].nextAt <= time {
      if let found = first, waiting[found].nextAt <= waiting[place].nextAt { continue }
      first = place
    }
    return first
  }

  /// Decides on every notification by `now`: an app was opened, or the channels have changed.
  mutating func wake(at now: Instant) {
    for place in waiting.indices { waiting[place].nextAt = min(waiting[place].nextAt, now) }
  }

  /// The channels that told the same as `kind`, or worse.
  func channels(knowing kind: IncidentKind) -> Set<EscalationStep> {
    Set(
      EscalationStep.allCases.filter { step in
        heard[step]?[kind.dimension].map { kind.badness <= $0.badness } ?? false
      })
  }

  /// The channels that told of what is over or better now.
  func channels(endingAt present: [IncidentKind]) -> Set<EscalationStep> {
    Set(
      EscalationStep.allCases.filter { step in
        (heard[step] ?? [:]).contains { dimension, kind in
          let now = present.first { $0.dimension == dimension }
          return now.map { $0.badness < kind.badness } ?? true
        }
      })
  }

  /// The end of alarms is told by `steps`, with the worst kind that is left. Of what was told, the
  /// rest stays that is `present`, or is better now.
  mutating func end(
    by steps: Set<EscalationStep>, leaving kind: IncidentKind?, present: [IncidentKind]
  ) {
    for step in steps {
      var left: [Dimension: IncidentKind] = [:]
      for (dimension, before) in heard[step] ?? [:] {
        guard let now = present.first(where: { $0.dimension == dimension }) else { continue }
        left[dimension] = now.badness < before.badness ? now : before
      }
      if let kind { left[kind.dimension] = kind }
      heard[step] = left
      told.end(leaving: kind, holding: IncidentKindSet(present), at: step)
    }
  }

  /// Records that the notification at `place`, about `kind`, was sent by `step`.
  mutating func send(
    _ place: Int, by step: EscalationStep, about kind: IncidentKind, at now: Instant
  ) {
    waiting[place].reached.insert(step)
    waiting[place].nextAt = now
    heard[step, default: [:]][kind.dimension] = kind
    told.alarm(kind, at: step)
    if step != .inApp {
      lastAlarms[kind, default: [:]][step] = now
    } else if shown[kind.dimension].map({ $0.badness < kind.badness }) ?? true {
      shown[kind.dimension] = kind
    }
  }
}
