import GuardRules
import Guidance
import ReadModels
import ShiftDomain

extension BoardView {
  /// - Parameter events: The event stream; `nil`: there is none.
  func page(events: String?) -> Page {
    Page(
      title: "Board", section: .board, script: teams.isEmpty ? nil : .board,
      attention: problems.count,
      content: """
        <div id="board" data-events="\(events)">
        <div id="lost" hidden><p role="alert"></p><p></p></div>
        <div class="present">\(heading)\(age)</div>
        \(unknownState)\(checklist?.html)\(teams.isEmpty ? nobody : controls)
        \(teams.map { $0.html(axis, now: asOf) })
        <p id="live" role="status"></p>
        </div>
        """)
  }

  private var unknownState: HTML? {
    filter.unknownState.map {
      "<p role=\"status\">There is no state “\($0)”: employees in every state are shown.</p>"
    }
  }

  private var controls: HTML {
    """
    \(states)
    <div class="controls">\(search)<div class="tools">\(BoardTools.html)\(key)</div></div>
    \(CoverageBar.patterns)\(folded)
    """
  }

  /// The parts that the script replaces after a change: the counts, and the rows of `employees`.
  /// - Parameter waiting: How many clock actions and shifts wait for a decision.
  func fragment(of employees: Set<EmployeeID>?, waiting: Int) -> HTML {
    let lists = teams.map { team -> HTML in
      let shown = team.employees.filter { employees?.contains($0.line.record.employee) ?? true }
      return team.hours(axis, now: asOf) + team.list(of: shown, axis, now: asOf)
    }
    return """
      <!doctype html>\(reviewsLink(isCurrent: false, waiting))\(heading)\(age)\(states)\
      \(folded)\(lists)
      """
  }

  private var age: HTML {
    let time = clock.map { "As of \($0.toTheSecond(asOf))." as HTML }
    return "<p id=\"age\">\(time)</p>"
  }

  /// The script finds in it who needs attention, and whether the axis is still the same.
  private var heading: HTML {
    let onShift = [BoardState.notTracked, .noContact, .atRisk, .clockedIn, .tracked, .onBreak]
      .reduce(0) { $0 + (counts[$1] ?? 0) }
    let rate: HTML? = totals.permille.map {
      " · <strong>\(percent(permille: $0))</strong> tracked so far"
    }
    let title = clock.map { $0.today.long(asOf: $0.today) } ?? "Board"
    let problems = problems.map { line -> HTML in
      "\(line.record.employee.rawValue)\(line.state.mark)\(line.record.team.rawValue)"
    }
    let present: HTML = "<p><strong>\(onShift)</strong> on shift\(rate)\(map)</p>"
    return """
      <div class="heading" id="heading" data-problems="\(problems.joined(by: " "))" \
      data-axis="\(axis.start.milliseconds)-\(axis.end.milliseconds)"><h1>\(title)</h1>\
      \(present, if: !teams.isEmpty)</div>
      """
  }

  private var map: HTML? {
    guard hasMap else { return nil }
    let query = Query().with("team", filter.team.map { String($0.rawValue) })
    return " · <a href=\"\(MapView.path)\(query.text)\">Map</a>"
  }

  /// Problems come first, also for screen readers.
  private var states: HTML {
    let all = counts.values.reduce(0, +)
    return """
      <nav class="states" id="states" aria-label="By state"><ul>\
      \(BoardState.allCases.map { link(to: $0) })\
      <li class="a"><a href="/\(query(nil))"\(current(nil))><b>\(all)</b> All</a></ul></nav>
      """
  }

  private func link(to state: BoardState) -> HTML {
    let count = counts[state] ?? 0
    return """
      <li class="\(state.mark)\(" none", if: count == 0)">\
      <a href="/\(query(state))"\(current(state))><b>\(count)</b> \(state.name)</a>
      """
  }

  private func query(_ state: BoardState?) -> String {
    var filter = filter
    filter.state = state
    return filter.query.text
  }

  private func current(_ state: BoardState?) -> HTML {
    filter.state == state ? " aria-current=\"true\"" : ""
  }

