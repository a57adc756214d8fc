import DeviceOperations
import GuardRules
import OperationCore
import PolicyOperations
import Postgres
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("The employee's own override") struct OwnOverrideTests {
  // R: W3
  @Test("opens the shift where the policy leaves it to them, and says who and why")
  func opens() async throws {
    try await withWorld { world in
      try await allow(world)
      let phone = try await Phone.enrolled(in: world)
      try await phone.report(.denied)
      guard case .blocked = try await phone.clockIn("plain") else {
        throw Unexpected("clocked in without permission or reason")
      }
      let (outcome, present) = try await phone.clockInWithReason("in")
      guard case .clockedIn(let shift, let decision) = outcome else {
        throw Unexpected("\(outcome)")
      }
      #expect(decision.verdict == .warn && decision.overridden.ranked == [.denied])
      let expected = OverrideRow(
        employee: EmployeeID(7), number: 1, findings: FindingSet(.denied), author: .employee,
        givenBy: "Ada", reason: "my phone is broken", createdAt: world.now,
        expiresAt: world.now, usedShift: 1, overridden: FindingSet(.denied))
      #expect(present.override == expected)
      #expect(try await phone.present.override == expected)
      #expect(present.incidents.map(\.kind) == [.denied], "coverage still shows the true cause")
      let (again, told) = try await phone.clockInWithReason("in")
      #expect(again == outcome && told.override == expected, "a repeat")
      #expect(
        try await world.count(
          """
          SELECT count(*) FROM guard_override
          WHERE used_shift = 1 AND override_no = 1 AND author = 1
          """
        )
          == 1)
      world.wait(.minutes(1))
      #expect(try await phone.clockOut("out") == .done(shift))
      #expect(try await phone.present.override == nil)
      world.wait(.minutes(1))
      _ = try await phone.clockInWithReason("next")
      #expect(try await world.count("SELECT max(override_no)::bigint FROM guard_override") == 2)
    }
  }

  // R: W3
  @Test("is nothing where the policy does not allow it, and is not kept where it is not needed")
  func limits() async throws {
    try await withPhone { world, phone in
      try await phone.report(.denied)
      guard case .blocked = try await phone.clockInWithReason("in").0 else {
        throw Unexpected("the policy said no")
      }
      try await allow(world)
      try await phone.report(.whenInUse)
      let (outcome, present) = try await phone.clockInWithReason("needless")
      guard case .clockedIn(_, let decision) = outcome else { throw Unexpected("\(outcome)") }
      #expect(decision.overridden.isEmpty && present.override == nil)
      #expect(try await world.count("SELECT count(*) FROM guard_override") == 0)
    }
  }

  private func allow(_ world: OperationsWorld) async throws {
    _ = try await world.operations.policies.setPolicy(
      of: TeamID(1), PolicyChanges(selfOverride: .withReason))
  }
}

extension Phone {
  fileprivate func clockInWithReason(_ id: String) async throws -> (ClockInOutcome, Snapshot) {
    try await operations.device.clockIn(
      ClockAction(id) { $0.overrideReason = "my phone is broken" }, from: credential,
      receipt: receipt)
  }
}
