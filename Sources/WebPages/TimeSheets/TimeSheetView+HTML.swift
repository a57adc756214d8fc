import ReadModels
import ReviewOperations
import ShiftDomain

extension TimeSheetView {
  var page: Page {
    Page(
      "Time sheets", in: .timeSheets,
      line: "<p>\(period.from.long(asOf: today)) to \(period.to.long(asOf: today))</p>",
      done: done, fault: fault,
      """
      \(picker)
      \(sheet.map { report($0) })
      """)
  }

  private var picker: HTML {
    let present = PayPeriod(of: today, settings)
    let before = period.before(settings)
    let periods: [(name: HTML, period: PayPeriod)] = [
      ("Previous period", present.before(settings)), ("Current period", present),
    ]
    let links = periods.map { other -> HTML in
      """
      <li><a href="\(path(other.period))"\
      \(" aria-current=\"true\"", if: other.period == period)>\(other.name)</a>
      """
    }
    let isPast = period.to < present.from
    let later: HTML = "<li><a href=\"\(path(period.after(settings)))\">Later</a>"
    return """
      \(PeriodForm(
        action: "/time-sheets", choices: choices, team: team, from: period.from, to: period.to
      ).html)
      <nav class="shortcuts" aria-label="Periods"><ul>\
      <li><a href="\(path(before))">Earlier</a>\(links)\(isPast ? later : nil)</ul></nav>
      """
  }

  private func report(_ sheet: TimeSheet) -> HTML {
    guard !sheet.lines.isEmpty || sheet.totals.shifts > 0 else {
      return "<p class=\"card\">No shift began in this period.</p>"
    }
    let totals = sheet.totals
    let states = TimesState.allCases.filter { totals[state: $0] > 0 }.map {
      "<div><dt>\($0.name)</dt><dd>\(totals[state: $0])</dd></div>" as HTML
    }
    let query = Query().with("from", period.from.text).with("to", period.to.text)
      .with("team", team.map { String($0.rawValue) }).with("format", "csv")
    let approved = query.with("state", TimesState.approved.code)
    let file: HTML = """
      <span><a class="file" href="/v1/time-sheets\(approved.text)">CSV for payroll</a> · \
      <a class="file" href="/v1/time-sheets\(query.text)">CSV of all shifts</a></span>
      """
    return """
      <section class="card" aria-labelledby="sums">
      <div class="title"><h2 id="sums">Overview</h2>\(hasDownloads ? file : nil)</div>
      <dl class="statistics big"><div><dt>Working time</dt>\
      <dd>\(totals.worked.hoursAndMinutes)</dd></div>\
      \(showsPaid ? paid(totals) : nil)\
      <div><dt>Shifts</dt><dd>\(totals.shifts)</dd></div>\(states)</dl>
      <p class="aside">Hours of shifts that are open, need review or are not confirmed do not \
      count. The file for \
      payroll has the approved shifts.\(claims)</p></section>
      <form class="card" method="post" action="/time-sheets/approve">
      \(address.fields)
      <div class="title"><h2 id="shifts">Shifts</h2></div>
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="shifts">\
      <table class="sheet"><thead><tr><th scope="col">Date<th scope="col">Start–end\
      <th scope="col" class="number spare">Breaks<th scope="col" class="number">Worked\
      \("<th scope=\"col\" class=\"number\">Paid", if: showsPaid)\
      <th scope="col" class="number spare">Tracked\
      <th scope="col" class="number spare">Corrections<th scope="col">State</thead>
      \(lines.map { group($0) })</table></div>
      \(approve)</form>
      \(more)
      \(approvals.isEmpty ? nil : approvalList)
      <p class="aside">A shift counts in full on the day it began, in the time zone of its team. \
      Hours are summed exactly and shown to the nearest minute. The times of an approved shift are \
      locked, and its day, team and paid time stay, until it is reopened. Of shifts \
      without a link, only the times are kept.</p>
      """
  }

