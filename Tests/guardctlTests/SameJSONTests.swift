import Foundation
import HTTPServing
import InsightOperations
import InstallationOperations
import ManagerAPI
import ManagerCore
import ReadModels
import ShiftDomain
import ShiftTestKit
import TestPrograms
import Testing

/// `guardctl … -o json` prints what the API answers: a list prints its rows, without the wrapper
/// that pages them; a detail prints the object.
@Suite("JSON, from the command line and from the API") struct SameJSONTests {
  /// A command and its route.
  struct Pair: Sendable {
    var command: [String]
    var path: String
    /// The member of the API's answer that the command prints; `nil`: all of it.
    var member: String?
    /// Members that only one of them has.
    var except: Set<String>

    init(_ command: String, _ path: String, _ member: String? = nil, except: Set<String> = []) {
      self.command = command.split(separator: " ").map(String.init)
      (self.path, self.member, self.except) = (path, member, except)
    }
  }

  static let pairs = [
    Pair("absence list", "/v1/absences", "absences"),
    Pair("account list", "/v1/accounts", "accounts"), Pair("account show 1", "/v1/accounts/1"),
    Pair("audit list --limit 100", "/v1/audit", "entries"),
    Pair("audit list --employee 7 --limit 100", "/v1/employees/7/audit", "entries"),
    Pair("clock-action list", "/v1/clock-actions", "clockActions"),
    Pair("clock-action show 7/1", "/v1/employees/7/clock-actions/1"),
    Pair("coverage 1 DAY", "/v1/coverage?team=1&date=DAY"),
    Pair("device list --employee 7", "/v1/employees/7/devices", "devices"),
    // Refused requests are in the memory of `guardd`.
    Pair("device show 7/1", "/v1/employees/7/devices/1", except: ["refused"]),
    Pair("employee list", "/v1/employees", "employees"),
    Pair("employee show 7", "/v1/employees/7"),
    Pair("incident list", "/v1/incidents", "incidents"),
    Pair("incident show 7/1", "/v1/employees/7/incidents/1"),
    Pair("notification channels", "/v1/channels", "channels"),
    Pair("override list --employee 7", "/v1/employees/7/overrides", "overrides"),
    Pair("planned-shift list 7", "/v1/employees/7/planned-shifts", "plannedShifts"),
    Pair("policy list 1", "/v1/teams/1/policies", "policies"),
    Pair("policy planned 1", "/v1/teams/1/policies", "planned"),
    Pair("policy show 1", "/v1/teams/1/policies/2"),
    Pair("privacy-notice show", "/v1/privacy-notice"),
    Pair("quarantine list", "/v1/quarantined-messages", "messages"),
    Pair("retention show", "/v1/retention"),
    Pair("shift list", "/v1/shifts", "shifts"), Pair("shift show 7/1", "/v1/employees/7/shifts/1"),
    // The command lists the shifts of all employees, each with the name.
    Pair(
      "shift times --from DAY --to DAY", "/v1/time-sheets?from=DAY&to=DAY", "employees",
      except: ["name"]),
    Pair("site list 1", "/v1/teams/1/sites", "sites"),
    Pair("team contacts 1", "/v1/teams/1/contacts", "contacts"),
    Pair("team list", "/v1/teams", "teams"), Pair("team show 1", "/v1/teams/1"),
    Pair("watch", "/v1/board"),
  ]

  /// What the API can be asked for and no command shows, or a list above has already.
  static let withoutCommand: Set = [
    "/v1/account", "/v1/account/contacts", "/v1/board/events", "/v1/employees/{employee}/export",
    "/v1/employees/{employee}/shifts/{shift}/coverage",
    "/v1/employees/{employee}/shifts/{shift}/track", "/v1/map", "/v1/payroll-settings",
    "/v1/planned-shifts",
    // Own sessions only, after a login; `guardctl session list` lists those of all accounts.
    "/v1/sessions", "/v1/statistics", "/v1/statistics/detection",
    "/v1/teams/{team}/contacts/{contact}", "/v1/teams/{team}/contacts/{contact}/tests/{test}",
    "/v1/teams/{team}/sites/{site}", "/v1/teams/{team}/weekly-digest",
  ]

