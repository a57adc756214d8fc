import DeviceOperations
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("Dates on the pages of shifts") struct PageDateTests {
  @Test("of another year show the year")
  func years() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      #expect(try await server.get("/employees/12/shifts").1.contains(">Fri 20 Nov</a>"))
      server.day.wait(.hours(60 * 24))
      #expect(try await server.get("/employees/12/shifts").1.contains(">Fri 20 Nov 2026</a>"))
      let (_, shift) = try await server.get("/employees/12/shifts/1")
      #expect(shift.contains("Friday 20 November 2026, 06:00–10:11 "))
    }
  }

  @Test("stand beside every time that is not of the day on which the shift began")
  func otherDay() async throws {
    let ana = DemoDay.DemoEmployee(number: 7, name: "Ana Horvat", team: 0, steps: [])
    try await DemoDay.run([ana]) { day in
      let phone = try await TestPhone.enrolled(in: day, employee: 7)
      let begin = day.now
      day.wait(.hours(20))
      let now = day.now
      let report = IncomingReport(
        .state(PermissionState(authorization: .always)), recordedAt: begin)
      _ = try await phone.clockIn("in") {
        ($0.occurredAt, $0.sentAt, $0.report) = (begin, now, report)
      }
      _ = try await phone.clockOut("out") { ($0.occurredAt, $0.sentAt) = (begin + .hours(5), now) }
      let (_, text) = try await PageServer(day).get("/employees/7/shifts/1")
      #expect(text.contains("<p>Made offline, received Sat 21 Nov, "), "\(text)")
      #expect(!text.contains("<time>Fri 20 Nov"), "\(text)")
    }
  }
}
