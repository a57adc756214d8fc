import GuardRules
import ManagerCore
import PeopleOperations
import ReadModels
import ShiftDomain
import Testing

@testable import WebPages

@Suite("Absences on pages") struct AbsencePageTests {
  private let manager = Principal(
    actor: AuditActor(name: "Mate"), role: .manager, teams: [TeamID(1): .coverage])

  private func absences(_ server: PageServer) async throws -> [Absence] {
    try await server.day.operations.people.absences(ListFilter(in: TeamScope()), limit: 99).rows
  }

  // R: G3
  @Test("is added for whole days or with times, listed, and removed again")
  func life() async throws {
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      let path = "/employees/13"
      #expect(try await server.get(path + "/shifts").1.contains("No absences."))
      _ = try await server.post(path + "/planned-shifts", "day=2026-11-23&from=08:00&to=16:00")
      for form in [
        "first=2026-11-23&from=&last=2026-11-27&to=&note=%3Db%3EVacation%3C%2Fb%3E",
        "first=2026-11-30&from=&last=2026-11-30&to=24:00&note=",
        "first=2026-12-01&from=08:00&last=2026-12-01&to=12:30&note=+",
        "first=2026-12-02&from=08:00&last=2026-12-04&to=12:00",
      ] {
        let (done, text) = try await server.post(path + "/absences", form)
        #expect(
          done.headers["Location"] == "/employees/13/shifts?done=absenceAdded", "\(form): \(text)")
      }
      let day = DemoDay.six - .hours(6)
      let stored = try await absences(server)
      #expect(stored.first?.span == Interval(from: day + .hours(72), to: day + .hours(192)))
      #expect(stored.map(\.note) == ["=b>Vacation</b>", nil, nil, nil])
      let (_, text) = try await server.get("/employees/13/shifts?done=absenceAdded")
      for part in [
        "Absence added.", "<p>Mon 23 Nov–Fri 27 Nov</p><p>=b&gt;Vacation&lt;/b&gt;</p>",
        "<p>Mon 30 Nov</p>", "<p>Tue 1 Dec, 08:00–12:30</p>",
        "<p>Wed 2 Dec, 08:00–Fri 4 Dec, 12:00</p>", "Added by Mate", "Absent at the start:",
      ] {
        #expect(text.contains(part), "\(part) in \(text)")
      }
      let remove = try #require(text.firstMatch(of: /action=\S([^ ]+absences[^ ]+\/remove)/)).1
      let (_, question) = try await server.post(String(remove), "")
      #expect(question.contains("Remove the absence Mon 23 Nov–Fri 27 Nov?"))
      #expect(try await absences(server).count == 4)
      let (gone, _) = try await server.post(String(remove), "sure=yes")
      #expect(gone.headers["Location"] == "/employees/13/shifts?done=absenceRemoved")
      #expect(try await absences(server).count == 3)
      #expect(!(try await server.get(path + "/shifts").1.contains("Absent at the start:")))
      let (again, _) = try await server.post(String(remove), "")
      #expect(again.headers["Location"] == "/employees/13/shifts")
    }
  }

  // R: G3
  @Test("that is invalid is refused with the reason, and what was typed stays")
  func faults() async throws {
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      _ = try await server.post("/employees/13/absences", "first=2026-11-23&last=2026-11-27")
      for (form, fault) in [
        ("first=&last=2026-12-01", "Enter the first and the last day"),
        ("first=2026-02-30&last=2026-12-01", "Enter the first and the last day"),
        ("first=2026-12-02&last=2026-12-01", "Enter the first and the last day"),
        ("first=2026-12-01&from=25:00&last=2026-12-01", "Enter the first and the last day"),
        ("first=2026-12-01&from=09:00&last=2026-12-01&to=09:00", "Enter the first and the last"),
        ("first=2026-11-27&from=23:59&last=2026-12-01", "absence from Mon 23 Nov, 00:00 to Sat"),
        ("first=2026-12-01&last=2027-12-02", "at most 366 days"),
        ("first=2026-12-01&last=2026-12-02&note=a%0Ab", "on one line"),
      ] {
        let (response, text) = try await server.post("/employees/13/absences", form)
        #expect(response.status == 422 && text.contains(fault), "\(form): \(text)")
      }
      let (_, text) = try await server.post(
        "/employees/13/absences", "first=x&last=x&from=%22%3E&note=%22%3E%3Cb%3E")
      #expect(text.contains(#"name="from" type="time" value="&quot;&gt;""#))
      #expect(text.contains(#"value="&quot;&gt;&lt;b&gt;""#))
      #expect(try await absences(server).count == 1)
    }
  }

  // R: W11
  @Test("of an employee of another team is neither shown nor changed")
  func tenancy() async throws {
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      let boss = Principal(actor: AuditActor(name: "Boss"), role: .administrator)
      let start = DemoDay.six + .hours(24)
      let other = try await server.day.operations.people.addAbsence(
        of: EmployeeID(14), Interval(from: start, to: start + .hours(1)), note: "x", by: boss
      ).get().row
      for path in [
        "/employees/14/absences", "/employees/14/absences/\(other.id)/remove",
        "/employees/99/absences",
      ] {
        let (answer, _) = try await server.post(
          path, "first=2026-12-01&last=2026-12-02&sure=yes")
        #expect(answer.status == 404, "\(path)")
      }
      // Of an employee of theirs there is none with this id.
      _ = try await server.post("/employees/13/absences/\(other.id)/remove", "sure=yes")
      #expect(try await absences(server) == [other])
    }
  }

  // R: W1, G3
  @Test("on the nights of the clock change lasts as long as the clock says")
  func clockChange() async throws {
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      for (form, remark) in [
        ("first=2027-03-28&last=2027-03-28", ""),
        ("first=2027-10-31&last=2027-10-31", ""),
        // 2:30 is skipped, and shown twice.
        ("first=2028-03-26&from=02:30&last=2028-03-26&to=06:00", "&clock=skipped"),
        ("first=2028-10-29&from=01:00&last=2028-10-29&to=02:30", "&clock=twice"),
      ] {
        let (done, text) = try await server.post("/employees/13/absences", form)
        #expect(
          done.headers["Location"] == "/employees/13/shifts?done=absenceAdded" + remark,
          "\(form): \(text)")
      }
      let lengths = try await absences(server).map(\.span.length)
      #expect(
        lengths == [.hours(23), .hours(25), .minutes(150), .minutes(90)], "\(lengths)")
    }
  }
}
