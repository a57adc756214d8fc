import DeviceOperations
import GuardRules
import InsightOperations
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import Testing

/// Who lets Ada begin in these tests.
let actor = AuditActor(name: "Mira")

extension OperationsWorld {
  /// Gives employee 7 an override; fails when none comes of it.
  @discardableResult
  func override(_ findings: Finding..., reason: String = "phone in repair", of employee: Int32 = 7)
    async throws -> OverrideRow
  {
    let set = findings.reduce(into: FindingSet()) { $0.insert($1) }
    let outcome = try await operations.reviews.giveOverride(
      to: EmployeeID(employee), set, reason: reason, by: actor)
    switch outcome {
    case .given(let row), .unchanged(let row): return row
    case .selfOverrideForbidden, .changedMeanwhile:
      throw Unexpected("Mira is no employee, and read nothing")
    }
  }

  func overrides() async throws -> [OverrideRow] {
    try await operations.reviews.overrides(of: EmployeeID(7), limit: 10)
  }
}

@Suite("A manager's override") struct OverrideTests {
  // R: W3
  @Test("lets one clock-in begin, is used up, and leaves the cause standing")
  func serves() async throws {
    try await withPhone { world, phone in
      try await phone.report(.denied)
      guard case .blocked = try await phone.clockIn("one") else { throw Unexpected("let in") }
      let given = try await world.override(.denied, .servicesOff)
      #expect(given.number == 1 && given.expiresAt == world.now + .hours(12))
      guard case .clockedIn(let shift, let decision) = try await phone.clockIn("two") else {
        throw Unexpected("refused in spite of the override")
      }
      #expect(decision.verdict == .warn && decision.overridden.ranked == [.denied])
      let used = try await world.overrides()
      #expect(used.map(\.usedShift) == [shift.number])
      #expect(used.map(\.overridden) == [FindingSet(.denied)], "of what it excuses")
      #expect(try await world.count("SELECT override_no::bigint FROM shift") == 1)
      world.wait(.minutes(10))
      let coverage = try await world.operations.insight.coverage(of: shift)
      #expect(coverage.segments.map(\.reason) == [.denied])
      let incidents = try await world.operations.insight.incidents(
        of: EmployeeID(7), openOnly: true, limit: 10)
      #expect(incidents.map(\.origin) == [.atClockIn])
      _ = try await phone.clockOut("out")
      try await phone.report(.denied)
      guard case .blocked = try await phone.clockIn("three") else { throw Unexpected("used twice") }
    }
  }

  // R: W3
  @Test("of a finding that is not there changes nothing and stays unused")
  func notThere() async throws {
    try await withPhone { world, phone in
      try await world.override(.servicesOff)
      try await phone.report(.denied)
      guard case .blocked(let decision) = try await phone.clockIn("one") else {
        throw Unexpected("an override of another finding let in")
      }
      #expect(decision.blocking.ranked == [.denied] && decision.overridden.isEmpty)
      try await phone.report(.always)
      guard case .clockedIn(let shift, let allowed) = try await phone.clockIn("two") else {
        throw Unexpected("refused with always")
      }
      #expect(allowed.overridden.isEmpty)
      #expect(try await world.overrides().map(\.usedShift) == [nil])
      #expect(try await world.count("SELECT count(override_no) FROM shift") == 0)
      #expect(shift.number == 1)
    }
  }

  // R: W3
  @Test("serves until the last moment of twelve hours, and not a moment more")
  func expires() async throws {
    for (age, isServed) in [
      (TimeSpan.hours(12) - .milliseconds(1), true), (.hours(12), false), (.hours(20), false),
    ] {
      try await withPhone { world, phone in
        try await world.override(.denied)
        world.wait(age)
        try await phone.report(.denied)
        let outcome = try await phone.clockIn("in")
        if case .clockedIn = outcome {
          #expect(isServed)
        } else {
          #expect(!isServed, "\(outcome)")
        }
      }
    }
  }

