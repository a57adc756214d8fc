import CivilTime
import Foundation
import GuardRules
import ManagerCore
import ReadModels
import ShiftDomain
import Testing

@testable import WebPages

@Suite("The coverage page") struct CoveragePageTests {
  @Test("adds up the shifts of a day, and ranks causes, not employees")
  func day() async throws {
    try await withQuietServer(DemoDay.demoTeams) { server in
      let (response, text) = try await server.get("/coverage?from=2026-11-20")
      #expect(response.status == 200)
      for part in [
        "<h1>Coverage</h1><p>Friday 20 November</p>", "<dt>Shifts</dt><dd>17</dd>",
        "<li><span>Location access denied</span><b>42 min</b>",
        "<a href=\"/employees/14\">Maja Kralj</a><td class=\"number\">93.0\u{202F}%",
        #"<a href="/coverage?team=2&amp;from=2026-11-20&amp;to=2026-11-20">Harbour</a>"#,
      ] {
        #expect(text.contains(part), "\(part) in \(text)")
      }
      let names = ["Ana Horvat", "Ante Rukavina", "Luka Babić", "Zoran Pavlović"]
      let places = names.compactMap { text.range(of: $0)?.lowerBound }
      #expect(places == places.sorted() && places.count == 4)
      let (_, team) = try await server.get("/coverage?from=2026-11-20&team=3")
      #expect(team.contains("Lucija Grgić") && !team.contains("Maja Kralj"))
      let (_, none) = try await server.get("/coverage?from=2026-10-20&to=2026-10-21")
      #expect(none.contains("No shift began in this period"))
      let (_, old) = try await server.get("/coverage?from=2020-01-01&to=2020-01-31")
      #expect(old.contains("<p>Wednesday 1 January 2020 to Friday 31 January 2020</p>"))
    }
  }

  @Test("compares a period with the one before, whose own page says the same")
  func before() async throws {
    try await withQuietServer(DemoDay.week) { server in
      let (_, text) = try await server.get("/coverage?from=2026-11-20&to=2026-11-21")
      let sentence = try Regex(
        "<p class=\"aside\"><a href=\"(.+?)\">(.+?)</a>: (.+?)</p>",
        as: (Substring, Substring, Substring, Substring).self)
      let comparison = try #require(text.firstMatch(of: sentence))
      #expect(comparison.2 == "Wednesday 18 November to Thursday 19 November")
      let (_, earlier) = try await server.get(String(comparison.1).replacing("&amp;", with: "&"))
      let figures = try ["Tracked", "Time to track", "Shifts"].map { name in
        let pattern = try Regex("<dt>\(name)</dt><dd>(.+?)</dd>", as: (Substring, Substring).self)
        return try #require(earlier.firstMatch(of: pattern)).1
      }
      #expect(
        comparison.3
          == "\(figures[0]) tracked, \(figures[1]) to track in \(figures[2]) shifts.")
    }
  }

  @Test("shows days without a shift, and no cause that lasted no second")
  func quietDays() throws {
    var durations = CoverageDurations()
    (durations[.tracked], durations[.noFix]) = (.hours(8), .minutes(5))
    durations[.resuming] = .milliseconds(400)
    var tally = CoverageSummary()
    tally.add(durations, isOpen: false)
    let monday = try #require(CivilDate("2026-11-16"))
    let friday = monday.advanced(by: 4)
    var view = CoverageView(
      period: CoveragePeriod(from: monday, to: friday), choices: [], today: friday)
    (view.total, view.days) = (tally, [(monday, tally), (friday, tally)])
    let text = String(decoding: view.page.content.bytes, as: UTF8.self)
    #expect(text.matches(of: /y="167">/).count == 5)
    #expect(text.contains("<b>5 min</b>") && !text.contains("<b>0 s</b>"))
    let brief = Interval(from: Instant(milliseconds: 0), to: Instant(milliseconds: 999))
    let segment = CoverageSegment(interval: brief, reason: .noFix, isAtRisk: false)
    #expect(lostTime(in: [segment]).isEmpty)
  }

  // R: M6
  @Test("adds up weeks beside days, of the first and the last only the days of the period")
  func weeks() async throws {
    try await withQuietServer(DemoDay.week) { server in
      let (_, text) = try await server.get("/coverage?from=2026-11-14&to=2026-11-20")
      let link = """
        <a href="/coverage?from=2026-11-16&amp;to=2026-11-20">Mon 16 Nov – Fri 20 Nov</a>
        """
      #expect(text.contains("By week") && text.contains(link), "\(text)")
      let (_, days) = try await server.get("/coverage?from=2026-11-16&to=2026-11-20")
      #expect(days.contains("By day") && !days.contains("By week"))
    }
    let saturday = try #require(CivilDate("2026-11-14"))
    var tally = CoverageSummary()
    tally.add(CoverageDurations(), isOpen: false)
    var view = CoverageView(
      period: CoveragePeriod(from: saturday, to: saturday.advanced(by: 2)), choices: [],
      today: saturday.advanced(by: 9))
    (view.total, view.days) = (tally, [(saturday, tally)])
    view.weeks = [(saturday.monday, tally), (saturday.advanced(by: 2), tally)]
    let text = String(decoding: view.page.content.bytes, as: UTF8.self)
    #expect(text.contains(">Sat 14 Nov – Sun 15 Nov</a>") && text.contains(">Mon 16 Nov</a>"))
  }

  @Test("refuses invalid periods and hides other teams")
  func badInput() async throws {
    let manager = Principal(
      actor: AuditActor(name: "Mate"), role: .manager, teams: [TeamID(2): .coverage])
    try await withQuietServer(DemoDay.demoTeams, principal: manager) { server in
      for (query, status) in [
        ("from=2026-11-20&to=2026-11-19", 422), ("from=2000-01-01&to=2026-11-20", 422),
        ("from=0001-01-01&to=0001-01-02", 200), ("from=9999-12-30&to=9999-12-31", 200),
        ("from=9999-12-01", 422), ("to=0001-01-01", 200),
        ("from=2026-02-30", 422), ("from=%3Cscript%3E", 422), ("team=1", 404), ("team=x", 404),
        ("team=2", 200),
      ] {
        let (response, text) = try await server.get("/coverage?" + query)
        #expect(response.status == status, "\(query)")
        #expect(!text.contains("<script>"))
      }
      let (_, text) = try await server.get("/coverage?from=2026-11-20")
      #expect(text.contains("Maja Kralj") && !text.contains("Ana Horvat"))
      #expect(!text.contains("Coast"))
    }
  }

  @Test(
    "say which dates they understand",
    arguments: ["from=x", "to=2026-13-01", "from=&to=2026-11-20T00"])
  func noDate(_ query: String) async throws {
    try await withQuietServer { server in
      let (response, text) = try await server.get("/coverage?\(query)")
      #expect(response.status == 422 && text.contains("Enter dates such as 2026-11-30."))
    }
  }
}
