import Lifecycle
import ShiftDomain
import ShiftStore

/// Pings that this instance has stored but not rolled up yet: by shift and device, the range of
/// their keys. A few dozen bytes for each open shift, whatever it sends.
///
/// It may be lost with the process: an open shift is then rolled up from all its pings when an
/// instance starts, and again each hour; an ended shift is marked in `coverage_rollup`.
package final class DirtyShifts: Sendable {
  private struct Key: Hashable {
    var shift: ShiftID
    var device: Int16
  }

  private struct State {
    var spans: [Key: ClosedRange<Instant>] = [:]
    var shifts: Set<ShiftID> = []
    var changed: [ShiftID: Instant] = [:]
  }

  private let state = Lock(State())

  package init() {}

  package func note(_ span: PingSpan) {
    let key = Key(shift: span.shift, device: span.device)
    state.withLock { state in
      state.spans[key] = state.spans[key]?.union(span.recorded) ?? span.recorded
    }
  }

  /// Adds a shift whose rollup is missing or outdated.
  package func note(_ shift: ShiftID) { state.withLock { _ = $0.shifts.insert(shift) } }

  /// Adds a shift whose past has changed by what was received until `instant`, so that its silences
  /// are to be recorded again once all contacts until then are known.
  package func note(changed shift: ShiftID, at instant: Instant) {
    state.withLock { $0.changed[shift] = max($0.changed[shift] ?? instant, instant) }
  }

  /// Whether there is such a shift.
  package var hasChanged: Bool { state.withLock { !$0.changed.isEmpty } }

  /// Takes those whose contacts are known until `instant`.
  package func takeChanged(until instant: Instant) -> [ShiftID: Instant] {
    state.withLock { state in
      let taken = state.changed.filter { $0.value <= instant }
      for shift in taken.keys { state.changed[shift] = nil }
      return taken
    }
  }

  /// Takes everything else; what could not be rolled up must be added again.
  package func take() -> (spans: [PingSpan], shifts: Set<ShiftID>) {
    let state = self.state.withLock { state in
      defer { (state.spans, state.shifts) = ([:], []) }
      return state
    }
    return (
      state.spans.map { PingSpan(shift: $0.shift, device: $0.device, recorded: $1) }, state.shifts
    )
  }
}
