import ManagerCore
import NotificationOperations
import PeopleOperations
import ShiftDomain
import Testing

@Suite("The page of an employee who leaves") struct LeaverPageTests {
  private let manager = Principal(
    actor: AuditActor(name: "Mate"), role: .manager, teams: [TeamID(1): .coverage])

  // R: W11
  @Test("asks first, names an open shift, and offers to reactivate")
  func leaver() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let (open, why) = try await server.post("/employees/7/deactivate", "")
      #expect(open.status == 422 && why.contains("Shift 1</a> is open. End it first"))
      let (late, told) = try await server.post("/employees/7/deactivate", "sure=yes")
      #expect(late.status == 422 && told.contains("Shift 1</a> is open."))
      let path = "/employees/13"
      let (_, question) = try await server.post(path + "/deactivate", "")
      #expect(question.contains("Deactivate Josip Radić?"), "\(question)")
      #expect(try await server.get("/").1.contains("Josip Radić"))
      let (gone, _) = try await server.post(path + "/deactivate", "sure=yes")
      #expect(gone.headers["Location"] == path + "/data?done=deactivated")
      let (_, page) = try await server.get(path + "/data?done=deactivated")
      #expect(page.contains("Employee deactivated.") && page.contains("Reactivate employee"))
      #expect(page.contains("<b>Inactive</b>"))
      #expect(try await !server.get("/").1.contains("Josip Radić"))
      #expect(try await !server.get("/settings/employees").1.contains("Josip Radić"))
      #expect(try await server.get("/settings/employees?show=inactive").1.contains("Josip Radić"))
      #expect(try await !server.get(path).1.contains("Open a shift"))
      #expect(try await !server.get(path + "/devices").1.contains("Create enrolment code"))
      #expect(try await !server.get(path + "/shifts").1.contains("Add planned shift"))
      let (enrolment, cause) = try await server.post(path + "/devices/codes", "")
      #expect(enrolment.status == 422)
      #expect(cause.contains("Employee 13 is inactive; reactivate the employee first."))
      let (plan, fault) = try await server.post(
        path + "/planned-shifts", "day=2026-11-21&from=08:00&to=16:30")
      #expect(plan.status == 422 && fault.contains("Josip Radić is inactive."))
      let (back, _) = try await server.post(path + "/reactivate", "")
      #expect(back.headers["Location"] == path + "/devices?done=reactivated")
      #expect(try await server.get("/").1.contains("Josip Radić"))
    }
  }

  @Test("offers a reminder while tracking is lost, and says what became of it")
  func reminder() async throws {
    let people = [
      DemoDay.DemoEmployee(
        number: 7, name: "Ana Horvat", team: 0, steps: [.clocksIn(330), .says(331, .denied)]),
      DemoDay.DemoEmployee(number: 8, name: "Ben", team: 0, steps: [.clocksIn(330)]),
    ]
    try await withQuietServer(people, principal: manager) { server in
      #expect(try await server.get("/employees/7").1.contains("Send reminder</button>"))
      let path = "/employees/7/reminders"
      let (refused, why) = try await server.post(path, "")
      #expect(refused.status == 422, "\(why)")
      #expect(why.contains("Not delivered: no push or e-mail is set up."), "\(why)")
      _ = try await server.day.operations.people.changeEmployee(
        EmployeeID(7), by: PageServer.principal
      ) { $0.email = "ana@example.com" }.get()
      let (done, _) = try await server.post(path, "")
      #expect(done.headers["Location"] == "/employees/7?done=reminded")
      let (_, page) = try await server.get("/employees/7?done=reminded")
      #expect(page.contains("Reminder queued. It is sent at once."))
      let (again, soon) = try await server.post(path, "")
      #expect(again.status == 422 && soon.contains("next reminder is possible in 10 minutes"))
      #expect(try await server.post("/employees/14/reminders", "").0.status == 404)
    }
  }
}
