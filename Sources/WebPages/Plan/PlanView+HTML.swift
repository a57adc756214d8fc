import CivilTime
import GuardRules
import ReadModels
import ShiftDomain

extension PlanView {
  /// - Parameter editor: Stands above the grid.
  func page(with editor: HTML?) -> Page {
    let head = PageHead(
      title: "Plan",
      line: """
        <p>\(week.team.name), week of \(week.monday.short(asOf: clock.today))</p>\
        <p>Times in \(week.team.timeZone)</p>
        """, done: done, fault: fault)
    return Page(
      title: "Plan of \(week.team.name)", section: .plan,
      content: """
        \(head.html)
        <form class="search" action="\(Self.path)">
        \(choices.count > 1 ? choices.choice(of: week.team.team, orAll: false) : hiddenTeam)
        <div><label for="day">Week of</label>\
        <input id="day" name="day" type="date" value="\(day.text)" required></div>
        <button class="quiet">Show</button></form>
        \(weeks)
        \(editor)
        \(grid)
        \(copying)
        """)
  }

  private var hiddenTeam: HTML {
    "<input type=\"hidden\" name=\"team\" value=\"\(week.team.team.rawValue)\">"
  }

  private var weeks: HTML {
    let tomorrow = clock.today.advanced(by: 1)
    let links: [(HTML, CivilDate)] = [
      ("Previous week", day.advanced(by: -7)), ("Today", clock.today), ("Tomorrow", tomorrow),
      ("Next week", day.advanced(by: 7)),
    ]
    return """
      <nav class="shortcuts" aria-label="Weeks"><ul>\(links.map { link(to: $1, $0) })</ul></nav>
      """
  }

  private func link(to other: CivilDate, _ name: HTML) -> HTML {
    """
    <li><a href="\(address(of: other))"\(" aria-current=\"date\"", if: other == day)>\(name)</a>
    """
  }

  private var grid: HTML {
    let heads = days.enumerated().map { place, day -> HTML in
      """
      <th scope="col" id="d\(place)"\(mark(day.date))>\(day.date.inWeek)\(remark(on: day.date))
      """
    }
    let none: HTML = "<p class=\"aside\">No employees in this team.</p>"
    let table: HTML = """
      <nav class="shortcuts days" aria-label="Days"><ul>\
      \(days.map { link(to: $0.date, "\($0.date.inWeek)\(remark(on: $0.date))") })</ul></nav>
      <p hidden id="add">Add for</p>
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="week">
      <table class="plan"><thead><tr><th scope="col">Employee\(heads)</thead>
      <tbody>\(week.employees.map { row(of: $0) })</table></div>
      """
    let next = week.next.map { next -> HTML in
      let query = Query().with("after", String(next.rawValue))
      return "<p><a class=\"button\" href=\"\(address(of: day, query))\">More employees</a></p>"
    }
    let (first, last) = (week.monday, week.monday.advanced(by: 6))
    let title: HTML = "\(first.short(asOf: clock.today))–\(last.short(asOf: clock.today))"
    return """
      <section class="card" aria-labelledby="week"><h2 id="week">\(title)</h2>
      \(week.employees.isEmpty ? none : table)\(next)</section>
      """
  }

  private func mark(_ date: CivilDate) -> HTML { date == day ? " class=\"on\"" : "" }

  private func remark(on date: CivilDate) -> HTML? {
    switch date {
    case clock.today: " <small>Today</small>"
    case clock.today.advanced(by: 1): " <small>Tomorrow</small>"
    default: nil
    }
  }

  private func row(of employee: EmployeeWeek) -> HTML {
    let number = employee.profile.employee.rawValue
    let isActive = employee.profile.deactivatedAt == nil
    let cells = days.enumerated().map { place, day -> HTML in
      "<td\(mark(day.date))>\(cell(of: employee, day, column: place))"
    }
    return """
      <tr><th scope="row" id="e\(number)"><a href="/employees/\(number)/shifts">\
      \(employee.profile.name)</a>\(" (inactive)", if: !isActive)\(cells)

      """
  }

  private func cell(of employee: EmployeeWeek, _ day: PlanDay, column: Int) -> HTML {
    let plannedShifts = plannedShifts(of: employee, in: day.span)
    let absences = absences(of: employee, in: day.span)
    let number = employee.profile.employee.rawValue
    let path = "\(path(to: employee.profile.employee, on: day.text))#edit"
    let items = plannedShifts.map { row -> HTML in
      let (start, end) = (row.plannedShift.span.start, row.plannedShift.span.end)
      let isAbsent = absences.contains { $0.span.start <= start && start < $0.span.end }
      return """
        <p><a href="\(path)">\(day.clock.hourAndMinute(start))–\(day.clock.hourAndMinute(end))</a>\
        \(row.plannedShift.siteNames(among: week.sites).map { " \($0)" })</p>\
        \(row.mark(clock, now: now, isAbsent: isAbsent))
        """
    }
    var add: HTML?
    if plannedShifts.isEmpty, employee.profile.deactivatedAt == nil {
      add = """
        <a class="add" href="\(path)" aria-labelledby="add e\(number) d\(column)">+</a>
        """
    }
    return "\(absences.map { text(of: $0, on: day) })\(items)\(add)"
  }

  /// `Absent`, with the times if it is only a part of the day.
  private func text(of absence: Absence, on day: PlanDay) -> HTML {
    let (start, end) = (
      max(absence.span.start, day.span.start), min(absence.span.end, day.span.end)
    )
    guard start > day.span.start || end < day.span.end else {
      return "<p class=\"absent\">Absent</p>"
    }
    let last = end == day.span.end ? "24:00" : day.clock.hourAndMinute(end)
    return "<p class=\"absent\">Absent \(day.clock.hourAndMinute(start))–\(last)</p>"
  }

  private var copying: HTML {
    """
    <section class="card" aria-labelledby="copy"><h2 id="copy">Copy this week</h2>
    <form class="stack" method="post" action="\(copyAction)">
    <label for="to">To the week of</label>
    <input id="to" name="to" type="date" required \
    value="\(target ?? week.monday.advanced(by: 7).text)">
    <p class="aside">Every planned shift is planned again at the same time of day and with the \
    same sites. What would overlap, or falls into an absence, is left out. You see what that is \
    before anything is planned.</p>
    <button class="quiet">Copy week</button></form></section>
    """
  }
}
