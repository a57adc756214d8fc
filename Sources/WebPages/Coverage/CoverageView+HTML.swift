import CivilTime
import GuardRules
import ReadModels
import ShiftDomain

extension CoverageView {
  var page: Page {
    Page(
      "Coverage", in: .coverage, line: "<p>\(period.name(asOf: today))</p>",
      """
      \(picker)
      \(fault.map { .fault($0) } ?? report)
      """)
  }

  private var report: HTML {
    guard total.shifts > 0 else {
      return "<p class=\"card\">No shift began in this period.</p>"
    }
    let teamTable: HTML? = teams.count > 1 ? table("team", "By team", "Team", teams) : nil
    let dayLines = days.map { day in
      let only = CoveragePeriod(from: day.date, to: day.date)
      return CoverageLine(
        name: day.date.short(asOf: today), path: path(team: team, only), tally: day.tally)
    }
    let isLong = period.from.monday != period.to.monday
    return """
      \(CoverageBar.patterns)
      <div class="columns even">
      <div>\(statistics)</div><div>\(causes)</div>
      </div>
      \(days.count > 1 ? DayChart(days: everyDay).html : nil)
      \(teamTable)\(isLong ? table("week", "By week", "Week", weekLines) : nil)\
      \(days.count > 1 ? table("day", "By day", "Day", dayLines) : nil)\
      \(table("employee", "By employee", "Employee", employees))
      <p class="aside">A shift counts in full on the day it began. Time to track excludes breaks, \
      outages of this service, and time in which no phone was asked to track. Employees are listed \
      by name.</p>
      """
  }

  /// Of the first and the last week only the days in the period count.
  private var weekLines: [CoverageLine] {
    weeks.map { week in
      let only = CoveragePeriod(
        from: max(week.monday, period.from), to: min(week.monday.advanced(by: 6), period.to))
      let (first, last) = (only.from.short(asOf: today), only.to.short(asOf: today))
      return CoverageLine(
        name: first == last ? first : "\(first) – \(last)", path: path(team: team, only),
        tally: week.tally)
    }
  }

  /// Also those without a shift.
  private var everyDay: [(date: CivilDate, tally: CoverageSummary)] {
    let last = max(period.from, min(period.to, today))
    return (period.from.daysSince1970...last.daysSince1970).map { number in
      let date = CivilDate(daysSince1970: number)
      return (date, days.first { $0.date == date }?.tally ?? CoverageSummary())
    }
  }

  private var picker: HTML {
    """
    \(PeriodForm(
      action: "/coverage", choices: choices, team: team, from: period.from, to: period.to
    ).html)
    <nav class="shortcuts" aria-label="Periods"><ul>\(shortcuts)</ul></nav>
    """
  }

  private var shortcuts: [HTML] {
    let firstOfMonth = CivilDate(year: today.year, month: today.month, day: 1) ?? today
    let lastOfMonth = firstOfMonth.advanced(by: -1)
    let periods: [(HTML, CoveragePeriod)] = [
      ("Today", CoveragePeriod(from: today, to: today)),
      (
        "Yesterday",
        CoveragePeriod(from: today.advanced(by: -1), to: today.advanced(by: -1))
      ),
      ("Last 7 days", CoveragePeriod(from: today.advanced(by: -6), to: today)),
      ("This month", CoveragePeriod(from: firstOfMonth, to: today)),
      (
        "Last month",
        CoveragePeriod(
          from: CivilDate(year: lastOfMonth.year, month: lastOfMonth.month, day: 1) ?? lastOfMonth,
          to: lastOfMonth)
      ),
    ]
    return periods.map { name, other in
      """
      <li><a href="\(path(team: team, other))"\
      \(" aria-current=\"true\"", if: other == period)>\(name)</a>
      """
    }
  }

  private var statistics: HTML {
    """
    <section aria-labelledby="whole"><h2 id="whole">Overview</h2>
    <dl class="statistics big">\(trackedFigure(permille: total.permille))\
    <div><dt>Time to track</dt><dd>\(total.accountable.hoursAndMinutes)</dd></div>\
    <div><dt>Shifts</dt><dd>\(total.shifts)</dd></div></dl>
    \(StackedBar(total).html)
    \(CoverageBar.legend)
    \(comparison)
    </section>
    """
  }

  private var comparison: HTML? {
    guard let (period, tally) = before else { return nil }
    let tracked: HTML? = tally.permille.map { "\(percent(permille: $0)) tracked, " }
    return """
      <p class="aside"><a href="\(path(team: team, period))">\(period.name(asOf: today))</a>: \
      \(tracked)\(tally.accountable.hoursAndMinutes) to track in \
      \(tally.shifts == 1 ? "1 shift" : "\(tally.shifts) shifts").</p>
      """
  }

  /// Reasons, the longest first; employees are never ranked.
  private var causes: HTML {
    let longest = total.durations.causes.first.map { total.durations[$0].milliseconds } ?? 1
    let rows = total.causes.map { cause -> HTML in
      let share = max(1, total.durations[cause].milliseconds * 1_000 / max(1, longest))
      let look = BarLook(cause)
      return """
        <li><span>\(cause.name)</span><b>\(total.durations[cause].words)</b>\
        <svg aria-hidden="true"><rect width="\(share / 10).\(share % 10)%"\(look.mark) /></svg>
        """
    }
    let none: HTML = "<p>Every minute was tracked.</p>"
    return """
      <section aria-labelledby="causes"><h2 id="causes">Why time was not tracked</h2>
      \(rows.isEmpty ? none : "<ol class=\"causes\">\(rows)</ol>")</section>
      """
  }

