import ShiftDomain
import ShiftOperations

// The taps besides clock-in and clock-out.

extension Phone {
  func startBreak(_ id: String, _ edit: (inout Tap) -> Void = { _ in }) async throws -> WorkOutcome
  {
    try await company.operations.startBreak(
      tap(id, edit), from: credential, receipt: company.receipt
    ).0
  }

  func endBreak(_ id: String, _ edit: (inout Tap) -> Void = { _ in }) async throws -> WorkOutcome {
    try await company.operations.endBreak(
      tap(id, edit), from: credential, receipt: company.receipt
    ).0
  }

  func takeOver(_ id: String, _ edit: (inout Tap) -> Void = { _ in }) async throws -> WorkOutcome {
    try await company.operations.takeOver(
      tap(id, edit), from: credential, receipt: company.receipt
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
    get async throws { try await company.operations.snapshot(for: credential) }
  }

  private func tap(_ id: String, _ edit: (inout Tap) -> Void) -> Tap {
    var tap = Tap(attemptID: id, bodyHash: Array(repeating: 1, count: 32))
    edit(&tap)
    return tap
  }
}

extension Tap {
  /// The tap as made at `instant`, offline, and sent now.
  mutating func happened(at instant: Instant, sentAt: Instant) {
    occurredAt = instant
    self.sentAt = sentAt
  }
}