  // R: W3
  @Test("serves no clock-in once withdrawn, and is not withdrawn once used")
  func withdraws() async throws {
    try await withWorld { world in
      let operations = world.operations
      let phone = try await Phone.enrolled(in: world)
      try await phone.report(.denied)
      let given = try await world.override(.denied)
      let outcome = try await operations.reviews.withdrawOverride(given.number, of: EmployeeID(7))
      guard case .withdrawn(let row) = outcome else { throw Unexpected("\(outcome)") }
      #expect(row.withdrawnAt == world.now)
      world.wait(.seconds(1))
      // Again is no fault, and changes nothing.
      #expect(try await operations.reviews.withdrawOverride(1, of: EmployeeID(7)) == outcome)
      guard case .blocked = try await phone.clockIn("one") else { throw Unexpected("let in") }
      try await world.override(.denied)
      guard case .clockedIn = try await phone.clockIn("two") else { throw Unexpected("refused") }
      guard case .used = try await operations.reviews.withdrawOverride(2, of: EmployeeID(7)) else {
        throw Unexpected("a used override was withdrawn")
      }
      await #expect(throws: OperationError.notFound("override 3 of employee 7")) {
        _ = try await operations.reviews.withdrawOverride(3, of: EmployeeID(7))
      }
      await #expect(throws: OperationError.notFound("employee 9")) {
        _ = try await operations.reviews.withdrawOverride(1, of: EmployeeID(9))
      }
    }
  }

  @Test("the newest that serves counts, and the same again makes no other")
  func newest() async throws {
    try await withPhone { world, phone in
      try await phone.report(.denied)
      try await world.override(.servicesOff)
      #expect(try await world.override(.denied).number == 2)
      #expect(try await world.override(.denied).number == 2)
      #expect(try await world.overrides().map(\.number) == [2, 1])
      guard case .clockedIn = try await phone.clockIn("in") else { throw Unexpected("refused") }
      #expect(try await world.overrides().map(\.usedShift) == [1, nil])
    }
  }

  @Test("crossed by two phones' clock-ins begins one shift")
  func crossed() async throws {
    try await withWorld { world in
      var phones: [Phone] = []
      for _ in 0..<3 {
        let phone = try await Phone.enrolled(in: world)
        try await phone.report(.denied)
        phones.append(phone)
      }
      try await world.override(.denied)
      let begun = try await withThrowingTaskGroup(of: Int.self) { [phones] group in
        for phone in phones {
          group.addTask {
            guard case .clockedIn = try await phone.clockIn("in") else { return 0 }
            return 1
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(begun == 1)
      #expect(try await world.overrides().map(\.usedShift) == [1])
    }
  }

  @Test("crossed by its withdrawal is either used or withdrawn, never both")
  func crossedByWithdrawal() async throws {
    for _ in 0..<5 {
      try await withPhone { world, phone in
        try await phone.report(.denied)
        try await world.override(.denied)
        async let withdrawal = world.operations.reviews.withdrawOverride(1, of: EmployeeID(7))
        async let clockAction = phone.clockIn("in")
        let (withdrawn, outcome) = try await (withdrawal, clockAction)
        let row = try #require(try await world.overrides().first)
        #expect((row.usedShift == nil) != (row.withdrawnAt == nil))
        if case .used = withdrawn { #expect(row.usedShift == 1) }
        if case .blocked = outcome { #expect(row.withdrawnAt != nil) }
      }
    }
  }

  // R: W3, W4
  @Test("serves an offline clock-in if it was valid when that was made")
  func offline() async throws {
    // Hours from the giving to the tap, and from the tap to its sending.
    for (acted, sent, isServed) in [(-1, 2, false), (0, 20, true), (11, 3, true), (12, 3, false)]
      as [(Int64, Int64, Bool)]
    {
      try await withPhone { world, phone in
        world.wait(.hours(2))
        let given = world.now
        try await world.override(.denied)
        world.wait(.hours(acted + sent))
        let outcome = try await phone.clockIn("in") {
          $0.happened(at: given + .hours(acted), sentAt: world.now)
          $0.report = IncomingReport(.state(PermissionState(authorization: .denied)))
        }
        let isOpen = if case .clockedIn = outcome { true } else { false }
        #expect(isOpen == isServed, "\(acted): \(outcome)")
        #expect(try await world.overrides().map(\.usedShift) == [isServed ? 1 : nil])
      }
    }
  }

  /// Gives an override at another instance, whose clock is a second ahead.
  private func giveAhead(_ world: OperationsWorld) async throws -> OverrideRow {
    let other = TestOperations(pool: world.pool, now: { world.now + .seconds(1) })
    let outcome = try await other.manager.reviews.giveOverride(
      to: EmployeeID(7), FindingSet(.denied), reason: "phone in repair", by: actor)
    guard case .given(let row) = outcome else { throw Unexpected("\(outcome)") }
    return row
  }

  // R: W1, W3
  @Test("counts at once at an instance whose clock is behind, which gives no second one")
  func givenAhead() async throws {
    try await withPhone { world, phone in
      try await phone.report(.denied)
      let given = try await giveAhead(world)
      #expect(given.createdAt > world.now && given.serves(at: world.now))
      #expect(try await world.override(.denied) == given)
      #expect(try await phone.present.decision.overridden.ranked == [.denied])
      let check = try await world.operations.insight.check(
        employee: EmployeeID(7), device: nil, preset: nil)
      #expect(check.decision.verdict == .warn)
      guard case .clockedIn = try await phone.clockIn("in") else { throw Unexpected("refused") }
      #expect(try await world.overrides().map(\.usedShift) == [1])
    }
  }

  // R: W1, W3
  @Test("can be withdrawn at an instance whose clock is behind, and then allows no clock-in")
  func withdrawnBehind() async throws {
    try await withPhone { world, phone in
      try await phone.report(.denied)
      let given = try await giveAhead(world)
      let outcome = try await world.operations.reviews.withdrawOverride(
        given.number, of: EmployeeID(7))
      guard case .withdrawn(let row) = outcome else { throw Unexpected("\(outcome)") }
      #expect(row.number == 1 && row.withdrawnAt == world.now)
      guard case .blocked = try await phone.clockIn("in") else { throw Unexpected("let in") }
      #expect(try await world.overrides().map(\.usedShift) == [nil])
    }
  }

  // R: W3
  @Test("is taken into account by the answer to a report, a new one or none")
  func reports() async throws {
    try await withPhone { world, phone in
      try await world.override(.denied)
      for _ in 0..<2 {
        let answered = try await phone.report(.denied, sequence: 1).snapshot
        #expect(
          answered.decision.overridden.ranked == [.denied]
            && answered.availableOverride?.number == 1)
        #expect(answered.decision == (try await phone.present.decision))
      }
    }
  }

  // R: W3
  @Test("is taken into account by the guard's check, which says so")
  func check() async throws {
    try await withPhone { world, phone in
      try await phone.report(.denied)
      try await world.override(.denied)
      let check = try await world.operations.insight.check(
        employee: EmployeeID(7), device: nil, preset: nil)
      #expect(check.decision.verdict == .warn)
      #expect(check.snapshot?.availableOverride?.givenBy == "Mira")
      let own = try await world.operations.device.snapshot(for: phone.credential)
      #expect(own.decision.overridden.ranked == [.denied] && own.availableOverride?.number == 1)
      let advisory = try await world.operations.insight.check(
        employee: EmployeeID(7), device: nil, preset: .advisory)
      #expect(advisory.decision.verdict == .allow && advisory.snapshot?.availableOverride == nil)
      #expect(try await world.overrides().map(\.usedShift) == [nil])
    }
  }

  // R: W3
  @Test("names a finding, has a reason, is for an existing employee and never for oneself")
  func refusals() async throws {
    try await withWorld { world in
      let operations = world.operations
      let denied = FindingSet(.denied)
      for reason in ["", "  \n", "a\0b", String(repeating: "r", count: 501)] {
        await #expect(throws: OperationError.self) {
          _ = try await operations.reviews.giveOverride(
            to: EmployeeID(7), denied, reason: reason, by: actor)
        }
      }
      for name in ["", " ", "\0", String(repeating: "n", count: 101)] {
        await #expect(throws: OperationError.self) {
          _ = try await operations.reviews.giveOverride(
            to: EmployeeID(7), denied, reason: "why", by: AuditActor(name: name))
        }
      }
      await #expect(throws: OperationError.self) {
        _ = try await operations.reviews.giveOverride(
          to: EmployeeID(7), [], reason: "why", by: actor)
      }
      for unknown in [EmployeeID(8), EmployeeID(0), EmployeeID(-1)] {
        await #expect(throws: OperationError.notFound("employee \(unknown.rawValue)")) {
          _ = try await operations.reviews.giveOverride(
            to: unknown, denied, reason: "why", by: actor)
        }
        await #expect(throws: OperationError.self) {
          _ = try await operations.reviews.overrides(of: unknown, limit: 1)
        }
      }
      let own = try await operations.reviews.giveOverride(
        to: EmployeeID(7), denied, reason: "why",
        by: AuditActor(name: "Ada", employee: EmployeeID(7)))
      #expect(own == .selfOverrideForbidden)
      #expect(try await world.overrides().isEmpty)
      let longest = String(repeating: "é", count: 500)
      #expect(try await world.override(.denied, reason: longest).reason == longest)
    }
  }

  // R: W3
  @Test("the same again is a repeat for five minutes, and then another")
  func givenAgain() async throws {
    try await withWorld { world in
      let first = try await world.override(.denied)
      world.wait(.minutes(5) - .milliseconds(1))
      #expect(try await world.override(.denied) == first)
      world.wait(.milliseconds(1))
      let second = try await world.override(.denied)
      #expect(second.number == 2 && second.expiresAt == world.now + .hours(12))
    }
  }
}
