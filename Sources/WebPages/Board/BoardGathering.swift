import GuardRules
import ShiftDomain
import ShiftOperations

extension PageDesk {
  /// The board as `viewer` may see it.
  func board(for viewer: Viewer, _ filter: BoardFilter) async throws -> BoardView {
    let board = try await operations.board(for: viewer)
    if let team = filter.team, !board.teams.contains(where: { $0.team == team }) {
      throw PageNotFound()
    }
    let lines = Dictionary(grouping: board.lines) { $0.team }
    var view = BoardView(
      asOf: board.asOf, choices: board.teams, filter: filter, teams: [], counts: [:],
      totals: TrackingTotals())
    for row in board.teams where filter.team == nil || filter.team == row.team {
      let clock = try TeamClock(zone: row.timeZone, now: board.asOf)
      let people = lines[row.team] ?? []
      for person in people where filter.passesText(person) {
        view.counts[person.state, default: 0] += 1
        view.totals.add(person.today)
      }
      view.teams.append(
        BoardTeam(
          team: row.team, name: row.name, clock: clock,
          people: people.filter(filter.passes).sorted { $0.isMoreUrgent(than: $1) },
          axis: clock.axis(of: people, now: board.asOf), now: board.asOf))
    }
    return view
  }
}

extension BoardLine {
  fileprivate func isMoreUrgent(than other: BoardLine) -> Bool {
    state == other.state ? name < other.name : state.rank < other.state.rank
  }
}

extension TeamClock {
  /// From the first full hour in which somebody began to the one after the last; eight hours at the
  /// least, within the day.
  fileprivate func axis(of people: [BoardLine], now: Instant) -> TimeAxis {
    let spans = people.flatMap(\.today).map(\.interval)
    let first = max(day.start, spans.map(\.start).min() ?? now - .hours(4))
    let start = hourBegin(first)
    let last = max(spans.map(\.end).max() ?? now, now)
    let end = max(hourBegin(last) + .hours(1), start + .hours(8))
    guard end > day.end else { return TimeAxis(start: start, end: end) }
    return TimeAxis(start: max(day.start, min(start, day.end - .hours(8))), end: day.end)
  }
}
