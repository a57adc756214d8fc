import GuardRules
import InsightOperations
import ManagerCore
import ReadModels
import ShiftDomain

extension PageController {
  func board(for principal: Principal, _ filter: BoardFilter) async throws -> BoardView {
    async let allowed = teams(for: principal)
    let day = try await operations.insight.board(for: principal, team: filter.team)
    let choices = try await allowed
    let clocks = try day.teams.map { try TeamClock(zone: $0.timeZone, now: day.asOf) }
    var view = BoardView(
      asOf: day.asOf, choices: choices, clock: clocks.first, filter: filter,
      axis: TimeAxis(of: day, clocks),
      hasMap: filter.team.map { principal.may(.track, of: $0) }
        ?? choices.contains { principal.may(.track, of: $0.team) },
      isAdministrator: principal.role == .administrator)
    let lines = Dictionary(grouping: day.lines) { $0.record.team }
    let isOneZone = Set(day.teams.map(\.timeZone)).count == 1
    for (team, clock) in zip(day.teams, clocks) {
      let employees = (lines[team.team] ?? []).map { BoardEmployee($0) }.filter(filter.passesText)
      for employee in employees { view.count(employee) }
      view.teams.append(
        BoardTeam(
          team: team.team, name: team.name, clock: clock,
          employees: employees.filter(filter.passes).sorted(by: BoardEmployee.isMoreUrgent),
          zone: isOneZone ? nil : team.timeZone))
    }
    // Also for keyboards and screen readers; the script keeps it so.
    view.teams = view.teams.filter(\.hasProblem) + view.teams.filter { !$0.hasProblem }
    return view
  }
}

extension BoardView {
  fileprivate mutating func count(_ employee: BoardEmployee) {
    counts[employee.line.state, default: 0] += 1
    totals.add(employee.line.today)
    if employee.line.needsAttention { problems.append(employee.line) }
  }
}

extension BoardEmployee {
  fileprivate static func isMoreUrgent(_ left: BoardEmployee, _ right: BoardEmployee) -> Bool {
    let (left, right) = (left.line, right.line)
    return left.state == right.state
      ? left.record.name < right.record.name : left.state.rawValue < right.state.rawValue
  }
}

extension TimeAxis {
  /// The same for all teams, so that their bars can be compared: from the full hour of the first
  /// shift, worked or planned, to the full hour after the last one and after the present. At least
  /// eight hours, within the day.
  /// - Parameter clocks: Of the teams, in their order.
  init(of board: Board, _ clocks: [TeamClock]) {
    guard let clock = clocks.first else {
      self.init(start: board.asOf - .hours(4), end: board.asOf + .hours(4))
      return
    }
    let days = Dictionary(zip(board.teams.map(\.team), clocks.map(\.day))) { day, _ in day }
    let day = clocks.reduce(clock.day) {
      Interval(from: min($0.start, $1.day.start), to: max($0.end, $1.day.end))
    }
    var first: Instant?
    var last = board.asOf
    for line in board.lines {
      let day = days[line.record.team] ?? day
      let starts = [line.today.first?.interval.start, line.plannedShifts.first?.start]
      for start in starts.compactMap({ $0 }) { first = min(first ?? start, max(start, day.start)) }
      let ends = [line.today.last?.interval.end, line.plannedShifts.last?.end]
      for end in ends.compactMap({ $0 }) { last = max(last, min(end, day.end)) }
    }
    let start = max(day.start, clock.hourBegin(first ?? board.asOf - .hours(4)))
    let end = max(
      clock.hourBegin(board.asOf) + .hours(1),
      clock.hourBegin(last - .milliseconds(1)) + .hours(1), start + .hours(8))
    self.init(
      start: end > day.end ? max(day.start, min(start, day.end - .hours(8))) : start,
      end: min(end, day.end))
  }
}