  /// Not where all is paid as worked.
  private var showsPaid: Bool {
    choices.contains { $0.payRule != PayRule() } || sheet?.totals.worked != sheet?.totals.paid
  }

  private func paid(_ totals: TimeSheetTotals) -> HTML {
    "<div><dt>Paid time</dt><dd>\(totals.paid.hoursAndMinutes)</dd></div>"
  }

  private func paidCell(_ paid: TimeSpan?) -> HTML? {
    showsPaid ? "<td class=\"number\">\(paid?.hoursAndMinutes ?? "–")" : nil
  }

  /// The newest first.
  private var approvalList: HTML {
    let rows = approvals.sorted { ($1.key.at, $0.key.by) < ($0.key.at, $1.key.by) }.prefix(50).map {
      approval, totals -> HTML in
      let clock = choices.first { team == nil || $0.team == team }.flatMap { clocks[$0.timeZone] }
      return """
        <tr><th scope="row">\(clock?.short(approval.at))<td>\(approval.by)\
        <td class="number">\(totals.shifts)<td class="number">\(totals.worked.hoursAndMinutes)\
        <td><a href="\(reopening(approval))" \
        aria-label="Reopen what \(approval.by) approved \(clock?.short(approval.at))">Reopen</a>

        """
    }
    return """
      <section class="card" aria-labelledby="approvals"><h2 id="approvals">Approvals</h2>
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="approvals">\
      <table><thead><tr><th scope="col">Time<th scope="col">By<th scope="col" class="number">Shifts\
      <th scope="col" class="number">Worked<th scope="col">Undo</thead>\(rows)</table></div>\
      </section>
      """
  }

  private var more: HTML? {
    next.map { "<p class=\"more\"><a href=\"\(path(period, after: $0))\">More employees</a></p>" }
  }

  private var approve: HTML {
    let ready = lines.flatMap(\.entries).contains { isApprovable($0) }
    return ready
      ? "<div class=\"row save\"><button>Approve selected shifts</button></div>"
      : "<p class=\"aside note\">No shift on this page can be approved now.</p>"
  }

  private func isApprovable(_ entry: TimeSheetEntry) -> Bool {
    entry.times.state.isApprovable && entry.times.shift.employee != viewer
  }

  /// Blocked clock-ins claim working time that nobody has decided on.
  private var claims: HTML? {
    let count = unreviewedCount
    guard count > 0 else { return nil }
    return """
       \(count == 1 ? "1 clock action is" : "\(count) clock actions are") not reviewed and may \
      change the hours: see below.
      """
  }

  private func row(_ clockAction: ClockActionRow, of line: TimeSheetLine) -> HTML {
    let clock = choices.first { $0.team == line.team }.flatMap { clocks[$0.timeZone] }
    let end = clockAction.claimed?.end.map { "–\(clock?.hourAndMinute($0) ?? "")" } ?? ""
    let state: HTML =
      clockAction.supersededAt.map {
        "superseded by the clock-in at \(clock?.hourAndMinute($0) ?? "")"
      } ?? "not reviewed"
    return """
      <tr><td class="day">\(clock?.shortDay(clockAction.at))\
      <td>\(clock?.hourAndMinute(clockAction.at))\(end)<td colspan="\(showsPaid ? 6 : 5)">\
      <a href="/employees/\(line.employee.rawValue)">\(clockAction.title), \(state)</a>\
      <p class="aside">\(clockAction.cause)</p>

      """
  }

  /// Shifts and clock actions in the order of their times.
  private func rows(of line: TimeSheetLine) -> [HTML] {
    let shifts = line.entries.map { (at: $0.times.startedAt, html: row($0, of: line)) }
    let claims = line.unreviewed.map { (at: $0.at, html: row($0, of: line)) }
    return (shifts + claims).sorted { $0.at < $1.at }.map(\.html)
  }

