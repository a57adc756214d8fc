import GuardRules
import ManagerCore
import PeopleOperations
import ReadModels
import ReviewOperations
import ShiftDomain
import Testing

@testable import WebPages

@Suite("Breaks and past shifts on pages") struct CorrectedBreakPageTests {
  private let manager = Principal(
    actor: AuditActor(name: "Mate"), role: .manager, teams: [TeamID(1): .coverage])

  private func breaks(_ employee: Int32, _ server: PageServer, shift: Int32 = 1) async throws
    -> [String]
  {
    let id = ShiftID(employee: EmployeeID(employee), number: shift)
    return try await server.day.operations.insight.shiftDetails(of: id).times.breaks.map { pause in
      [pause.start, pause.end].map { $0?.rfc3339.dropFirst(11).prefix(5) ?? "on" }
        .joined(separator: "–")
    }
  }

  // R: W21
  @Test("breaks are added, moved and removed without a script, and what was typed stays")
  func life() async throws {
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      let path = "/employees/12/shifts/1"
      func post(_ form: String) async throws -> (Int, String) {
        let tag = try await server.tag(on: path)
        let (response, text) = try await server.post(
          path + "/corrections",
          "start=2026-11-20T06:00&end=2026-11-20T10:11&reason=why&tag=\(tag)&" + form)
        return (response.status, text)
      }
      let (_, empty) = try await server.get(path)
      #expect(empty.contains(#"name="break1Start" type="time" value="""#))
      #expect(!empty.contains("Remove break 1") && !empty.contains("step="))
      for (form, fault) in [
        ("break1Start=08:00&break1End=10:30", "must lie within the shift"),
        ("break1Start=08:00&break1End=07:30", "must lie within the shift"),
        ("break1Start=05:30&break1End=06:30", "must lie within the shift"),
        ("break1Start=08:00&break1End=", "needs an end"),
        ("break1Start=&break1End=08:00", "Enter the start of break 1 as a time"),
        ("break1Start=8&break1End=%00", "Enter the start of break 1 as a time"),
        ("break1Start=&break1End=", "Change the start, the end or a break first"),
      ] {
        let (status, text) = try await post(form)
        #expect(status == 422 && text.contains(fault), "\(form)")
      }
      #expect(try await post("break1Start=%22%3E&break1End=").1.contains(#"value="&quot;&gt;""#))
      #expect(try await post("break1Start=08:00&break1End=08:30").0 == 303)
      #expect(try await breaks(12, server) == ["07:00–07:30"])
      #expect(
        try await server.get(path).1.contains("<label class=\"tick\"><input type=\"checkbox\""))
      let two = "break1Start=08:10&break1End=08:30&break2Start=09:00&break2End=09:05"
      #expect(try await post(two).0 == 303)
      #expect(try await breaks(12, server) == ["07:10–07:30", "08:00–08:05"])
      let overlap = "break1Start=08:10&break1End=09:02&break2Start=09:00&break2End=09:05"
      #expect(try await post(overlap).1.contains("Two breaks overlap."))
      #expect(
        try await post(two + "&break1Remove=yes").0 == 303)
      #expect(try await breaks(12, server) == ["08:00–08:05"])
      let (_, text) = try await server.get(path)
      #expect(
        text.contains("Mate changed breaks from 08:10–08:30, 09:00–09:05 to 09:00–09:05"), "\(text)"
      )
      #expect(text.contains("The breaks were: 08:10–08:30, 09:00–09:05."))
    }
  }

  // R: W21
  @Test("an open shift ends now, and a break that lasts stays unless it is given an end")
  func open() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let path = "/employees/15/shifts/1"
      let (_, text) = try await server.get(path)
      #expect(text.contains(#"name="break1Start" type="time" value="11:18""#), "\(text)")
      let form = "start=2026-11-20T06:57&end=&reason=why&break1Start=11:18"
      let (kept, _) = try await server.post(
        path + "/corrections",
        form + "&break1End=&break2Start=08:00&break2End=08:05&tag=\(server.tag(on: path))")
      #expect(kept.status == 303)
      #expect(try await breaks(15, server) == ["07:00–07:05", "10:18–on"])
      let (ended, _) = try await server.post(
        path + "/corrections",
        "start=2026-11-20T06:57&end=&reason=Lost&shortcut=now&tag=\(server.tag(on: path))")
      #expect(ended.status == 303)
      #expect(try await breaks(15, server) == ["07:00–07:05", "10:18–10:42"])
    }
  }

  // R: W21, W1
  @Test("a past shift is added by local times, also in the nights of the clock change")
  func added() async throws {
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      let path = "/employees/13/shifts"
      #expect(try await server.get(path).1.contains(#"<h2 id="add">Add a past shift</h2>"#))
      let night = "day=2026-10-24&from=22:00&to=06:00&reason=%3Cb%3E"
      for (form, fault) in [
        ("day=&from=08:00&to=16:00&reason=r", "Enter the day"),
        ("day=2026-11-19&from=8&to=16:00&reason=r", "Enter the start as a time"),
        ("day=2026-11-19&from=08:00&to=&reason=r", "Enter the end as a time"),
        ("day=2026-11-21&from=08:00&to=16:00&reason=r", "in the future"),
        ("day=2026-08-19&from=08:00&to=16:00&reason=r", "in the last 60 days"),
        ("day=2026-11-19&from=08:00&to=16:00&reason=+", "A reason must have"),
        (
          "day=2026-10-25&from=02:30&to=06:00&reason=r", "shows 02:30 twice on the day of the start"
        ),
        ("day=2026-03-29&from=02:30&to=06:00&reason=r", "enter 01:59 or 03:00"),
        (night + "&break1Start=02:30&break1End=02:45", "twice on the day of the start of break 1"),
      ] {
        let (response, text) = try await server.post(path, form)
        #expect(response.status == 422 && text.contains(fault), "\(form)")
      }
      let (_, typed) = try await server.post(path, night + "&break1Start=02:30&break1End=02:45")
      #expect(typed.contains(#"value="&lt;b&gt;""#) && typed.contains(#"value="22:00""#))
      let (done, text) = try await server.post(
        path,
        night + "&break1Start=02:30&break1StartAgain=second&break1End=02:45&break1EndAgain=second")
      #expect(done.headers["Location"] == path + "/1?done=added", "\(text)")
      #expect(try await breaks(13, server) == ["01:30–01:45"])
      let (_, page) = try await server.get(path + "/1?done=added")
      for part in [
        "Shift added. The employee is asked to confirm it.", "Added by Mate", "“&lt;b&gt;”",
        "<dt>Working time</dt><dd>8:45</dd>", "02:30:00+01:00",
      ] {
        #expect(page.contains(part), "\(part) in \(page)")
      }
      let sheet = try await server.get("/time-sheets?from=2026-10-24&to=2026-10-24").1
      #expect(sheet.contains("Not confirmed") && sheet.contains("<dd>0:00</dd>"), "\(sheet)")
      #expect(!sheet.contains("name=\"shift\" checked"))
      let (twice, again) = try await server.post(path, night.replacing("%3Cb%3E", with: "other"))
      #expect(twice.status == 422 && again.contains("overlap shift 1"), "\(again)")
    }
  }

  // R: W21, W1
  @Test("a time zone with quarters of an hour is like any other")
  func quarters() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      _ = try await server.day.operations.people.changeTeam(
        TeamID(1), TeamChange(timeZone: "Asia/Kathmandu"), by: PageServer.principal
      ).get()
      let (done, text) = try await server.post(
        "/employees/13/shifts",
        "day=2026-11-19&from=09:15&to=17:00&reason=r&break1Start=12:30&break1End=13:00")
      #expect(done.status == 303, "\(text)")
      #expect(try await breaks(13, server) == ["06:45–07:15"])
      #expect(
        try await server.get("/employees/13/shifts/1").1.contains(#"value="2026-11-19T09:15""#))
    }
  }

  // R: W21
  @Test("of an objection to an added shift only an administrator decides, with a reason")
  func objection() async throws {
    for (principal, isOffered) in [(PageServer.principal, true), (manager, false)] {
      try await withQuietServer(DemoDay.demoTeams, principal: principal) { server in
        let path = "/employees/12/shifts/2"
        _ = try await server.post(
          "/employees/12/shifts", "day=2026-11-19&from=08:00&to=16:00&reason=r")
        let phone = try server.day.phone(12)
        let device = server.day.operations.device
        let times = try await device.ownTimes(of: [2], for: phone.credential)
        _ = try await device.objectToTimes(
          ofShift: 2, seen: times[0].revision, because: "I was ill", from: phone.credential,
          receipt: server.day.receipt)
        let (_, text) = try await server.get(path)
        #expect(text.contains("I was ill") && text.contains("Reason to keep") == isOffered)
        let tag = try await server.tag(on: path)
        let (bare, _) = try await server.post(path + "/accept", "tag=\(tag)")
        #expect(bare.status == 422)
        let (done, _) = try await server.post(path + "/accept", "tag=\(tag)&reason=was+there")
        #expect(done.status == (isOffered ? 303 : 422))
      }
    }
  }
}
