import DeviceOperations
import HTTPServing
import Lifecycle
import ManagerCore
import PeopleOperations
import PolicyOperations
import ReadModels
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing
import WebPages

/// A phone beside the browser, which does what `POST /test/STEP` says.
private final class StandIn: Sendable {
  private let day: DemoDay
  private let phone = Lock<TestPhone?>(nil)
  private let app = Lock<StreamPosition?>(nil)

  init(_ day: DemoDay) { self.day = day }

  func routes() -> [Route] {
    ["enrol", "clock-in", "deny", "deliver", "allow", "clock-out", "end"].map { step in
      Route(.post, "/test/\(step)", deadline: TestDatabase.patience) { request in
        do {
          self.day.wait(.seconds(20))
          try await self.act(step, code: String(decoding: request.body, as: UTF8.self))
          return .text("done")
        } catch {
          return HTTPResponse(status: 500)
        }
      }
    }
  }

  private func act(_ step: String, code: String) async throws {
    let operations = day.operations
    if step == "end" {
      for rehearsal in try await operations.policies.rehearsals() {
        try await operations.policies.endRehearsal(
          of: rehearsal.employee.employee, by: PageServer.principal)
      }
      return
    }
    if step == "enrol" {
      let enrolment = try await operations.device.enrol(
        code: code, NewDevice(platform: .web), receipt: day.receipt)
      return try phone.withLock { $0 = try TestPhone(token: enrolment.token, in: day) }
    }
    guard let phone = phone.withLock({ $0 }) else { throw TestDatabaseError("not enrolled") }
    switch step {
    case "clock-in":
      try await phone.clockIn(reporting: .whenInUse)
      let position = try await operations.device.openStream(
        for: phone.credential, after: nil, lease: .hours(3), receipt: day.receipt)
      app.withLock { $0 = position }
    case "deny": try await phone.report(.denied)
    case "deliver":
      guard let app = app.withLock({ $0 }) else { throw TestDatabaseError("not clocked in") }
      _ = try await operations.background.decideDeliveries(phone.device.employee)
      let news = try await operations.device.news(for: [app])
      try await operations.device.updateStreams(
        [app.stream], lease: .hours(3), ended: [],
        shown: news.batches.flatMap(\.events).map { operations.device.shown($0.event) })
    case "allow": try await phone.report(.whenInUse)
    default: try await phone.clockOut()
    }
  }
}

@Suite("The page of rehearsals") struct RehearsalPageTests {
  private static let path = "/settings/rehearsals"

  /// The page of the rehearsal that one press of the button begins.
  private func begun(_ server: PageServer) async throws -> (path: String, text: String) {
    let (answer, _) = try await server.post(Self.path, "")
    #expect(answer.status == 307)
    let codes = try #require(answer.headers["Location"])
    let (shown, text) = try await server.post(codes, "")
    #expect(shown.status == 200)
    return (codes.replacing("/codes", with: ""), text)
  }

  // R: A1, A11, A12
  @Test("is linked from the settings, and ends a rehearsal that it has begun")
  func life() async throws {
    try await withQuietServer { server in
      let manager = server.day.operations.manager
      #expect(try await server.get("/settings").1.contains(#"href="\#(Self.path)""#))
      #expect(try await server.get(Self.path).1.contains("No rehearsal has begun."))
      let (path, text) = try await begun(server)
      let employee = try #require(try await manager.policies.rehearsals().first?.employee)
      #expect(path == "\(Self.path)/\(employee.employee.rawValue)")
      let code = try #require(text.firstMatch(of: /id="code-text">([0-9A-Z-]+)</)?.1)
      #expect(text.contains("/app#\(code)") && text.contains("Next: Open the code on a phone."))
      // Reloading shows another code of the same employee.
      #expect(try await server.post(path + "/codes", "").1.contains("code-text"))
      #expect(try await manager.policies.rehearsals().count == 1)
      let (_, again) = try await server.get(path)
      #expect(!again.contains("code-text") && again.contains("Show enrolment code"))
      #expect(try await server.get(path + "?fragment=steps").1.hasPrefix("<div id=\"steps\""))
      #expect(
        try await server.get("/employees/\(employee.employee.rawValue)").1
          .contains(#"href="\#(path)""#))
      for page in ["/", "/settings", "/settings/teams", "/settings/employees", "/coverage"] {
        let (answer, text) = try await server.get(page)
        #expect(answer.status == 200 && !text.contains("Practice"), "\(page)")
      }
      #expect(try await server.get(Self.path).1.contains(employee.name))

      let ended = try await server.post(path + "/end", "").0.headers["Location"]
      #expect(ended == "\(Self.path)?ended=\(employee.employee.rawValue)")
      let over = try await server.get(path).0.headers["Location"]
      #expect(over == "\(Self.path)?over=\(employee.employee.rawValue)")
      #expect(try await server.get(over ?? "").1.contains("is over."))
      #expect(try await server.get(ended ?? "").1.contains("is erased."))
      #expect(try await server.post(path + "/end", "").0.status == 404)
      let (_, log) = try await server.get("/audit")
      #expect(log.contains("began a rehearsal with practice employee"))
      #expect(log.contains("ended the rehearsal with practice employee"))
    }
  }

  @Test("says why no further rehearsal begins, and takes no other employee's number")
  func refused() async throws {
    try await withQuietServer { server in
      let manager = server.day.operations.manager
      _ = try await manager.people.addEmployee(
        EmployeeID(77), name: "Ana", team: server.day.teams[0])
      for _ in 1...rehearsalsMax {
        _ = try await manager.policies.beginRehearsal(by: PageServer.principal).get()
      }
      let (answer, text) = try await server.post(Self.path, "")
      #expect(answer.status == 422 && text.contains("There are 20 rehearsals already"))
      for path in ["/77/codes", "/77/end", "/99/end"] {
        #expect(try await server.post(Self.path + path, "").0.status == 404, "\(path)")
      }
    }
  }

  // R: W11
  @Test("is for administrators only")
  func managers() async throws {
    let mate = Principal(
      actor: AuditActor(name: "Mate"), role: .manager, teams: [TeamID(1): .all])
    try await withQuietServer(principal: mate) { server in
      #expect(try await server.get(Self.path).0.status == 404)
      #expect(try await server.post(Self.path, "").0.status == 404)
      let (_, settings) = try await server.get("/settings")
      #expect(!settings.contains(Self.path))
    }
  }

  // R: A1, A11, A12
  @Test("ticks each step in a browser when the phone has done it")
  func browser() async throws {
    try await DemoDay.run { day in
      try await PageServer(day, others: StandIn(day).routes()).serve { address in
        let faults = try await Browser.run("rehearse", address, Browser.pictures)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
      }
    }
  }
}
