import GuardRules
import ReadModels
import ShiftDomain

extension StatisticsView {
  var page: Page {
    Page(
      setting: "System performance", line: "<p>Measured on your teams’ phones</p>",
      """
      <div class="columns even"><div>\(speed)</div><div>\(goals)</div></div>
      \(misses)
      <p class="aside">As of \(clock.toTheSecond(detection.asOf)). Detection time runs from the \
      last byte of a phone’s report until the interruption and its notification are \
      saved.</p>
      """)
  }

  private var speed: HTML {
    let spans = detection.measured
    let rate = spans.permille(within: detectionMax).map { percent(permille: $0) } ?? "–"
    let durations = [
      ("within \(detectionMax.exactWords)", rate),
      ("median", spans.quantile(permille: 500)?.exactWords ?? "–"),
      ("99th percentile", spans.quantile(permille: 990)?.exactWords ?? "–"),
      ("longest", spans.spans.last?.exactWords ?? "–"),
    ].map { "<div><dt>\($0)</dt><dd>\($1)</dd></div>" as HTML }
    let none: HTML = """
      <p class="aside">No phone lost its permission during a shift in this period.</p>
      """
    return """
      <section aria-labelledby="speed"><h2 id="speed">Detection in the last 24 hours</h2>
      <dl class="statistics">\(durations)</dl>
      \(spans.spans.isEmpty ? none : histogram)</section>
      """
  }

  /// One row for each column of the histogram, readable on a phone and by a screen reader.
  private var histogram: HTML {
    let columns = detection.histogram
    let most = max(1, columns.map(\.count).max() ?? 1)
    let rows = columns.map { column -> HTML in
      let width = column.count == 0 ? 0 : max(1, column.count * 100 / most)
      let isMiss = column.within == nil
      let name: HTML =
        column.within.map { "up to \($0.exactWords)" } ?? "over \(detectionMax.exactWords)"
      return """
        <tr><th scope="row">\(name)<td><svg class="column" aria-hidden="true">\
        <rect width="\(width)%"\(" class=\"p\"", if: isMiss) /></svg>\
        <td class="number">\(column.count)

        """
    }
    return """
      \(CoverageBar.patterns)<table class="histogram"><caption class="hidden">Number of \
      downgrades by detection time</caption><thead><tr><th scope="col">Time<th scope="col">\
      <span class="hidden">As a bar</span><th scope="col" class="number">Count</thead>\
      \(rows)</table>
      """
  }

  private var misses: HTML? {
    let all = detection.misses
    guard !all.isEmpty else { return nil }
    let rows = all.suffix(Self.missesMax).reversed().map { row -> HTML in
      let number = row.incident.employee.rawValue
      let shift = row.shift.map { shift -> HTML in
        "<a href=\"/employees/\(number)/shifts/\(shift.number)\">shift \(shift.number)</a>"
      }
      return """
        <tr><td>\(clock.short(row.receivedAt))<th scope="row"><a href="/employees/\(number)">\
        \(row.name ?? "Employee \(number)")</a><td class="number">\
        \(row.elapsed?.exactWords ?? "not measured")<td>\(row.kind.name)\
        \(row.worsened ? ", worse than before" : "")<td>\(shift)

        """
    }
    let more: HTML? =
      all.count > rows.count
      ? "<p class=\"aside\">The newest \(rows.count) of \(all.count).</p>" : nil
    return """
      <section class="card" aria-labelledby="misses"><h2 id="misses">Misses</h2>
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="misses">
      <table><thead><tr><th scope="col">When<th scope="col">Employee\
      <th scope="col" class="number">Detection time<th scope="col">Interruption\
      <th scope="col">Shift</thead>\(rows)</table></div>\(more)
      <p class="aside">“Not measured” also counts as a miss: the server process ended before it \
      could record the time.</p></section>
      """
  }

  private var goals: HTML {
    """
    <section aria-labelledby="goals"><h2 id="goals">Goals in the last 30 days</h2>
    <ul class="goals">\(statistics.goals.map(\.html))</ul></section>
    """
  }
}

extension GuardGoal {
  var html: HTML {
    """
    <li><div><b>\(name)</b><p>Goal: \(goal)</p><p class="aside">\(goalText)</p></div>\(mark)

    """
  }

  private var mark: HTML {
    switch (verdict, result) {
    case (.met, _): "<p class=\"verdict good\">met</p>"
    case (_, .measured(_, let met?, _)):
      met == 1_000
        ? "<p class=\"verdict warn\">not always met</p>"
        : "<p class=\"verdict warn\">met in \(percent(permille: met)) of cases</p>"
    case (_, .share(let share, let goal)) where share.count > 0:
      """
      <p class="verdict \(goal == nil ? "none" : "warn")">\
      \(percent(permille: share.permille ?? 0))</p>
      """
    case (.missed, .failures(let failed, _)): "<p class=\"verdict warn\">\(failed) failed</p>"
    default: "<p class=\"verdict none\">unknown</p>"
    }
  }

  private var goalText: HTML {
    switch result {
    case .share(let share, _) where share.count > 0: "\(share.met) of \(share.count) employees."
    case .failures(let failed, let count) where count > 0:
      "\(failed) of \(count) refused clock-ins."
    case .share, .failures: "Not measured: no app reports it yet."
    case .measured(let spans, _, let missing): text(of: spans, missing)
    }
  }

  private func text(of spans: DurationStatistics, _ missing: Missing?) -> HTML {
    let left = missing.flatMap { missing -> HTML? in
      missing.count == 0 ? nil : "; \(missing.count) \(missing.words)"
    }
    guard let half = spans.quantile(permille: 500), let most = spans.quantile(permille: 990),
      let longest = spans.spans.last
    else { return "No cases yet\(left)." }
    let times: HTML = spans.spans.count == 1 ? "Once" : "\(spans.spans.count) times"
    return """
      \(times); median \(half.exactWords), 99th percentile \(most.exactWords), longest \
      \(longest.exactWords)\(left).
      """
  }
}
