import GuardRules
import ShiftDomain

/// The figures of a team's week. Names no employee and holds no position.
package struct TeamWeek: Sendable {
  package var name: String
  /// Days from 1970-01-01 to its Monday.
  package var week: Int32
  package var shifts: Int32
  package var openReviews: Int32
  package var durations: CoverageDurations
  /// The address of the pages, such as `https://shifts.example.com`, and the number of the team;
  /// `nil`: the address is not known.
  package var page: (origin: String, team: TeamID)?

  package init(
    name: String, week: Int32, shifts: Int32, openReviews: Int32, durations: CoverageDurations,
    page: (origin: String, team: TeamID)? = nil
  ) {
    self.name = name
    self.week = week
    self.shifts = shifts
    self.openReviews = openReviews
    self.durations = durations
    self.page = page
  }

  fileprivate var first: String { date(ofDay: Int64(week)) }
  fileprivate var last: String { date(ofDay: Int64(week) + 6) }
}

/// How many causes a digest names, the longest first.
private let causesMax = 3

/// The weekly digest for a manager: the figures as lines, and the main causes as steps.
package func digestText(_ week: TeamWeek, in language: Language = .english) -> NotificationText {
  let texts = catalogue(of: language)
  let totals = week.durations.totals
  let causes = week.durations.causes
  var lines = [
    "\(week.name), \(week.first) – \(week.last)",
    "\(texts.phrases[.digestHours]) \(week.durations.worked.hoursAndMinutes)",
    "\(texts.phrases[.digestTracked]) \(totals.permille.map { percent($0, in: language) } ?? "–")",
    "\(texts.phrases[.digestShifts]) \(week.shifts)",
    "\(texts.phrases[.digestReviews]) \(week.openReviews)",
  ]
  if let page = week.page {
    let path = "/coverage?from=\(week.first)&to=\(week.last)&team=\(page.team.rawValue)"
    lines.append("\(texts.phrases[.digestPage]) \(page.origin)\(path)")
  }
  lines += [
    texts.phrases[.digest], texts.phrases[causes.isEmpty ? .digestAllTracked : .digestCauses],
  ]
  return NotificationText(
    title: texts.phrases[.digestTitle], body: lines.joined(separator: "\n"),
    steps: causes.prefix(causesMax).map {
      "\(texts.causes[$0]), \(week.durations[$0].hoursAndMinutes)"
    }, action: .followSteps)
}

/// `2026-11-16`
private func date(ofDay day: Int64) -> String {
  let date = CivilCalendar.date(ofDay: day)
  func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
  return "\(date.year)-\(padded(date.month))-\(padded(date.day))"
}

/// `98.2 %`, rounded down already; with a comma where the language has one.
private func percent(_ permille: Int, in language: Language) -> String {
  let mark = language == .english ? "." : ","
  return permille == 1_000
    ? "100\u{202F}%" : "\(permille / 10)\(mark)\(permille % 10)\u{202F}%"
}
