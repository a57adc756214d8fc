public import ShiftDomain

/// When the next position is due, and when a sign of life instead. Pure. A clock that was set back
/// puts nothing off.
public struct TrackingPace: Hashable, Sendable {
  /// What is due.
  public enum Due: Hashable, Sendable {
    case fix
    case nothing(for: TimeSpan)
  }

  private var asked: Instant?
  private var contact: Instant?

  public init() {}

  /// A position was asked for.
  public mutating func ask(at now: Instant) { asked = now }

  /// A position or a sign of life was stored.
  public mutating func record(at now: Instant) { contact = now }

  /// What is due at `now`.
  public func due(at now: Instant, under order: TrackingOrder) -> Due {
    let left = asked.flatMap { remaining(of: order.pingInterval, since: $0, at: now) }
    return left.map { .nothing(for: $0) } ?? .fix
  }

  /// Whether a phone that has no position must say that it is alive.
  public func needsSignOfLife(at now: Instant, under order: TrackingOrder) -> Bool {
    // A moment early, because the next question comes a whole interval later.
    let span = order.heartbeat - .seconds(1)
    return contact.flatMap { remaining(of: span, since: $0, at: now) } == nil
  }

  /// `nil` when `span` is over.
  private func remaining(of span: TimeSpan, since start: Instant, at now: Instant) -> TimeSpan? {
    guard now >= start, now - start < span else { return nil }
    return span - (now - start)
  }
}
