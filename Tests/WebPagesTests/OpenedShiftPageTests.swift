import InsightOperations
import ManagerCore
import ShiftDomain
import Testing

@Suite("A shift that a manager opens on pages") struct OpenedShiftPageTests {
  private let manager = Principal(
    actor: AuditActor(name: "Mate"), role: .manager, teams: [TeamID(1): .coverage])

  // R: M6, W17
  @Test("waits for the employee on board, employee's page and shift page")
  func opens() async throws {
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      let path = "/employees/13"
      #expect(
        try await server.get(path).1.contains("<button class=\"quiet\">Open a shift</button>"))
      let (refused, why) = try await server.post(path + "/shift", "reason=+")
      #expect(refused.status == 422, "\(why)")
      #expect(why.contains("must not be blank"), "\(why)")
      let (done, _) = try await server.post(path + "/shift", "reason=new+%3Cphone%3E")
      #expect(done.headers["Location"] == "/employees/13?done=waiting")
      let name = try await server.day.operations.insight.check(
        employee: EmployeeID(13), device: nil, preset: nil
      ).name
      let waits = "waits for \(name)’s confirmation"
      let (_, employee) = try await server.get(path + "?done=waiting")
      for part in [
        "must confirm it. The employee sees it when the app is opened",
        "Waits for \(name)’s confirmation",
      ] {
        #expect(employee.contains(part), "\(part) in \(employee)")
      }
      #expect(try await server.get(path + "/shifts").1.contains("waits for confirmation"))
      #expect(!employee.contains("Open a shift</button>"))
      #expect(try await server.get("/").1.contains(waits))
      let (_, shift) = try await server.get(path + "/shifts/1")
      for part in [waits, "Opened by Mate", "“new &lt;phone&gt;”"] {
        #expect(shift.contains(part), "\(part) in \(shift)")
      }
      #expect(!shift.contains("Clocked in"))
    }
  }
}