  @Test("is the same for every list and detail that both have")
  func same() async throws {
    try await withWorld { world in
      let day = try await Self.fill(world)
      let routes = managerRoutes(world.operations.manager, now: wallClock)
      let router = Router(routes.map(\.route))
      let token = try await world.operations.installation.createAPIToken(
        name: "Mira", role: .administrator, validFor: .hours(1)
      ).token
      for pair in Self.pairs {
        let command = pair.command.map { $0 == "DAY" ? day : $0 }
        let printed = try await Self.print(command, world)
        let path = pair.path.replacing("DAY", with: day)
        let answer = try await router.answer(.get, path, as: token)
        #expect(answer.status == 200, "\(path)")
        var answered = try JSONSerialization.jsonObject(with: Data(answer.text.utf8))
        if let member = pair.member {
          answered = try #require((answered as? [String: Any])?[member], "\(path)")
        }
        if command.prefix(2) == ["shift", "times"] {
          answered = (answered as? [[String: Any]] ?? []).flatMap { $0["shifts"] as? [Any] ?? [] }
        }
        let left = Self.timeless(printed, pair.except)
        let right = Self.timeless(answered, pair.except)
        #expect(try Self.text(left) == Self.text(right), "\(command)")
        if let rows = right as? [Any] { #expect(!rows.isEmpty, "\(path)") }
      }
    }
  }

  @Test("has a command for every such route, or a reason") func complete() async throws {
    try await withWorld { world in
      let routes = managerRoutes(world.operations.manager, now: wallClock).map(\.route)
      for route in routes where route.method == .get {
        let shape = route.pattern.split(separator: "/")
        let isPaired = Self.pairs.contains { pair in
          let path = pair.path.prefix { $0 != "?" }.split(separator: "/")
          return path.count == shape.count
            && zip(path, shape).allSatisfy { $0 == $1 || ($1.first == "{" && Int($0) != nil) }
        }
        #expect(isPaired != Self.withoutCommand.contains(route.pattern), "\(route.pattern)")
      }
    }
  }

  /// What the command prints; `watch`, which goes on, its first line.
  private static func print(_ command: [String], _ world: CommandWorld) async throws -> Any {
    guard command == ["watch"] else {
      let run = try await guardctl(command + ["-o", "json"], database: world.url)
      #expect(run.status == 0, "\(command): \(run.errors)")
      return try run.json()
    }
    let program = try RunningProgram(
      ["\(try RunningProgram.folder())/guardctl", "watch", "-o", "json"],
      environment: ["SHIFTGUARD_DATABASE": world.url])
    let line = try await program.line(with: "asOf")
    program.terminate()
    _ = await program.rest()
    return try JSONSerialization.jsonObject(with: Data(line.utf8))
  }

  private static func text(_ value: Any) throws -> String {
    String(
      decoding: try JSONSerialization.data(
        withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed]), as: UTF8.self)
  }

  /// Without the moment of the answer, and without `names`.
  private static func timeless(_ value: Any, _ names: Set<String> = []) -> Any {
    switch value {
    case let object as [String: Any]:
      object.filter { $0.key != "asOf" && !names.contains($0.key) }.mapValues { timeless($0) }
    case let items as [Any]: items.map { timeless($0, names) }
    default: value
    }
  }

  /// Something of every kind, of which nothing changes by itself.
  /// - Returns: The day of the shift.
  private static func fill(_ world: CommandWorld) async throws -> String {
    let phone = try await world.enrol()
    try await world.report(.denied, from: phone)
    try await world.clockIn(phone)
    let later = (wallClock() + .hours(24)).rfc3339
    let end = (wallClock() + .hours(25)).rfc3339
    for words in [
      ["admin", "create", "--email", "a@b.c", "--name", "Ada"],
      ["clock-action", "accept", "7/1", "--reason", "was there"],
      ["override", "give", "7", "--finding", "denied", "--reason", "phone in repair"],
      ["shift", "end", "7", "--reason", "phone lost"],
      ["planned-shift", "add", "7", "--start", later, "--end", end],
      ["absence", "add", "7", "--start", later, "--end", end, "--note", "x"],
      ["policy", "set", "1", "--finding", "denied=warn", "--accuracy-max", "200"],
      ["policy", "set", "1", "--shift-max", "12h", "--valid-from", later],
      ["site", "add", "1", "--name", "Depot", "--center", "45.3,13.7", "--radius", "200"],
      ["team", "add-contact", "1", "mira@example.org"],
      ["team", "add-webhook", "1", "https://example.org/hook"],
    ] {
      let run = try await guardctl(words, database: world.url)
      #expect(run.status == 0, "\(words): \(run.errors)")
    }
    _ = try await world.operations.installation.setPrivacyNotice(
      "We know where you work.", by: Principal(actor: AuditActor(name: "Ada"), role: .administrator)
    )
    try await world.write(
      """
      INSERT INTO quarantined_message (
        employee_id, device_no, received_at, phone_app, body_hash, reason, byte_count, body)
      VALUES (7, 1, now(), 0, \([UInt8](repeating: 1, count: 32)), 'syntax', 7, '{secret')
      """)
    try await world.decideDeliveries()
    let shift = try await world.operations.insight.shift(
      ShiftID(employee: EmployeeID(7), number: 1))
    return String(shift.startedAt.rfc3339.prefix(10))
  }
}
