import Lifecycle
import ShiftDomain
public import ShiftStore

/// Pings that this instance has stored and nobody has folded yet: by shift and device, between
/// which keys they lie. A few dozen bytes for each open shift, whatever it sends.
///
/// It may be lost with the process: an open shift is then folded from all its pings when an
/// instance starts, and again each hour; one that has ended says so itself in `shift_signs`.
public final class UnfoldedPings: Sendable {
  private struct Key: Hashable {
    var shift: ShiftID
    var device: Int16
  }

  private struct Book {
    var spans: [Key: ClosedRange<Instant>] = [:]
    var shifts: Set<ShiftID> = []
  }

  private let book = Lock(Book())

  /// None.
  public init() {}

  /// Notes what was committed.
  public func note(_ span: PingSpan) {
    let key = Key(shift: span.shift, device: span.device)
    book.withLock { book in
      let known = book.spans[key] ?? span.recorded
      book.spans[key] =
        min(
          known.lowerBound, span.recorded.lowerBound)...max(
          known.upperBound, span.recorded.upperBound)
    }
  }

  /// Notes that what is folded of `shift` is missing, or fits no longer.
  func note(_ shift: ShiftID) { book.withLock { _ = $0.shifts.insert(shift) } }

  /// Takes everything; what could not be folded is to be noted again.
  func take() -> (spans: [PingSpan], shifts: Set<ShiftID>) {
    let book = self.book.withLock { book in
      defer { book = Book() }
      return book
    }
    return (
      book.spans.map { PingSpan(shift: $0.shift, device: $0.device, recorded: $1) }, book.shifts
    )
  }
}
