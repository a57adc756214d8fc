import GuardRules
import ShiftDomain
import ShiftOperations

extension PageDesk {
  /// The board as `viewer` may see it.
  func board(for viewer: Viewer, _ filter: BoardFilter) async throws -> Board {
    let now = settings.now()
    let choices = try await operations.teams().filter { viewer.may(.coverage, of: $0.team) }
    if let team = filter.team, !choices.contains(where: { $0.team == team }) {
      throw PageNotFound()
    }
    let lines = Dictionary(grouping: try await operations.board(for: viewer)) { $0.team }
    let refusals = try await refusals(for: viewer, since: now - .hours(16))
    var board = Board(
      asOf: now, choices: choices, filter: filter, teams: [], counts: [:],
      totals: TrackingTotals())
    for row in choices where filter.team == nil || filter.team == row.team {
      let clock = try TeamClock(zone: row.timeZone, now: now)
      let lines = lines[row.team] ?? []
      let days = try await daysShifts(of: lines, in: row.team, clock)
      let people = lines.map {
        BoardPerson($0, shifts: days[$0.employee] ?? [], refused: refusals[$0.employee])
      }
      for person in people where filter.passesText(person) {
        board.counts[person.state, default: 0] += 1
        for shift in person.shifts { board.totals.add(shift.segments) }
      }
      board.teams.append(
        BoardTeam(
          team: row.team, name: row.name, clock: clock,
          people: people.filter(filter.passes).sorted(by: BoardPerson.isMoreUrgent),
          axis: clock.axis(of: people, now: now), now: now))
    }
    return board
  }

  /// The shifts that touch the team's day. One that began the day before belongs to that day, and
  /// is looked for only while somebody is still in it.
  private func daysShifts(of lines: [BoardLine], in team: TeamID, _ clock: TeamClock)
    async throws -> [EmployeeID: [ShiftCoverage]]
  {
    var found: [EmployeeID: [ShiftCoverage]] = [:]
    let began = lines.compactMap(\.startedAt)
    let days = began.contains { $0 < clock.day.start } ? [-1, 0] : [0]
    for day in days {
      let coverage = try await operations.coverage(
        on: clock.today.advanced(by: day), team: team)
      for employee in coverage.employees {
        found[employee.employee, default: []] += employee.shifts.filter {
          $0.asOf > clock.day.start
        }
      }
    }
    return found
  }

  /// The newest refusal of each who waits for a manager's word.
  private func refusals(for viewer: Viewer, since start: Instant) async throws -> [EmployeeID:
    BoardRefusal]
  {
    var found: [EmployeeID: BoardRefusal] = [:]
    let rows = try await operations.attempts(
      of: nil, for: viewer, awaitingOnly: true, limit: 1_000)
    for row in rows where row.outcome == .blocked && row.at >= start {
      guard found[row.device.employee].map({ $0.at < row.at }) ?? true else { continue }
      found[row.device.employee] = BoardRefusal(at: row.at, findings: row.decision.blocking)
    }
    return found
  }
}

extension BoardPerson {
  init(_ line: BoardLine, shifts: [ShiftCoverage], refused refusal: BoardRefusal?) {
    // Who got in later was not kept out.
    let began = shifts.last?.startedAt ?? Instant(milliseconds: .min)
    let refusal = refusal.flatMap { line.shift == nil && $0.at >= began ? $0 : nil }
    let isPaused = line.shift != nil && shifts.last?.segments.last?.reason == .onBreak
    // A phone that says nothing sends no position either.
    let isSilent = line.incidents.contains { $0.kind == .noContact }
    let causes = line.incidents.filter { !isSilent || $0.kind != .noFix }.map { incident in
      BoardCause(
        kind: incident.kind, since: incident.openedAt, toldAt: incident.noticeDueAt,
        wasKnown: incident.origin == .atClockIn && incident.notices == 0)
    }
    let state: BoardState =
      if line.shift == nil {
        refusal == nil ? .off : .blocked
      } else if isPaused {
        .pause
      } else if line.incidents.isEmpty {
        .tracked
      } else {
        causes.contains { $0.kind != .noContact } ? .impaired : .silent
      }
    self.init(
      employee: line.employee, name: line.name, state: state, shift: line.shift,
      startedAt: line.startedAt, lastContactAt: line.lastContactAt,
      causes: causes,
      refusal: refusal, shifts: shifts)
  }

  fileprivate static func isMoreUrgent(_ left: BoardPerson, _ right: BoardPerson) -> Bool {
    left.state == right.state ? left.name < right.name : left.state < right.state
  }
}

extension TeamClock {
  /// From the first full hour in which somebody began to the one after the last; eight hours at the
  /// least, within the day.
  fileprivate func axis(of people: [BoardPerson], now: Instant) -> TimeAxis {
    let shifts = people.flatMap(\.shifts)
    let first = max(day.start, shifts.map(\.startedAt).min() ?? now - .hours(4))
    let start = hourBegin(first)
    let last = max(shifts.map(\.asOf).max() ?? now, now)
    let end = max(hourBegin(last) + .hours(1), start + .hours(8))
    guard end > day.end else { return TimeAxis(start: start, end: end) }
    return TimeAxis(start: max(day.start, min(start, day.end - .hours(8))), end: day.end)
  }
}
