import ShiftDomain
import ShiftOperations

// The taps besides clock-in and clock-out.

extension Phone {
  func startBreak(_ id: String, _ edit: (inout ClockAction) -> Void = { _ in }) async throws
    -> ClockActionOutcome
  {
    try await world.operations.startBreak(
      clockAction(id, edit), from: credential, receipt: world.receipt
    ).0
  }

  func endBreak(_ id: String, _ edit: (inout ClockAction) -> Void = { _ in }) async throws
    -> ClockActionOutcome
  {
    try await world.operations.endBreak(
      clockAction(id, edit), from: credential, receipt: world.receipt
    ).0
  }

  func takeOver(_ id: String, _ edit: (inout ClockAction) -> Void = { _ in }) async throws
    -> ClockActionOutcome
  {
    try await world.operations.takeOver(
      clockAction(id, edit), from: credential, receipt: world.receipt
    ).0
  }

  /// Clocks in with always and answers the shift.
  @discardableResult
  func beginShift(_ id: String = "in") async throws -> ShiftID {
    try await report(.always)
    guard case .clockedIn(let shift, _) = try await clockIn(id) else {
      throw Unexpected("refused with always")
    }
    return shift
  }

  var present: Snapshot {
    get async throws { try await world.operations.snapshot(for: credential) }
  }

  private func clockAction(_ id: String, _ edit: (inout ClockAction) -> Void) -> ClockAction {
    var clockAction = ClockAction(actionID: id, bodyHash: Array(repeating: 1, count: 32))
    edit(&clockAction)
    return clockAction
  }
}

extension ClockAction {
  /// The tap as made at `instant`, offline, and sent now.
  mutating func happened(at instant: Instant, sentAt: Instant) {
    occurredAt = instant
    self.sentAt = sentAt
  }
}
