import BackgroundOperations
import DeviceOperations
import GuardRules
import ManagerCore
import OperationCore
import PeopleOperations
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("The page of one phone") struct DevicePageTests {
  private static let path = "/employees/7/devices/1"
  private let manager = Principal(
    actor: AuditActor(name: "Mate"), role: .manager, teams: [TeamID(1): .all])

  @Test("is linked from the employee's pages, and shows what is stored in the team's time")
  func shows() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      #expect(try await server.get("/employees/7/devices").1.contains(#"href="\#(Self.path)""#))
      let (answer, text) = try await server.get(Self.path)
      #expect(answer.status == 200)
      for words in [
        "<h1>Phone 1</h1>", "Times in Europe/Zagreb", ">Shift 1</a>", "At clock-in now",
        "Permission reports", "Clock actions", "<code>clocked_in</code>", "With a position",
        "Notifications to this phone", "Refused requests and items", "by instance “test” since",
        "<td>not set", "Revoked<td>no\n", "Understood as",
      ] {
        #expect(text.contains(words), "\(words)")
      }
      let support = try await server.day.operations.people.support(
        of: DeviceID(employee: EmployeeID(7), number: 1))
      #expect(support.history.pingCount > 10)
      #expect(text.contains("\(support.history.pingCount) pings in"))
    }
  }

  @Test("names a phone without a model by its system, and says that it has not reported yet")
  func unreported() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let day = server.day
      _ = try await day.operations.people.addEmployee(
        EmployeeID(99), name: "Luka Jurić", team: day.teams[0])
      _ = try await TestPhone.enrolled(
        in: day, employee: 99, NewDevice(platform: .ios, osVersion: "26.1"))
      let list = try await server.get("/employees/99/devices").1
      #expect(list.contains(#"">iOS</a><p class="aside">iOS 26.1</p>"#), "\(list)")
      let phone = try await server.get("/employees/99/devices/1").1
      #expect(phone.contains("<h1>Phone 1</h1>") && phone.contains("<p>iOS of Luka Jurić"))
      let employee = try await server.get("/employees/99").1
      #expect(employee.contains(#"<p class="verdict">No permission check yet</p>"#))
      #expect(!employee.contains("Permission not checked recently"))
    }
  }

  // R: W11
  @Test("contains no coordinate of any position of the day, and no token")
  func noCoordinates() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let day = server.day
      let phone = try day.phone(7)
      try await phone.operations.device.setPushTarget(
        PushTarget(.fcm, address: "s3cret-address", registeredAt: day.now),
        from: phone.credential, receipt: day.receipt)
      let (_, text) = try await server.get(Self.path)
      #expect(text.contains("Android (FCM), set") && !text.contains("s3cret-address"))
      #expect(!text.contains(String(phone.token.suffix(20))))
      let walked = day.walked(by: 7)
      #expect(walked.count > 10)
      for point in walked {
        // Not even rounded.
        for degrees in [point.place.latitude, point.place.longitude] {
          let rounded = Double(Int(degrees * 100)) / 100
          #expect(!text.contains("\(degrees)") && !text.contains("\(rounded)"))
        }
      }
    }
  }

  @Test("shows refused requests, escaped, also those of a revoked phone")
  func refused() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let (day, phone) = (server.day, try server.day.phone(7))
      phone.operations.device.note(
        RefusedRequest(
          at: day.now, route: "POST /v1/pings", status: 200, code: "<no_shift>", items: 3),
        of: phone.credential)
      let (_, text) = try await server.get(Self.path)
      #expect(text.contains("<td>items<td><code>&lt;no_shift&gt;</code>, 3 of its items"))
      #expect(!text.contains("<no_shift>"))
      try await day.operations.people.revoke(device: phone.device)
      let (_, after) = try await server.get(Self.path)
      #expect(after.contains("the phone is revoked") && after.contains("3 of its items"))
      #expect(!after.contains("Send test message"))
      #expect(try await server.post(Self.path + "/test", "").0.status == 404)
    }
  }

  @Test("shows what a clock-in would answer, with the steps for the phone")
  func preview() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let phone = try await TestPhone.enrolled(in: server.day, employee: 20)
      let now = server.day.now
      try await phone.report(.denied, recordedAt: now - .minutes(3), sentAt: now)
      let (_, text) = try await server.get(phone.device.pagePath)
      #expect(text.contains(", counts from 11:39:00</p>"), "received three minutes later")
      #expect(text.contains("<b>Blocked</b> (409 <code>clock_in_blocked</code>)"), "\(text)")
      #expect(text.contains("<b>Location access denied</b> blocks (<code>denied</code>)"))
      #expect(text.contains("<ol><li>"))
    }
  }

  // R: A2
  @Test("sends a test message and says what became of it")
  func test() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let (day, phone) = (server.day, try server.day.phone(7))
      let (refused, fault) = try await server.post(Self.path + "/test", "")
      #expect(refused.status == 422 && fault.contains("Phone 1 has no push address"))
      try await phone.operations.device.setPushTarget(
        PushTarget(.apns, address: "x", registeredAt: day.now), from: phone.credential,
        receipt: day.receipt)
      let (sent, _) = try await server.post(Self.path + "/test", "")
      let place = try #require(sent.headers["Location"])
      #expect(sent.status == 303 && place.hasPrefix(Self.path + "?test=e7-t10-s1-o-1"))
      #expect(try await server.get(place).1.contains("Test message queued."))
      let sendings = try await day.operations.background.decideDeliveries(EmployeeID(7))
        .filter { $0.attempt.id.topic == .test }
      #expect(sendings.count == 1)
      try await day.operations.background.record(
        sendings.map { SendingResult(of: $0, .refused, reason: "status 410") })
      #expect(try await server.get(place).1.contains("was not delivered: status 410."))
      for key in ["e7-t10-s9-o-1", "e8-t10-s1-o-1", "x", "e7-t10-s1-o-2"] {
        #expect(try await server.get(Self.path + "?test=\(key)").0.status == 200, "\(key)")
      }
      #expect(try await server.get("/audit").1.contains("sent a test notification to phone 1 of"))
    }
  }

  // R: W11
  @Test("does not exist for managers, and for no unknown phone")
  func managers() async throws {
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      #expect(try await server.get(Self.path).0.status == 404)
      #expect(try await server.post(Self.path + "/test", "").0.status == 404)
      let (_, text) = try await server.get("/employees/7")
      #expect(!text.contains(Self.path))
    }
    try await withQuietServer(DemoDay.demoTeams) { server in
      for path in ["/employees/7/devices/9", "/employees/99/devices/1", "/employees/7/devices/x"] {
        let (answer, _) = try await server.get(path)
        #expect(answer.status == 404, "\(path)")
      }
    }
  }
}

extension DeviceID {
  fileprivate var pagePath: String { "/employees/\(employee.rawValue)/devices/\(number)" }
}
