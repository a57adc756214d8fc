import GuardRules
import ManagerOperations
import ReadModels
import ShiftDomain

extension BoardView {
  /// - Parameter events: The event stream; `nil`: there is none.
  func page(events: String?) -> Page {
    Page(
      title: "Board", section: .board,
      content: """
        <div id="board" data-events="\(events)">
        <p id="lost" role="alert" hidden></p>
        \(heading)
        \(states)
        \(search)
        \(CoverageBar.patterns)\(teams.isEmpty ? nobody : CoverageBar.legend)
        \(teams.map { $0.html })
        <p id="age">As of \(clock?.toTheSecond(asOf)).</p>
        <p id="live" role="status"></p>
        </div>
        """)
  }

  /// The parts that the script replaces after a change: the counts, and the rows of `employees`.
  /// - Parameter waiting: How many clock actions and shifts wait for a decision.
  func fragment(of employees: Set<EmployeeID>?, waiting: Int) -> HTML {
    let lists = teams.map { team -> HTML in
      let shown = team.employees.filter { employees?.contains($0.line.record.employee) ?? true }
      return team.list(of: shown)
    }
    return """
      <!doctype html>\(reviewsLink(isCurrent: false, waiting))\(heading)\(states)\(lists)\
      <p id="age">As of \(clock?.toTheSecond(asOf)).</p>
      """
  }

  private var clock: TeamClock? { teams.first?.clock }

  private var heading: HTML {
    let onShift = [BoardState.impaired, .noContact, .clockedIn, .tracked, .onBreak].reduce(0) {
      $0 + (counts[$1] ?? 0)
    }
    let rate: HTML? = totals.permille.map {
      " · <strong>\(percent(permille: $0))</strong> tracked so far"
    }
    let title = clock.map { $0.today.long(asOf: $0.today) } ?? "Board"
    return """
      <div class="heading" id="heading"><h1>\(title)</h1>\
      <p><strong>\(onShift)</strong> on shift\(rate)\(map)</p></div>
      """
  }

  private var map: HTML? {
    guard hasMap else { return nil }
    let query = Query().with("team", filter.team.map { String($0.rawValue) })
    return " · <a href=\"\(MapView.path)\(query.text)\">Map</a>"
  }

  private var states: HTML {
    let all = counts.values.reduce(0, +)
    return """
      <nav class="states" id="states" aria-label="By state"><ul>\
      <li><a href="/\(query(nil))"\(current(nil))><b>\(all)</b> All</a>\
      \(BoardState.allCases.map { link(to: $0) })</ul></nav>
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

  private var nobody: HTML {
    """
    <p class="empty">You cannot see any team yet. An administrator can add teams or give you \
    access.</p>
    """
  }
}

extension BoardTeam {
  fileprivate var html: HTML {
    """
    <section class="team" aria-labelledby="team-\(team.rawValue)">
    <div class="band"><h2 id="team-\(team.rawValue)">\(name)</h2>\
    \(axis.hours(clock, now: now))</div>
    \(list(of: employees))<p class="empty">No employees.</p>
    </section>

    """
  }

  /// The rows; the script finds the list by its id.
  fileprivate func list(of shown: [BoardEmployee]) -> HTML {
    let rows = shown.map { $0.row(clock, axis, now: now) }
    return "<ul class=\"employees\" id=\"ul-\(team.rawValue)\">\(rows)</ul>"
  }
}

extension BoardEmployee {
  /// One row. Its text says the same as its bar.
  func row(_ clock: TeamClock, _ axis: TimeAxis, now: Instant) -> HTML {
    let bar = CoverageBar(line.today, on: axis)
    let number = line.record.employee.rawValue
    let place: HTML = line.record.shift.map { "/shifts/\($0.number)" } ?? ""
    return """
      <li id=e\(number) class=\(line.state.mark)><a href=/employees/\(number)\(place)>\
      \(line.record.name)</a><b>\(name)</b>\(bar.drawing)\
      <i>\(totals.permille.map { percent(permille: $0) })</i><p>\(why(clock, now: now))\
      \(call)
      """
  }

  /// Who needs help can be called from the board.
  private var call: HTML? {
    guard [.blocked, .impaired, .noContact].contains(line.state) else { return nil }
    return line.record.phoneNumber.map { number in
      " <a href=\"tel:\(dialled(number))\">Call \(number)</a>"
    }
  }

  private var name: HTML {
    line.record.waitsForConfirmation ? "Waiting" : line.state.name
  }

  private func why(_ clock: TeamClock, now: Instant) -> HTML {
    switch line.state {
    case .blocked:
      guard let blocked = line.record.blocked else { return "" }
      let findings = blocked.findings.ranked.map(\.name).joined(by: ", ")
      return "clock-in at \(clock.short(blocked.at)): \(findings)"
    case .impaired, .noContact:
      return causes.map { $0.text(clock, in: line.record.team) }.joined(by: "; ")
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
      return "\(clock.short(first.interval.start))–\(clock.short(last.interval.end))\(untracked)"
    }
  }

  /// The planned shifts that are not over yet.
  private func planned(_ clock: TeamClock, now: Instant) -> HTML {
    line.plannedShifts.filter { $0.end > now }.map { plannedShift -> HTML in
      let span: HTML = "\(clock.short(plannedShift.start))–\(clock.short(plannedShift.end))"
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
        ", \(last.step.name) at \(clock.short(last.at))"
      } else if let undelivered {
        ", \(undelivered.text(in: team))"
      } else {
        incident.origin == .atClockIn ? ", known at clock-in" : ""
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

extension TimeAxis {
  /// The hours above the bars, with a mark at the current time.
  func hours(_ clock: TeamClock, now: Instant?) -> HTML {
    let count = (end - start).seconds / 3_600
    let step: Int64 = count <= 10 ? 1 : count <= 18 ? 2 : 3
    let hours = stride(from: Int64(0), to: count, by: Int64.Stride(step)).map { hour -> HTML in
      let instant = start + .hours(hour)
      let place = permille(instant)
      return """
        <text x="\(place / 10).\(place % 10)%" y="12">\(clock.hourAndMinute(instant))</text>
        """
    }
    let present = now.map { "<rect x=\"\(permille($0) / 10).\(permille($0) % 10)%\"/>" as HTML }
    return "<svg class=\"hours\" aria-hidden=\"true\">\(hours)\(present)</svg>"
  }
}
