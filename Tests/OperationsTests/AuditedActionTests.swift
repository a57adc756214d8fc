import GuardRules
import InstallationOperations
import ManagerCore
import ManagerOperations
import NotificationOperations
import OperationCore
import PeopleOperations
import Postgres
import ReadModels
import ReviewOperations
import ShiftDomain
import Testing

/// What a manager does, and the entry that it leaves.
struct AuditedAction: CustomTestStringConvertible, Sendable {
  let action: AuditAction
  var employee: Int32? = 7
  var shift: Int32?
  var span: Interval?
  var target: Int32?
  var reason: String?
  /// Whether the same again is done again, instead of changing nothing.
  var repeats = false
  var arrange: @Sendable (OperationsWorld) async throws -> Void = { _ in }
  let act: @Sendable (ManagerOperations, Principal) async throws -> Void

  var testDescription: String { action.code }
}

// R: W11
@Suite("What managers do") struct AuditedActionTests {
  private static let mira = Principal(
    actor: AuditActor(name: "Mira"), role: .administrator, account: AccountID(5))

  @Test(
    "leaves an entry with actor, account, employee, shift, target and reason", arguments: actions)
  func recorded(_ action: AuditedAction) async throws {
    try await withWorld { world in
      try await action.arrange(world)
      world.wait(.minutes(1))
      try await action.act(world.operations.manager, Self.mira)
      var filter = AuditFilter()
      filter.account = Self.mira.account
      let entries = try await world.operations.installation.auditEntries(filter, limit: 9)
      let entry = try #require(entries.first)
      let expected = AuditEntry(
        id: entry.id, action.action, at: world.now, actor: "Mira", account: Self.mira.account,
        employee: action.employee.map { EmployeeID($0) }, shift: action.shift, span: action.span,
        target: action.target, reason: action.reason)
      #expect(entries == [expected])
      // The same again, possibly because the answer was lost.
      try? await action.act(world.operations.manager, Self.mira)
      let again = try await world.operations.installation.auditEntries(filter, limit: 9)
      #expect(again.count == (action.repeats ? 2 : 1))
    }
  }

  @Test("is not done if its entry cannot be written", arguments: actions)
  func together(_ action: AuditedAction) async throws {
    try await withWorld { world in
      try await action.arrange(world)
      world.wait(.minutes(1))
      let before = try await world.contents()
      try await world.write(
        "ALTER TABLE audit_entry ADD CONSTRAINT full_log CHECK (account_id IS NULL) NOT VALID")
      await #expect(throws: (any Error).self) {
        try await action.act(world.operations.manager, Self.mira)
      }
      #expect(try await world.contents() == before)
      try await world.write("ALTER TABLE audit_entry DROP CONSTRAINT full_log")
      try await action.act(world.operations.manager, Self.mira)
      #expect(try await world.contents() != before)
    }
  }

  @Test("names no address of a contact, also if it is refused")
  func noAddress() async throws {
    try await withWorld { world in
      let manager = world.operations.manager
      _ = try await manager.notifications.addContact(
        "boss@example.org", to: TeamID(1), by: Self.mira)
      world.wait(.minutes(1))
      await #expect(throws: OperationError.self) {
        try await manager.notifications.removeContact(
          "other@example.org", from: TeamID(1), by: Self.mira)
      }
      try await manager.notifications.removeContact(
        "boss@example.org", from: TeamID(1), by: Self.mira)
      let entries = try await manager.installation.auditEntries(AuditFilter(), limit: 9)
      #expect(entries.map(\.action) == [.contactRemoved, .contactAdded])
      #expect(entries.map(\.reason) == ["contact 1, by email", "contact 1, by email"])
    }
  }

  @Test("that only tries an import, or imports what is planned already, leaves none")
  func trials() async throws {
    try await withWorld { world in
      let manager = world.operations.manager
      for (isTrial, count) in [(true, 0), (false, 1), (false, 1)] {
        _ = try await manager.people.importPlannedShifts(rota, isTrial: isTrial, by: Self.mira)
        #expect(try await manager.installation.auditEntries(AuditFilter(), limit: 9).count == count)
      }
    }
  }

  @Test("to accept a clock action by a correction leaves both entries")
  func correctedReview() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.hours(1))
      let now = world.now
      _ = try await phone.clockOut("out") { $0.happened(at: morning - .hours(1), sentAt: now) }
      let waiting = try await world.operations.reviews.clockActions(
        of: nil, awaitingOnly: true, limit: 9)
      let clockAction = try #require(waiting.first)
      _ = try await world.operations.reviews.correct(
        ShiftID(employee: EmployeeID(7), number: 1),
        CorrectionRequest(
          endedAt: world.now, reason: "clock was wrong", clockAction: clockAction.number),
        by: Self.mira
      ).get()
      let entries = try await world.operations.installation.auditEntries(AuditFilter(), limit: 9)
      try #require(Set(entries.map(\.action)) == [.shiftCorrected, .clockActionAccepted])
      try #require(entries.count == 2)
      #expect(entries.first { $0.action == .shiftCorrected }?.target == 1)
      #expect(
        entries.first { $0.action == .clockActionAccepted }?.target == clockAction.number)
      #expect(entries.allSatisfy { $0.shift == 1 && $0.reason == "clock was wrong" })
    }
  }

  @Test("every entry about an erased employee is erased")
  func erased() async throws {
    try await withWorld { world in
      for action in actions
      where action.action == .overrideGiven || action.action == .plannedShiftAdded {
        try await action.act(world.operations.manager, Self.mira)
      }
      _ = try await world.operations.people.erase(EmployeeID(7), endsShift: false, by: Self.mira)
      let entries = try await world.operations.installation.auditEntries(AuditFilter(), limit: 9)
      #expect(entries.map(\.action) == [.employeeErased])
    }
  }
}

extension OperationsWorld {
  /// A digest of all rows that these actions can change.
  fileprivate func contents() async throws -> String {
    let tables = [
      "guard_override", "shift", "shift_correction", "clock_action", "planned_shift", "absence",
      "team_contact", "site", "notification", "notification_history", "audit_entry",
      "quarantined_message",
    ]
    var digests: [String] = []
    for table in tables {
      digests.append(
        try await pool.value(
          SQL(
            unescaped:
              "SELECT coalesce(md5(string_agg(t::text, ' ' ORDER BY t::text)), '') FROM \(table) t")
        ))
    }
    return digests.joined(separator: " ")
  }
}