  private func group(_ line: TimeSheetLine) -> HTML {
    let team = choices.first { $0.team == line.team }?.name
    let link: HTML = "<a href=\"/employees/\(line.employee.rawValue)\">\(line.name)</a>"
    return """
      <tbody><tr class="group"><th scope="rowgroup" colspan="\(showsPaid ? 8 : 7)">\
      \(team == nil ? "\(line.name)" : link) \
      <span class="aside">number \(line.employee.rawValue)\
      \(team.map { choices.count > 1 ? ", \($0)" : "" })</span>\
      \(team.map { _ in addLink(for: line) })
      \(rows(of: line))\
      <tr class="sum"><th scope="row">Total<td>\(line.totals.shifts) \
      \(line.totals.shifts == 1 ? "shift" : "shifts")\
      <td class="number spare">\(line.totals.breaks.hoursAndMinutes)\
      <td class="number">\(line.totals.worked.hoursAndMinutes)\
      \(paidCell(line.totals.paid))\
      <td class="spare"><td class="spare"><td>
      </tbody>
      """
  }

  private func addLink(for line: TimeSheetLine) -> HTML {
    " · <a href=\"/employees/\(line.employee.rawValue)/shifts#add\" "
      + "aria-label=\"Add a past shift of \(line.name)\">Add a past shift</a>"
  }

  private func row(_ entry: TimeSheetEntry, of line: TimeSheetLine) -> HTML {
    let isTheirs = choices.contains { $0.team == line.team }
    let (times, clock) = (entry.times, clocks[entry.place.timeZone])
    let id = times.shift
    let day = entry.place.date.short(asOf: today)
    let box: HTML = """
      <input type="checkbox" name="shift"\(" checked", if: ticksAll && times.state == .ready) \
      value="\(id.employee.rawValue)/\(id.number)/\(times.revision)" \
      aria-label="Approve \(line.name), \(day)">
      """
    let other = entry.place.team == line.team ? nil : choices.first { $0.team == entry.place.team }
    let isCorrected = (times.corrections ?? 0) > 0
    let link: HTML = """
      <a href="/employees/\(id.employee.rawValue)/shifts/\(id.number)">\(day)</a>
      """
    return """
      <tr><td class="day">\(isApprovable(entry) ? box : nil)\
      \(times.isPast || !isTheirs ? "\(day)" : link)\
      \(other.map { "<p class=\"aside\">\($0.name)</p>" as HTML })\
      <td>\(clock?.hourAndMinute(times.startedAt))–\
      \(times.endedAt.map { clock?.hourAndMinute($0) ?? "" })\
      \((visits[id] ?? []).map { visit -> HTML in
        "<p class=\"aside\">\(visit.text { clock?.hourAndMinute($0) ?? "" })</p>"
      })\
      <td class="number spare">\(times.endedAt == nil ? "–" : times.breaks.hoursAndMinutes)\
      <td class="number">\(times.worked?.hoursAndMinutes ?? "–")\
      \(paidCell(times.paid))\
      <td class="number spare">\(entry.permille.map { percent(permille: $0) } ?? "–")\
      <td class="number spare">\(isCorrected ? "\(times.corrections ?? 0)" : "–")\
      <td>\(state(times, clock))

      """
  }

  private func state(_ times: RecordedTimes, _ clock: TeamClock?) -> HTML {
    var lines: [HTML] = []
    if let approval = times.approval {
      lines.append("\(approval.by), \(clock?.shortDay(approval.at))")
    }
    if times.state == .unconfirmed {
      lines.append("Added by a manager. The employee confirms it, or has a week to object.")
    }
    if let at = times.confirmedAt {
      lines.append("Confirmed by the employee, \(clock?.shortDay(at))")
    }
    return "\(times.state.name)\(lines.map { "<p class=\"aside\">\($0)</p>" as HTML })"
  }
}
