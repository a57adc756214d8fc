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

    /// Whether it was sent by a channel other than the open app.
    var hasLeft: Bool { reached.contains { $0 != .inApp } }
  }

  var waiting: [Item] = []
  /// The channels to the employee, and `.managers` if the team has contacts.
  var ways: Set<EscalationStep> = []
  /// Whether an app of the employee was open at the last check.
  var hadOpenApp = false
  /// The last notification of each dimension sent by a channel other than the open app.
  private(set) var lastOutside: [Dimension: EarlierDelivery] = [:]
  /// The worst kind of each dimension shown by an open app in this shift.
  private(set) var shown: [Dimension: IncidentKind] = [:]

  /// A shift begins.
  mutating func begin() { shown.removeAll(keepingCapacity: true) }

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

  /// Records that the notification at `place`, about `kind`, was sent by `step`.
  mutating func send(
    _ place: Int, by step: EscalationStep, about kind: IncidentKind, at now: Instant
  ) {
    waiting[place].reached.insert(step)
    waiting[place].nextAt = now
    if step != .inApp {
      lastOutside[kind.dimension] = EarlierDelivery(kind: kind, at: now)
    } else if shown[kind.dimension].map({ $0.badness < kind.badness }) ?? true {
      shown[kind.dimension] = kind
    }
  }
}
