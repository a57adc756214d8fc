import DeviceOperations
import ManagerCore
import OperationCore
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("Undoing a dismissal") struct DismissalUndoTests {
  private func dismiss(_ number: Int32, _ world: OperationsWorld) async throws {
    _ = try await world.operations.reviews.dismiss(
      clockAction: number, of: EmployeeID(7), reason: "at home", by: actor
    ).get()
  }

  private func undo(_ number: Int32, _ world: OperationsWorld) async throws -> DismissalUndoOutcome
  {
    try await world.operations.reviews.undoDismissal(
      ofClockAction: number, of: EmployeeID(7), by: Principal(actor: actor, role: .administrator))
  }

  // R: W3
  @Test("leaves a clock-in that waits and is accepted, also when its report is gone")
  func waitsAgain() async throws {
    try await withPhone { world, phone in
      let number = try await phone.refused("one")
      world.wait(.minutes(5))
      try await dismiss(number, world)
      try await phone.report(.always)
      #expect(try await world.count("SELECT count(*) FROM permission_report") == 1)
      guard case .undone(let row) = try await undo(number, world) else {
        throw Unexpected("not undone")
      }
      #expect(row.review == nil && row.awaitsManager && row.claimed != nil)
      #expect(try await undo(number, world) == .undone(row))
      let waiting = try await world.operations.reviews.clockActions(
        of: nil, awaitingOnly: true, limit: 10)
      #expect(waiting == [row])
      #expect(try await world.accepted(number) == 1)
      guard case .alreadyReviewed = try await undo(number, world) else {
        throw Unexpected("an acceptance was taken back")
      }
      #expect(try await world.count("SELECT count(*) FROM shift") == 1)
    }
  }

  @Test("is refused after seven days, and for an unknown clock action")
  func refusals() async throws {
    try await withWorld { world in
      let number = try await Phone.enrolled(in: world).refused("one")
      try await dismiss(number, world)
      world.wait(.hours(7 * 24))
      #expect(try await undo(number, world) == .tooLate)
      await #expect(throws: OperationError.self) { _ = try await undo(99, world) }
    }
  }
}
