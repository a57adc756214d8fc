import DeviceOperations
import GuardRules
import InsightOperations
import InstallationOperations
import ManagerCore
import OperationCore
import PeopleOperations
import Postgres
import ShiftDomain
import Testing

@Suite("Managers' use cases") struct OperationsTests {
  // R: M6
  @Test("check distinguishes an unknown employee, one without a phone, and one who may work")
  func check() async throws {
    try await withWorld { world in
      await #expect(throws: OperationError.notFound("employee 8")) {
        _ = try await world.operations.insight.check(
          employee: EmployeeID(8), device: nil, preset: nil)
      }
      let bare = try await world.operations.insight.check(
        employee: EmployeeID(7), device: nil, preset: nil)
      #expect(bare.snapshot == nil && bare.decision.blocking.ranked == [.noReport])
      let phone = try await Phone.enrolled(in: world)
      try await phone.report(.whenInUse)
      let warned = try await world.operations.insight.check(
        employee: EmployeeID(7), device: nil, preset: nil)
      #expect(warned.decision.verdict == .warn && warned.name == "Ada")
      let strict = try await world.operations.insight.check(
        employee: EmployeeID(7), device: 1, preset: .strict)
      #expect(strict.decision.verdict == .block)
      let advisory = try await world.operations.insight.check(
        employee: EmployeeID(7), device: 1, preset: .advisory)
      #expect(advisory.decision.verdict == .allow)
      await #expect(throws: OperationError.self) {
        _ = try await world.operations.insight.check(
          employee: EmployeeID(7), device: 2, preset: nil)
      }
    }
  }

  @Test("an enrolment code lets one phone in, also when five use it together")
  func enrolsOnce() async throws {
    try await withWorld { world in
      let code = try await code(in: world)
      let enrolled = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<5 {
          group.addTask { (try? await enrol(code.lowercased(), in: world)) != nil }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      // A second may have replaced the first.
      #expect((1...2).contains(enrolled))
      let devices = try await world.operations.people.devices(of: nil)
      #expect(devices.count == enrolled && devices.filter { $0.revokedAt == nil }.count == 1)
    }
  }

  @Test("an enrolment code works once more within ten minutes, which revokes the first phone")
  func enrolsAgain() async throws {
    try await withWorld { world in
      let code = try await code(in: world)
      let browser = try await enrol(code, in: world)
      let installed = try await enrol(code, in: world)
      #expect(browser.replaced == nil && installed.replaced == browser.device)
      await #expect(throws: OperationError.unauthorized) {
        _ = try await Phone(token: browser.token, in: world).present
      }
      _ = try await Phone(token: installed.token, in: world).present
      await #expect(throws: OperationError.notFound("enrolment code")) {
        _ = try await enrol(code, in: world)
      }
    }
  }

  @Test(
    "an enrolment code does not work again later, nor after a manager revoked the phone",
    arguments: [
      "UPDATE device SET enrolled_at = '2000-01-01'",
      "UPDATE device SET revoked_at = now()",
    ] as [SQL])
  func enrolsNoMore(_ change: SQL) async throws {
    try await withWorld { world in
      let code = try await code(in: world)
      _ = try await enrol(code, in: world)
      try await world.write(change)
      await #expect(throws: OperationError.notFound("enrolment code")) {
        _ = try await enrol(code, in: world)
      }
      #expect(try await world.count("SELECT count(*) FROM device") == 1)
    }
  }

  private func code(in world: OperationsWorld) async throws -> String {
    try await world.operations.people.createEnrolmentCode(
      for: EmployeeID(7), validFor: .hours(24)
    ).code
  }

  private func enrol(_ code: String, in world: OperationsWorld) async throws -> Enrolment {
    try await world.operations.device.enrol(
      code: code, NewDevice(platform: .ios), receipt: world.receipt)
  }

  @Test("an enrolment code that is late, wrong or nonsense enrols nobody")
  func refusedCodes() async throws {
    try await withWorld { world in
      let code = try await world.operations.people.createEnrolmentCode(
        for: EmployeeID(7), validFor: .minutes(1)
      ).code
      world.wait(.minutes(1))
      for text in [code, "", "7", "7-", "8-0000-0000-0000-0000", "-1-0000", "\0", code + "0"] {
        await #expect(throws: OperationError.notFound("enrolment code")) {
          _ = try await world.operations.device.enrol(
            code: text, NewDevice(platform: .ios), receipt: world.receipt)
        }
      }
    }
  }

  @Test("guessing at enrolment codes writes nothing")
  func guesses() async throws {
    try await withWorld { world in
      for _ in 0..<3 {
        await #expect(throws: OperationError.self) {
          _ = try await world.operations.device.enrol(
            code: "7-0000-0000-0000-0000", NewDevice(platform: .ios), receipt: world.receipt)
        }
      }
      // A row that was locked or written, if only to be rolled back, bears a transaction's number.
      let touched = try await world.count(
        "SELECT count(*) FROM guard_state WHERE xmax::text <> '0'")
      #expect(touched == 0)
    }
  }

  @Test("an employee whose phones have used up the numbers gets no other, and no crash")
  func numbersUsedUp() async throws {
    try await withWorld { world in
      try await world.write("UPDATE guard_state SET last_device = 32766")
      let last = try await Phone.enrolled(in: world)
      #expect(last.credential.device.number == .max)
      await #expect(throws: OperationError.notFound("enrolment code")) {
        _ = try await Phone.enrolled(in: world)
      }
    }
  }

  @Test("an access token of a manager needs a team")
  func tokenWithoutTeam() async throws {
    try await withWorld { world in
      await #expect(
        throws: OperationError.invalid("a manager's API token needs at least one team")
      ) {
        _ = try await world.operations.installation.createAPIToken(
          name: "board", role: .manager, validFor: .hours(1))
      }
      let tokens = try await world.operations.installation.apiTokens()
      #expect(tokens.isEmpty)
    }
  }

  @Test("an access token lets in until it expires or is revoked")
  func apiTokens() async throws {
    try await withWorld { world in
      let token = try await world.operations.installation.createAPIToken(
        name: "board", role: .administrator, validFor: .hours(1))
      let holder = try await world.operations.installation.authenticate(apiToken: token.token)
      #expect(holder.role == .administrator && holder.actor == AuditActor(name: "board"))
      for wrong in ["", "sga_1_", "sga_2_" + token.token.dropFirst(6), token.token + "A"] {
        await #expect(throws: OperationError.unauthorized) {
          _ = try await world.operations.installation.authenticate(apiToken: String(wrong))
        }
      }
      world.wait(.hours(1))
      await #expect(throws: OperationError.unauthorized) {
        _ = try await world.operations.installation.authenticate(apiToken: token.token)
      }
      try await world.operations.installation.revokeAPIToken(token.number)
      await #expect(throws: OperationError.self) {
        try await world.operations.installation.revokeAPIToken(token.number)
      }
    }
  }

  @Test("names, numbers and time zones that cannot be are refused with a reason")
  func refusals() async throws {
    try await withWorld { world in
      let manager = world.operations.manager
      for name in ["", "x\0y", "  ", "\n", String(repeating: "n", count: 101)] {
        await #expect(throws: OperationError.self) {
          _ = try await manager.people.addTeam(
            name: name, timeZone: "UTC", preset: .standard, by: .arranger)
        }
        await #expect(throws: OperationError.self) {
          _ = try await manager.people.addEmployee(
            nil, EmployeeDetails(name: name, team: TeamID(1)), by: .arranger)
        }
      }
      #expect(
        try await manager.people.addTeam(
          name: "M", timeZone: "Mars/Olympus", preset: .standard, by: .arranger) == .noTimeZone)
      #expect(
        try await manager.people.addTeam(
          name: "Field", timeZone: "UTC", preset: .standard, by: .arranger) == .nameTaken)
      let details = EmployeeDetails(name: "B", team: TeamID(1))
      #expect(
        try await manager.people.addEmployee(EmployeeID(7), details, by: .arranger) == .numberTaken)
      let nowhere = EmployeeDetails(name: "B", team: TeamID(9))
      #expect(
        try await manager.people.addEmployee(nil, nowhere, by: .arranger) == .noSuchTeam(TeamID(9)))
      guard case .kept(let next) = try await manager.people.addEmployee(nil, details, by: .arranger)
      else { throw Unexpected("refused") }
      #expect(next.employee == EmployeeID(8))
    }
  }

  // R: M6
  @Test("coverage sums to the shift exactly and says why it was not tracked")
  func coverage() async throws {
    try await withPhone { world, phone in
      try await phone.report(.always)
      guard case .clockedIn(let shift, _) = try await phone.clockIn("in") else {
        throw Unexpected("refused with always")
      }
      let start = world.now
      world.wait(.minutes(10))
      _ = try await phone.ping((0..<10).map { fix(at: start + .minutes($0)) }, sentAt: world.now)
      try await phone.report(.denied)
      world.wait(.minutes(10))
      try await phone.report(.always)
      world.wait(.minutes(10))
      _ = try await phone.clockOut("out")
      let coverage = try await world.operations.insight.coverage(of: shift)
      #expect(!coverage.isProvisional && coverage.asOf == start + .minutes(30))
      // No watch runs here: without an incident of silence nothing is no_contact.
      #expect(
        coverage.segments.map { "\($0.reason.code) \($0.interval.length.seconds)" } == [
          "tracked 600", "denied 600", "resuming 180", "no_fix 420",
        ])
      #expect(coverage.trackingPermille == 333)
    }
  }
}
