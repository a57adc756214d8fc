import DeviceOperations
import InsightOperations
import OperationCore
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("A clock-in that is accepted after its shift is over") struct AcceptedEndPageTests {
  /// Employee 12 sends the day before yesterday's clock-in and clock-out: numbers and times.
  private func send(in server: PageServer) async throws
    -> (clockIn: Int32, clockOut: Int32, start: Instant, end: Instant)
  {
    let phone = try await TestPhone.enrolled(in: server.day, employee: 12)
    let now = server.day.now
    let (start, end) = (now - .hours(50), now - .hours(42) + .milliseconds(7))
    _ = try await phone.clockIn("old in") {
      $0.occurredAt = start
      $0.report = .saying(.always)
      $0.report?.recordedAt = start
      $0.sentAt = now
    }
    _ = try await phone.clockOut("old out") {
      $0.occurredAt = end
      $0.sentAt = now
    }
    let rows = try await server.day.operations.reviews.clockActions(
      of: EmployeeID(12), awaitingOnly: true, limit: 9
    ).sorted { $0.at < $1.at }
    let (first, last) = (try #require(rows.first), try #require(rows.last))
    return (first.number, last.number, first.at, last.at)
  }

  // R: W3, W14
  @Test("has the clock-out as its end, which is accepted with it")
  func both() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let sent = try await send(in: server)
      let (_, queue) = try await server.get("/reviews")
      for part in [
        "<td>Clock-in<td>", "<td>Clock-out<td>", "Accept the shift from Wed 18 Nov, 09:42",
        #"value="2026-11-18T17:42" aria-label="End for "#,
        "It ends the clock-in at Wed 18 Nov, 09:42, and is accepted with it.",
      ] {
        #expect(queue.contains(part), "\(part) in \(queue)")
      }
      let (_, page) = try await server.get("/employees/12")
      #expect(page.contains("Clock-out at Wed 18 Nov, 17:42: your decision is needed"))
      #expect(!page.contains(">Correct the shift<"), "the shift is not there yet")
      let form =
        "reason=ok&proposed=\(sent.end.milliseconds)&end=2026-11-18T17%3A42&next=reviews"
      let (done, _) = try await server.post(
        "/employees/12/clock-actions/\(sent.clockIn)/accept", form)
      #expect(done.headers["Location"] == "/reviews?done=accepted")
      let (_, after) = try await server.get("/reviews?done=accepted")
      #expect(after.contains("Shift accepted. The employee sees it in the app."))
      #expect(!after.contains("clock-actions/\(sent.clockIn)/") && !after.contains("Clock-out<td>"))
      let shifts = try await server.day.operations.insight.shifts(
        of: EmployeeID(12), openOnly: false, limit: 9)
      let shift = try #require(
        shifts.first { $0.startedAt == sent.start && $0.endedAt == sent.end })
      // Nobody was asked to track it, and nothing had to be overridden.
      let (_, details) = try await server.get("/employees/12/shifts/\(shift.shift.number)")
      for part in ["<dt>Working time</dt><dd>8:00</dd>", "Accepted by Mira Lončar: “ok”"] {
        #expect(details.contains(part), "\(part) in \(details)")
      }
      #expect(try await server.get("/employees/12").1.contains("Accepted clock-in: “ok”"))
    }
  }

  // R: W3, W14
  @Test("is found behind another employee's hundred, and keeps its clock-out on another page")
  func behindOthers() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let sent = try await send(in: server)
      let other = try await TestPhone.enrolled(in: server.day, employee: 11)
      for minute in 1...99 {
        _ = try await other.clockOut("out \(minute)") {
          $0.occurredAt = server.day.now - .hours(30) + .minutes(Int64(minute))
          $0.sentAt = server.day.now
        }
      }
      let (_, first) = try await server.get("/reviews")
      #expect(first.contains("It ends the clock-in at Wed 18 Nov, 09:42"))
      #expect(!first.contains("Accept the shift from"))
      let older = try #require(first.firstMatch(of: /href="(\S+)#clock-actions">Older</)).1
      let (_, second) = try await server.get(String(older))
      for part in [
        "Accept the shift from Wed 18 Nov, 09:42",
        #"value="2026-11-18T17:42" aria-label="End for "#, ">Tomislav Jurić</a>",
      ] {
        #expect(second.contains(part), "\(part) in \(second)")
      }
      #expect(!second.contains(">Older<"))
      let rows = [first, second].map { page in
        page.matches(of: /<th scope="row">(?:<input[^>]*>\s*)?<a href="\S+#clock-action-/).count
      }
      #expect(rows == [100, 2])
      #expect(sent.clockIn < sent.clockOut)
      let beyond = try await server.get("/reviews?clock-actions=1.1.1").0
      #expect(beyond.headers["Location"] == "/reviews")
      #expect(try await server.get("/reviews?clock-actions=1.2").0.status == 404)
    }
  }

  @Test("may get another end, and keeps what was typed if that is refused")
  func typed() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let sent = try await send(in: server)
      let path = "/employees/12/clock-actions/\(sent.clockIn)/accept"
      let proposed = "&proposed=\(sent.end.milliseconds)"
      for (end, fault) in [
        ("", "The shift would exceed its maximum length; give an early enough end."),
        ("2026-11-18T09%3A00%3A00", "The shift must end after its start."),
        ("soon", "Enter the end as a date and time."),
      ] {
        let (refused, text) = try await server.post(path, "reason=kept&end=\(end)\(proposed)")
        #expect(refused.status == 422 && text.contains(fault), "\(text)")
        #expect(text.contains(#"value="kept""#))
        #expect(text.contains(#"value="\#(end.replacing("%3A", with: ":"))""#))
      }
      // What is proposed comes from outside, and counts only if it is what was typed.
      let (done, _) = try await server.post(
        path, "reason=ok&end=2026-11-18T16%3A00%3A00&proposed=\(Int64.max)")
      #expect(done.headers["Location"] == "/employees/12?done=accepted")
      // The clock-out says something else than the manager, so it is a question of its own.
      let (_, text) = try await server.get("/employees/12")
      #expect(text.contains("shifts/2?clockAction=\(sent.clockOut)#correct"), "\(text)")
    }
  }

  // R: W14
  @Test("may have an end that the clock shows twice, which is asked, or never, which is refused")
  func unclear() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let sent = try await send(in: server)
      for path in ["/employees/12/clock-actions/\(sent.clockIn)", "/employees/23/clock-actions/1"] {
        let (asked, question) = try await server.post(
          path + "/accept", "reason=kept&end=2026-10-25T02%3A50")
        #expect(asked.status == 422)
        let own = try #require(question.firstRange(of: path + "/accept")?.upperBound)
        let end = try #require(question[own...].firstRange(of: "</form>")?.lowerBound)
        let form = question[own..<end]
        for part in [
          "The clock shows 02:50 twice", #"name="endAgain" value="second""#, #"value="kept""#,
          #"value="2026-10-25T02:50""#,
        ] {
          #expect(form.contains(part), "\(part) in \(form)")
        }
        let (_, answered) = try await server.post(
          path + "/accept", "reason=kept&end=2026-10-25T02%3A50&endAgain=second")
        #expect(answered.contains("The shift must end after its start."))
        let (refused, text) = try await server.post(
          path + "/accept", "reason=kept&end=2026-03-29T02%3A30")
        #expect(refused.status == 422 && text.contains("enter 01:59 or 03:00"))
      }
    }
  }

  @Test("a superseded clock-in is accepted as a closed shift over its claimed time")
  func acceptedClaim() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let (_, text) = try await server.get("/employees/23")
      let field = try #require(text.firstMatch(of: /name="proposed" value="(\d+)"/)?.1)
      #expect(text.contains(#"value="2026-11-20T11:10""#), "\(text)")
      let (done, _) = try await server.post(
        "/employees/23/clock-actions/1/accept",
        "proposed=\(field)&end=2026-11-20T11:10&reason=Was+there")
      #expect(done.headers["Location"] == "/employees/23?done=accepted")
      let (_, shifts) = try await server.get("/employees/23/shifts")
      #expect(shifts.contains("<td>11:00–11:10<td") && shifts.contains("<td>11:10–open<td"))
      #expect(try await !server.get("/employees/23").1.contains("Claimed working time"))
    }
  }
}
