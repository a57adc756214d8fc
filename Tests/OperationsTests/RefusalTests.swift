import DeviceOperations
import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore
import ShiftTestKit
import Testing

@testable import ManagerCore
@testable import ManagerOperations
@testable import NotificationOperations
@testable import PeopleOperations
@testable import ReviewOperations

@Suite("A refusal") struct RefusalTests {
  private typealias DemoStep = (
    name: String, act: @Sendable (OperationsWorld) async throws -> any RefusableAnswer
  )

  /// What managers ask for that the arrangement below makes impossible.
  private static let refused: [DemoStep] = [
    ("a reminder of nothing", { try await $0.manager.notifications.remind(ada, by: $0.principal) }),
    (
      "a planned shift over another",
      {
        try await $0.manager.people.planShift(
          ada, Interval(from: $0.now + .hours(5), to: $0.now + .hours(9)), by: $0.principal)
      }
    ),
    ("deactivating on shift", { try await $0.manager.people.deactivate(ada, by: $0.principal) }),
    (
      "erasing on shift",
      { try await $0.manager.people.erase(ada, endsShift: false, by: $0.principal) }
    ),
    (
      "moving on shift",
      {
        try await $0.manager.people.changeEmployee(ada, by: $0.principal) { $0.team = TeamID(2) }
      }
    ),
    (
      "reopening what is not approved",
      {
        try await $0.manager.reviews.reopen(
          ShiftID(employee: ada, number: 1), reason: "r", by: $0.principal)
      }
    ),
    (
      "a review of what needs none",
      {
        try await $0.manager.reviews.dismiss(clockAction: 1, of: ada, reason: nil, by: $0.principal)
      }
    ),
    (
      "a number that is taken",
      {
        try await $0.manager.people.addEmployee(
          ada, EmployeeDetails(name: "B", team: TeamID(1)),
          by: $0.principal)
      }
    ),
  ]

  private static let ada = EmployeeID(7)

  @Test("writes nothing: no version changes, and nobody has to read again")
  func nothingWritten() async throws {
    try await withPhone { world, phone in
      _ = try await world.manager.people.addTeam(name: "South", timeZone: "UTC")
      _ = try await phone.clockIn("a") {
        $0.report = IncomingReport(.state(.init(authorization: .always, services: .on)))
      }
      _ = try await world.manager.people.planShift(
        Self.ada, Interval(from: world.now + .hours(4), to: world.now + .hours(8)),
        by: world.principal)
      for step in Self.refused {
        let before = try await rows(of: world)
        let answer = try await step.act(world)
        #expect(throws: Refusal.self, "\(step.name)") { try answer.check() }
        #expect(try await rows(of: world) == before, "\(step.name)")
      }
    }
  }

  private func rows(of world: OperationsWorld) async throws -> [String: Int64] {
    var rows = try await world.pool.rows(of: Self.ada.rawValue)
    rows["version"] = try await world.count("SELECT sum(version)::bigint FROM guard_state")
    return rows
  }

  private enum Outcome: RefusableAnswer {
    case granted, refused

    func get() throws(Refusal) { if self == .refused { throw .nothingToReview } }
  }

  @Test("takes back what its transaction wrote before")
  func rolledBack() async throws {
    try await withWorld { world in
      let before = try await world.count("SELECT version FROM guard_state")
      for (outcome, added) in [(Outcome.refused, 0), (.granted, 1)] as [(Outcome, Int64)] {
        let answer: Outcome = try await world.manager.core.transact {
          (session) throws(PostgresError) in
          #expect(try bumpVersion(of: Self.ada, on: &session))
          return .done(outcome)
        }
        #expect(answer == outcome)
        #expect(try await world.count("SELECT version FROM guard_state") == before + added)
      }
    }
  }
}

extension OperationsWorld {
  fileprivate var manager: ManagerOperations { operations.manager }
}

extension RefusableAnswer {
  fileprivate func check() throws(Refusal) { _ = try get() }
}