  private var search: HTML {
    """
    <form class="search" role="search" action="/">
    \(choices.count > 1 ? choices.choice(of: filter.team) : nil)
    <div><label for="q">Name or number</label>\
    <input id="q" name="q" type="search" maxlength="100" value="\(filter.text)"></div>
    \(filter.state.map { hidden("state", $0.code) })
    <button class="quiet">Show</button>
    </form>
    """
  }

  private func hidden(_ name: String, _ value: String) -> HTML {
    "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
  }

  private var key: HTML {
    let others: HTML = """
      <li><svg role=none><rect width=100% class=d /></svg>planned shift\
      <li><b>%</b>tracked part of today’s working time
      """
    return """
      <details class="key"><summary>Legend</summary>\(CoverageBar.legend(and: others))</details>
      """
  }

  private var nobody: HTML? {
    guard checklist == nil else { return nil }
    return isAdministrator
      ? """
      <p class="empty">No team yet. <a href="/settings/teams">Add a team</a>, then \
      <a href="/settings/employees">employees</a> and their phones.</p>
      """
      : """
      <p class="empty">You cannot see any team yet. An administrator can add teams or give you \
      access.</p>
      """
  }

  /// The teams without rows, in one line.
  private var folded: HTML {
    let names = teams.filter(\.employees.isEmpty).map { "\($0.name)" as HTML }
    let text: HTML =
      if names.isEmpty {
        ""
      } else if names.count < teams.count || filter.isEmpty {
        "No employees to show in \(names.joined(by: ", "))."
      } else {
        "No employee matches this filter. <a href=\"/\">Show all employees</a>"
      }
    return "<p id=\"folded\" class=\"aside\">\(text)</p>"
  }
}

extension BoardTeam {
  fileprivate func html(_ axis: TimeAxis, now: Instant) -> HTML {
    """
    <section class="team" aria-labelledby="team-\(team.rawValue)"\
    \(" hidden", if: employees.isEmpty)>
    <div class="band"><h2 id="team-\(team.rawValue)">\(name)</h2>\
    <p>\(zone.map { "\($0) · " as HTML })\(tomorrow)</p>\(hours(axis, now: now))\
    <span>Tracked today</span></div>
    \(list(of: employees, axis, now: now))
    </section>

    """
  }

  /// The day is found when the plan is opened, because a board may be open over midnight.
  private var tomorrow: HTML {
    "<a href=\"\(PlanView.path)?team=\(team.rawValue)&amp;day=tomorrow\">Plan for tomorrow</a>"
  }

  fileprivate func hours(_ axis: TimeAxis, now: Instant) -> HTML {
    axis.hours(clock, now: now, id: "hours-\(team.rawValue)")
  }

  /// The rows; the script finds the list by its id.
  fileprivate func list(of shown: [BoardEmployee], _ axis: TimeAxis, now: Instant) -> HTML {
    let rows = shown.map { $0.row(clock, axis, now: now) }
    return "<ul class=\"employees\" id=\"ul-\(team.rawValue)\">\(rows)</ul>"
  }
}

extension BoardEmployee {
  /// One row. Its text says the same as its bar.
  func row(_ clock: TeamClock, _ axis: TimeAxis, now: Instant) -> HTML {
    let bar = CoverageBar(
      line.today, on: axis, plannedShifts: line.plannedShifts, startMin: 3)
    let number = line.record.employee.rawValue
    let place: HTML = line.record.shift.map { "/shifts/\($0.number)" } ?? ""
    return """
      <li id=e\(number) class=\(line.state.mark)><a href=/employees/\(number)\(place)>\
      \(line.record.name)</a><b>\(name)</b>\(bar.drawing)\
      <i>\(totals.permille.map { rate(permille: $0) })</i><p>\(why(clock, now: now))\
      \(away(clock))\(call)
      """
  }

  /// Without its sign, which the styles add.
  private func rate(permille: Int) -> HTML {
    permille == 1_000 ? "100" : "\(permille / 10).\(permille % 10)"
  }

