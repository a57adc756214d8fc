import GuardRules
import ManagerOperations
import ShiftDomain

extension PageController {
  func board(for principal: Principal, _ filter: BoardFilter) async throws -> BoardView {
    let choices = try await operations.teams().filter { principal.may(.coverage, of: $0.team) }
    let day = try await operations.board(for: principal, team: filter.team)
    var view = BoardView(
      asOf: day.asOf, choices: choices, filter: filter, teams: [], counts: [:],
      totals: TrackingTotals(),
      hasMap: filter.team.map { principal.may(.track, of: $0) }
        ?? choices.contains { principal.may(.track, of: $0.team) })
    let lines = Dictionary(grouping: day.lines) { $0.record.team }
    for team in day.teams {
      let clock = try TeamClock(zone: team.timeZone, now: day.asOf)
      let lines = lines[team.team] ?? []
      let employees = lines.map { BoardEmployee($0) }.filter(filter.passesText)
      for employee in employees {
        view.counts[employee.line.state, default: 0] += 1
        view.totals.add(employee.line.today)
      }
      view.teams.append(
        BoardTeam(
          team: team.team, name: team.name, clock: clock,
          employees: employees.filter(filter.passes).sorted(by: BoardEmployee.isMoreUrgent),
          axis: clock.axis(of: lines, now: day.asOf), now: day.asOf))
    }
    return view
  }
}

extension BoardEmployee {
  fileprivate static func isMoreUrgent(_ left: BoardEmployee, _ right: BoardEmployee) -> Bool {
    let (left, right) = (left.line, right.line)
    return left.state == right.state
      ? left.record.name < right.record.name : left.state.rawValue < right.state.rawValue
  }
}

extension TeamClock {
  /// From the full hour of the first clock-in to the full hour after the last segment: at least
  /// eight hours, within the day.
  fileprivate func axis(of lines: [BoardLine], now: Instant) -> TimeAxis {
    let first = lines.compactMap { $0.today.first?.interval.start }.min()
    let start = hourBegin(max(day.start, first ?? now - .hours(4)))
    let last = lines.compactMap { $0.today.last?.interval.end }.max()
    let end = max(hourBegin(max(last ?? now, now)) + .hours(1), start + .hours(8))
    guard end > day.end else { return TimeAxis(start: start, end: end) }
    return TimeAxis(start: max(day.start, min(start, day.end - .hours(8))), end: day.end)
  }
}
