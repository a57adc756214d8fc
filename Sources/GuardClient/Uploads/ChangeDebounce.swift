public import ShiftDomain

/// Collects the reports of quick changes, so that they are sent as one list, whose last entry
/// counts: nobody is notified of a denial that was taken back at once. The time runs from the first
/// change and is never restarted. Every report is on disk before, so nothing is lost in between.
public struct ChangeDebounce: Hashable, Sendable {
  /// 0…3 s.
  public let span: TimeSpan
  /// When the collected reports are sent; `nil` if there are none.
  public private(set) var due: Instant?

  public init(span: TimeSpan = .seconds(1)) {
    self.span = min(max(span, .zero), .seconds(3))
  }

  /// Notes a change and returns when to send it.
  public mutating func change(at now: Instant) -> Instant {
    // A clock that was set back must not hold reports back for longer than a change may wait.
    if let due, due - now <= span { return max(due, now) }
    let due = now + span
    self.due = due
    return due
  }

  /// Whether something may be sent now; what was collected then goes with it.
  public mutating func isOver(at now: Instant) -> Bool {
    guard let due else { return true }
    guard now >= due || due - now > span else { return false }
    self.due = nil
    return true
  }
}