  /// Who needs help can be called from the board.
  private var call: HTML? {
    guard line.needsAttention else { return nil }
    return line.record.phoneNumber.map { number in
      " <a href=\"tel:\(dialled(number))\">Call \(number)</a>"
    }
  }

  private var name: HTML {
    if line.record.waitsForConfirmation { return "Waiting" }
    return line.state == .late && line.missed?.isNoShow == true ? "No-show" : line.state.name
  }

  private func why(_ clock: TeamClock, now: Instant) -> HTML {
    switch line.state {
    case .blocked:
      guard let blocked = line.record.blocked else { return "" }
      let findings = blocked.findings.ranked.map(\.name).joined(by: ", ")
      return "clock-in at \(clock.short(blocked.at)): \(findings)"
    case .notTracked, .noContact, .atRisk:
      if let reason = line.quietReason { return "\(reason.label)" }
      return line.causes.map { $0.text(clock, in: line.record.team) }.joined(by: "; ")
    case .late:
      return line.missed.map { missed in
        let (start, end) = (clock.short(missed.planned.start), clock.short(missed.planned.end))
        return missed.isNoShow ? "planned \(start)–\(end)" : "since \(start), planned until \(end)"
      } ?? ""
    case .onBreak: return "since \(line.record.breakSince.map { clock.short($0) })\(untracked)"
    case .clockedIn where line.record.waitsForConfirmation:
      return """
        since \(line.record.startedAt.map { clock.short($0) }), waits for \(line.record.name)’s \
        confirmation
        """
    case .clockedIn:
      return "since \(line.record.startedAt.map { clock.short($0) }), no position yet"
    case .tracked: return "since \(line.record.startedAt.map { clock.short($0) })\(untracked)"
    case .scheduled: return planned(clock, now: now)
    case .off:
      guard let first = line.today.first, let last = line.today.last else { return "" }
      return "\(clock.span(first.interval.start, last.interval.end))\(untracked)"
    }
  }

  /// It needs nobody's attention.
  private func away(_ clock: TeamClock) -> HTML? {
    line.record.awaySince.map { ", away from site since \(clock.short($0))" }
  }

  /// The planned shifts that are not over yet.
  private func planned(_ clock: TeamClock, now: Instant) -> HTML {
    line.plannedShifts.filter { $0.end > now }.map { plannedShift -> HTML in
      let span: HTML = "\(clock.span(plannedShift.start, plannedShift.end))"
      return plannedShift.start > now ? span : "\(span), not clocked in yet"
    }.joined(by: "; ")
  }

  private var untracked: HTML {
    let missing = totals.accountable - totals.tracked
    return missing >= .minutes(1) ? ", gaps \(missing.words)" : ""
  }
}

extension BoardIncident {
  fileprivate func text(_ clock: TeamClock, in team: TeamID) -> HTML {
    let known: HTML =
      if let last = deliveries.last {
        ", \(last.step.label) at \(clock.short(last.at))"
      } else if let undelivered {
        ", \(undelivered.text(in: team))"
      } else {
        incident.isAccepted ? ", accepted at clock-in" : ""
      }
    return "\(incident.kind.name) since \(clock.short(incident.openedAt))\(known)"
  }
}

extension Undelivered {
  fileprivate func text(in team: TeamID) -> HTML {
    switch reason {
    case .pending: "notification pending"
    // That page leads on to the addresses of employees, and a board has to be small.
    case .noChannel:
      """
      not delivered: <a href=/settings/teams/\(team.rawValue)/contacts>add an e-mail address or a \
      contact</a>
      """
    case .failed where missing.isEmpty: "not delivered: every channel rejected it"
    case .failed: "not delivered: every channel rejected it; \(notSetUp)"
    }
  }

  private var notSetUp: HTML {
    let names = missing.map { step -> HTML in
      switch step {
      case .push, .inApp: "push"
      case .email: "e-mail"
      case .managers: "manager contact"
      }
    }
    let last: HTML = names.count > 1 ? " or \(names.last)" : "\(names.last)"
    return "no \(Array(names.dropLast()).joined(by: ", "))\(last) is set up"
  }
}
