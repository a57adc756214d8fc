import GuardRules
import ManagerOperations
import PolicyOperations
import ReadModels
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

@Suite("A planned policy, through guardd") struct PlannedPolicyTests {
  private static let team = TeamID(1)

  /// Plans another policy for `span` from now, or later if that passes meanwhile.
  private func plan(_ span: TimeSpan, _ milliseconds: Int64, _ manager: ManagerOperations)
    async throws -> PlannedPolicy
  {
    var span = span
    while true {
      let outcome = try await manager.policies.planPolicy(
        of: Self.team, PolicyChanges(spans: [.debounce: .milliseconds(milliseconds)]),
        validFrom: wallClock() + span, by: .arranger)
      guard outcome == .inThePast else { return try outcome.get().row }
      span = span + span
    }
  }

  // R: A9
  @Test("comes into force by itself, and before the first request if guardd was down at its time")
  func comes() async throws {
    try await withTestDatabase { database in
      var last = Instant(milliseconds: 0)
      try await Service.run(on: database.configuration) { service in
        _ = try await service.addTeam(of: 1)
        let manager = service.operations.manager
        let planned = try await plan(.seconds(1), 1_000, manager)
        try await until {
          try await manager.policies.policy(of: Self.team, version: nil).version == 2
        }
        let row = try await manager.policies.policy(of: Self.team, version: nil)
        #expect(row.policy == planned.policy && row.validFrom == planned.validFrom)
        #expect(row.createdAt >= planned.validFrom)
        #expect(row.createdAt - planned.validFrom < .seconds(600))
        // Seldom seen by this service: it stops before, and looks every two seconds.
        last = try await plan(.milliseconds(200), 3_000, manager).validFrom
      }
      try await until { wallClock() > last }
      try await Service.run(on: database.configuration) { service in
        let row = try await service.operations.policies.policy(of: Self.team, version: nil)
        #expect(row.version == 3 && row.policy.debounce == .seconds(3))
      }
    }
  }
}
