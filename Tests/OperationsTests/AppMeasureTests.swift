import DeviceOperations
import InsightOperations
import ManagerCore
import PeopleOperations
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

// R: A20
@Suite("Measures from what apps report about themselves") struct AppMeasureTests {
  @Test("the indicator: each employee's newest session with an insufficient permission")
  func indicator() async throws {
    try await withEmployees { world, phones in
      func measure() async throws -> Share { try await world.measures().indicatorInTime }
      #expect(try await measure() == Share(0, of: 0))
      // In time to the millisecond, too late, and never.
      try await phones[0].tell("a", (.permissionInsufficient, 0), (.indicatorShown(3_000), 3))
      try await phones[1].tell("a", (.permissionInsufficient, 0), (.indicatorShown(3_001), 3))
      try await phones[2].tell("a", (.permissionInsufficient, 0))
      #expect(try await measure() == Share(0, of: 0), "they may still come")
      world.wait(.minutes(2))
      #expect(try await measure() == Share(1, of: 3))
      // The newest session of an employee counts, on whatever device.
      let second = try await Phone.enrolled(in: world, employee: 2)
      try await second.tell("b", (.indicatorShown(100), 0))
      world.wait(.minutes(2))
      #expect(try await measure() == Share(2, of: 3))
      #expect(try await world.measures(of: TeamID(2)).indicatorInTime == Share(0, of: 1))
      world.wait(.hours(30 * 24))
      #expect(try await measure() == Share(0, of: 0))
    }
  }

  @Test("the grant: what came of the first guided attempt")
  func grant() async throws {
    try await withEmployees(7) { world, phones in
      func measure() async throws -> Share { try await world.measures().grantedAtFirst }
      try await phones[0].tell("a", (.explanationShown, 0), (.dialogAnswered(.whenInUse), 4))
      try await phones[1].tell("a", (.explanationShown, 0), (.dialogAnswered(.denied), 4))
      try await phones[1].tell("a", (.settingsOpened, 5), (.restored(.always), 9))
      try await phones[2].tell(
        "a", (.explanationShown, 0), (.settingsOpened, 2), (.restored(.always), 40))
      try await phones[3].tell("a", (.explanationShown, 0), (.explanationShown, 30))
      try await phones[3].tell("b", (.dialogAnswered(.always), 40))
      try await phones[4].tell("a", (.settingsOpened, 0), (.restored(.whenInUse), 50))
      try await phones[5].tell("a", (.settingsOpened, 0), (.settingsOpened, 10))
      // No outcome yet, and what was before the guidance is none.
      try await phones[6].tell("a", (.restored(.always), 0), (.explanationShown, 10))
      #expect(try await measure() == Share(3, of: 6))
      world.wait(.hours(2))
      #expect(try await measure() == Share(3, of: 7))
    }
  }

  @Test("Always: on phones, at any time after the explanation")
  func always() async throws {
    try await withEmployees { world, phones in
      func measure() async throws -> Share { try await world.measures().alwaysGranted }
      try await phones[0].tell("a", (.explanationShown, 0), (.dialogAnswered(.whenInUse), 2))
      try await phones[0].tell("b", (.restored(.always), 50))
      try await phones[1].tell("a", (.restored(.always), 0), (.explanationShown, 10))
      let page = try await Phone.enrolled(in: world, employee: 3, NewDevice(platform: .web))
      try await page.tell("a", (.explanationShown, 0))
      #expect(try await measure() == Share(1, of: 1))
      world.wait(.hours(2))
      #expect(try await measure() == Share(1, of: 2))
    }
  }

  @Test("silent failures: refused clock-ins of which the app showed nothing")
  func silent() async throws {
    try await withEmployees { world, phones in
      func measure() async throws -> Share { try await world.measures().refusalsShown }
      for phone in phones { try await phone.report(.denied) }
      for phone in phones.prefix(2) { try await phone.tell("a", (.permissionInsufficient, 0)) }
      world.wait(.minutes(1))
      for phone in phones { _ = try await phone.clockIn("in") }
      try await phones[0].tell("a", (.answerShown("in"), 1))
      // Another's id, and an id that does not exist.
      try await phones[0].tell("a", (.answerShown("of nobody"), 2))
      #expect(try await measure() == Share(0, of: 0), "it may still come")
      // The third phone tells nothing of itself, or only since then.
      try await phones[2].tell("a", (.settingsOpened, 100))
      world.wait(.hours(2))
      #expect(try await measure() == Share(1, of: 2))
      try await phones[1].tell("b", (.answerShown("in"), 0))
      #expect(try await measure() == Share(2, of: 2))
      for phone in phones { try await phone.report(.always) }
      _ = try await phones[1].clockIn("allowed")
      world.wait(.hours(2))
      #expect(try await measure() == Share(2, of: 2))
    }
  }
}

/// Lends employees 1 to `count` with a phone each; employee 3 is in team 2.
private func withEmployees(
  _ count: Int32 = 3, _ body: (OperationsWorld, [Phone]) async throws -> Void
) async throws {
  try await withWorld { world in
    let other = try await world.operations.people.addTeam(name: "Other", timeZone: "UTC")
    var phones: [Phone] = []
    for number in (1...count) where number != 7 || count == 7 {
      if number != 7 {
        _ = try await world.operations.people.addEmployee(
          EmployeeID(number), name: "Ada", team: number == 3 ? other : TeamID(1))
      }
      phones.append(try await Phone.enrolled(in: world, employee: number))
    }
    world.wait(.hours(1))
    try await body(world, phones)
  }
}

private struct Told {
  var kind: AppEventKind
  var after: TimeSpan?
  var authorization: Authorization?
  var actionID: String?

  static let permissionInsufficient = Told(kind: .permissionInsufficient)
  static let explanationShown = Told(kind: .explanationShown)
  static let settingsOpened = Told(kind: .settingsOpened)
  static func indicatorShown(_ milliseconds: Int64) -> Told {
    Told(kind: .indicatorShown, after: .milliseconds(milliseconds))
  }
  static func dialogAnswered(_ authorization: Authorization) -> Told {
    Told(kind: .dialogAnswered, authorization: authorization)
  }
  static func restored(_ authorization: Authorization) -> Told {
    Told(kind: .restored, authorization: authorization)
  }
  static func answerShown(_ id: String) -> Told { Told(kind: .answerShown, actionID: id) }
}

extension TestPhone {
  /// Tells these events, which began 50 seconds ago, each so many seconds after that.
  fileprivate func tell(_ session: String, _ events: (Told, seconds: Int64)...) async throws {
    let start = receipt.at - .seconds(50)
    let results = try await tell(
      events.map { told, seconds in
        IncomingAppEvent(
          told.kind, in: session, recordedAt: start + .seconds(seconds), after: told.after,
          authorization: told.authorization, actionID: told.actionID)
      })
    #expect(results.allSatisfy { $0 == .stored })
  }
}

extension OperationsWorld {
  fileprivate func measures(of team: TeamID? = nil) async throws -> AppMeasures {
    let role: AccessRole = team == nil ? .administrator : .manager
    return try await operations.insight.guardStatistics(
      for: Principal(
        actor: AuditActor(name: "Mira"), role: role,
        teams: team.map { [$0: .coverage] } ?? [:])
    ).apps
  }
}