  private func table(
    _ key: String, _ title: HTML, _ column: HTML, _ lines: [CoverageLine]
  ) -> HTML {
    let most = lines.map(\.tally.lost).max() ?? .zero
    let rows = lines.map { line -> HTML in
      let name: HTML = line.path.map { "<a href=\"\($0)\">\(line.name)</a>" } ?? "\(line.name)"
      let lost = line.tally.causes.prefix(2).map {
        "\($0.name) \(line.tally.durations[$0].words)" as HTML
      }
      return """
        <tr><th scope="row">\(name)<td class="number">\
        \(line.tally.permille.map { percent(permille: $0) } ?? "–")<td class="number">\
        \(line.tally.accountable.hoursAndMinutes)<td class="number shifts">\(line.tally.shifts)\
        <td class="wide">\(StackedBar(lostOf: line.tally, most: most).html)\
        <td>\(lost.joined(by: ", "))

        """
    }
    let query = Query().with("from", period.from.text).with("to", period.to.text)
      .with("team", team.map { String($0.rawValue) }).with("by", key).with("format", "csv")
    let file: HTML = "<a class=\"file\" href=\"/v1/coverage\(query.text)\">CSV</a>"
    return """
      <section class="card" aria-labelledby="by-\(key)">
      <div class="title"><h2 id="by-\(key)">\(title)</h2>\(hasDownloads ? file : nil)</div>
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="by-\(key)">\
      <table class="totals"><thead><tr><th scope="col">\(column)\
      <th scope="col" class="number">Tracked\
      <th scope="col" class="number">Time to track<th scope="col" class="number shifts">Shifts\
      <th scope="col" class="wide">Not tracked\
      <th scope="col">Main causes</thead>\(rows)</table></div>
      </section>
      """
  }
}

extension CoveragePeriod {
  fileprivate func name(asOf today: CivilDate) -> String {
    let first = from.long(asOf: today)
    return from == to ? first : "\(first) to \(to.long(asOf: today))"
  }
}

extension BarLook {
  /// The look of a reason whose risk is no longer known.
  init(_ reason: CoverageReason) {
    let nothing = Interval(from: Instant(milliseconds: 0), to: Instant(milliseconds: 0))
    self.init(CoverageSegment(interval: nothing, reason: reason, isAtRisk: false))
  }
}

/// Time by look, side by side.
struct StackedBar: Sendable {
  private var parts: [(look: BarLook, from: Int64, to: Int64)] = []

  /// All of the time, filling the width.
  init(_ tally: CoverageSummary) {
    self.init(tally, BarLook.allCases, whole: tally.accountable)
  }

  /// Untracked time, on a scale that ends at `most`.
  init(lostOf tally: CoverageSummary, most: TimeSpan) {
    self.init(tally, [.permission, .silent, .waiting], whole: most)
  }

  private init(_ tally: CoverageSummary, _ looks: [BarLook], whole: TimeSpan) {
    var before: Int64 = 0
    for look in looks where look != .pause && look != .outage {
      let from = before * 1_000 / max(1, whole.milliseconds)
      before += tally[looking: look].milliseconds
      let to = min(1_000, before * 1_000 / max(1, whole.milliseconds))
      if to > from { parts.append((look, from, to)) }
    }
  }

  /// A drawing without text: the figures are next to it.
  var html: HTML {
    let pieces = parts.map { part -> HTML in
      let width = part.to - part.from
      return """
        <rect x="\(part.from / 10).\(part.from % 10)%" width="\(width / 10).\(width % 10)%"\
        \(part.look.mark) />
        """
    }
    return "<svg class=\"stacked\" aria-hidden=\"true\">\(pieces)</svg>"
  }
}

/// One column for each day: its height is the time to track, its colours are the reasons.
struct DayChart: Sendable {
  var days: [(date: CivilDate, tally: CoverageSummary)]
  private static let height = 150

  private var isRoomy: Bool { days.count <= 14 }
  private var slot: Int { isRoomy ? 56 : days.count <= 45 ? 26 : 8 }

  var html: HTML {
    let most = max(1, days.map(\.tally.accountable.milliseconds).max() ?? 1)
    let columns = days.enumerated().map { place, day in column(day, place, most: most) }
    return """
      <section class="card" aria-labelledby="chart"><h2 id="chart">Day by day</h2>
      <svg class="chart\(" few", if: isRoomy)" role="img" \
      aria-label="Time of each day by reason; the table below has the same data." \
      viewBox="0 0 \(slot * max(7, days.count)) 190">\(columns)</svg></section>
      """
  }

  private func column(
    _ day: (date: CivilDate, tally: CoverageSummary), _ place: Int, most: Int64
  ) -> HTML {
    var top = Self.height
    var before: Int64 = 0
    var pieces: [HTML] = []
    for look in BarLook.allCases where look != .pause && look != .outage {
      before += day.tally[looking: look].milliseconds
      let next = Self.height - Int(before * Int64(Self.height) / most)
      guard next < top else { continue }
      pieces.append(
        """
        <rect x="\(place * slot + slot / 8)" y="\(next)" width="\(slot * 3 / 4)" \
        height="\(top - next)"\(look.mark) />
        """)
      top = next
    }
    let middle = place * slot + slot / 2
    guard days.count <= 45 || day.date.day == 1 || day.date.day == 15 else {
      return "\(pieces)"
    }
    let name = isRoomy ? day.date.inWeek : String(day.date.day)
    return """
      \(pieces)<text x="\(middle)" y="167">\(name)</text>\
      <text x="\(middle)" y="184">\(share(day.tally.permille))</text>
      """
  }
  private func share(_ permille: Int?) -> String {
    permille.map { isRoomy ? percent(permille: $0) : "\($0 / 10)" } ?? ""
  }
}
