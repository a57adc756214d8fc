public import GuardRules
import NotificationQueue
import Postgres
public import ShiftDomain
public import ShiftStore

/// How it stands with somebody on the board. The order is that of the counts on top of it.
public enum BoardState: UInt8, Coded {
  /// On shift, and something impairs tracking.
  case impaired = 0
  /// On shift, and nothing was heard of the phone for too long.
  case noContact = 1
  /// Not on shift: the last tap of the day was a clock-in that was refused.
  case blocked = 2
  /// On shift, nothing is wrong, and no position has come yet.
  case clockedIn = 3
  /// On shift, and nothing is wrong.
  case tracked = 4
  /// On a break.
  case onBreak = 5
  /// Not on shift, and to work today by a plan that has not ended.
  case scheduled = 6
  /// Not on shift.
  case off = 7

  /// Its word in JSON.
  public var code: String {
    switch self {
    case .impaired: "impaired"
    case .noContact: "no_contact"
    case .blocked: "blocked"
    case .clockedIn: "clocked_in"
    case .tracked: "tracked"
    case .onBreak: "break"
    case .scheduled: "scheduled"
    case .off: "off"
    }
  }
}

/// An incident that is open, and who was told of it how.
public struct BoardIncident: Hashable, Sendable {
  /// The incident.
  public var incident: OpenIncident
  /// How those concerned were told, in order; empty when nobody was yet.
  public var told: [Told]
  /// Why nobody was told; `nil` when somebody was, or nobody is to be.
  public var undelivered: Undelivered?
}

/// One employee's line on the board.
public struct BoardLine: Hashable, Sendable {
  /// Who.
  public var employee: EmployeeID
  /// Their name.
  public var name: String
  /// Their team.
  public var team: TeamID
  /// How it stands with them.
  public var state: BoardState
  /// Whether they can be tracked now.
  public var trackingState: TrackingState
  /// The open shift; `nil` off shift.
  public var shift: ShiftID?
  /// Since when it is open.
  public var startedAt: Instant?
  /// Since when they are on a break; `nil`: they are not.
  public var breakSince: Instant?
  /// When the tracking device was last heard of.
  public var lastContactAt: Instant?
  /// When it was last located.
  public var lastFixAt: Instant?
  /// The clock-in that was refused; `nil` unless the state is `blocked`.
  public var blocked: BlockedTap?
  /// Open incidents, in the order they began.
  public var incidents: [BoardIncident]
  /// The day so far, of the shifts that touch it: in order of time, with gaps between shifts. A
  /// ping counts once it is folded, some seconds after it came.
  public var today: [CoverageSegment]
  /// When they are to work, of plans that touch the day, in order.
  public var plans: [Interval]
}

/// Who is on shift, and who cannot be located.
public struct Board: Hashable, Sendable {
  /// When this was computed.
  public var asOf: Instant
  /// The teams, by number, each with its day.
  public var teams: [TeamDay]
  /// How many lines are in each state, whether or not the state was asked for.
  public var counts: [BoardState: Int]
  /// By team and number.
  public var lines: [BoardLine]
}

/// A clock-in that was refused.
public typealias BlockedTap = ShiftStore.BlockedTap

/// A team and its present day.
public typealias TeamDay = ShiftStore.TeamDay

/// How somebody was told, and when first.
public typealias Told = NotificationQueue.Told

/// Why nobody was told of an incident yet, and what is not set up.
public typealias Undelivered = NotificationQueue.Undelivered

/// Whose facts a reading may show.
public typealias TeamScope = ShiftStore.TeamScope

extension Viewer {
  /// The teams for which they have all of `rights`.
  public func scope(_ rights: TeamRights) -> TeamScope {
    TeamScope(teams(with: rights).map { Set($0) })
  }
}

extension Operations {
  /// The people whose coverage `viewer` may see.
  /// - Parameters:
  ///   - team: Only this one's.
  ///   - employees: Only these, in any order; `nil`: all.
  ///   - state: Only lines in this state; the counts are of all.
  /// - Throws: `.notFound` for a team that is not there, or not theirs to see; `.unavailable`,
  ///   `.broken`.
  public func board(
    for viewer: Viewer, team: TeamID? = nil, only employees: [EmployeeID]? = nil,
    in state: BoardState? = nil
  ) async throws(OperationError) -> Board {
    let scope = viewer.scope(.coverage).narrowed(to: team)
    // Open boards all look at once when something has changed.
    var board =
      if let employees {
        try await readBoard(of: scope, only: employees)
      } else {
        try await boards.value(of: scope) { () async throws(OperationError) in
          try await readBoard(of: scope, only: nil)
        }
      }
    if let team, board.teams.isEmpty { throw .notFound("team \(team.rawValue)") }
    if let state { board.lines.removeAll { $0.state != state } }
    return board
  }

  private func readBoard(of scope: TeamScope, only employees: [EmployeeID]?)
    async throws(OperationError) -> Board
  {
    let present = now()
    let facts = try await read { (session) throws(PostgresError) in
      try BoardFacts(in: scope, only: employees, asOf: present, on: &session)
    }
    // The clock of the instance that began a shift may be ahead.
    let asOf = facts.records.shifts.reduce(present) { max($0, $1.record.startedAt) }
    // Half-open: the instant itself lies in coverage that goes on after it.
    let known = try await segments(of: facts.records, asOf: asOf + .milliseconds(1))
    let lines = facts.lines(known, asOf: asOf)
    var counts: [BoardState: Int] = [:]
    for line in lines { counts[line.state, default: 0] += 1 }
    return Board(asOf: asOf, teams: facts.days, counts: counts, lines: lines)
  }

  /// How many shifts are folded together: their reports are in memory meanwhile.
  private static let foldedTogether = 200

  /// The coverage of each shift of the board, in their order. Only those are folded of which
  /// something is new.
  private func segments(of records: BoardRecords, asOf: Instant)
    async throws(OperationError) -> [[CoverageSegment]]
  {
    let shifts = records.shifts
    var known = coverageBook.segments(of: shifts, records.outages, asOf: asOf)
    let new = known.indices.filter { known[$0] == nil }
    for start in stride(from: 0, to: new.count, by: Self.foldedTogether) {
      let part = new[start..<min(start + Self.foldedTogether, new.count)]
      let around = try await read { (session) throws(PostgresError) in
        try surroundings(of: part.map { shifts[$0].record.shift }, on: &session)
      }
      for (place, surroundings) in zip(part, around) {
        known[place] = try await segments(of: shifts[place], surroundings, asOf: asOf)
      }
    }
    return known.map { $0 ?? [] }
  }

  private func segments(of shift: DayShift, _ surroundings: ShiftSurroundings, asOf: Instant)
    async throws(OperationError) -> [CoverageSegment]
  {
    let foreseen = ShiftCoverage(
      ofFolded: shift.record, surroundings, asOf: asOf + CoverageBook.foresight)
    guard let foreseen else {
      return try await coverage(of: [shift.record], [surroundings], asOf: asOf)[0].1.segments
    }
    coverageBook.note(foreseen.segments, of: shift, surroundings.outages, asOf: asOf)
    return foreseen.segments.told(of: shift.record, asOf: asOf)
  }

  /// What stands for everybody's line on the board: another mark whenever something has happened
  /// that makes the line another. That time goes by, which lengthens a bar and ends a plan, moves
  /// none.
  /// - Throws: `.unavailable`, `.broken`.
  public func boardMarks() async throws(OperationError) -> [EmployeeID: BoardMark] {
    // An incident lasts as long as its shift, a day.
    let start = now() - .hours(48)
    return try await read { (session) throws(PostgresError) in
      let told = try tellingCounts(since: start, on: &session)
      var marks = try ShiftStore.boardMarks(on: &session)
      for (employee, count) in told { marks[employee]?.told = count }
      return marks
    }
  }
}

/// What stands for somebody's line on the board.
public typealias BoardMark = ShiftStore.BoardMark

/// What the board is made of, before it is folded.
private struct BoardFacts: Sendable {
  var days: [TeamDay]
  var records: BoardRecords
  var told: [IncidentID: [Told]]
  var undelivered: [IncidentID: Undelivered]
  var plans: [EmployeeID: [DayPlan]]

  init(
    in scope: TeamScope, only employees: [EmployeeID]?, asOf: Instant, on session: inout Session
  ) throws(PostgresError) {
    days = try teamDays(in: scope, on: &session)
    for place in days.indices {
      let time = try CivilTime(of: days[place])
      days[place].span = time.span(of: time.date(of: asOf))
    }
    records = try ShiftStore.board(on: days, only: employees, on: &session)
    plans = Dictionary(
      grouping: try ShiftStore.plans(on: days, only: employees, on: &session)
    ) { $0.plan.employee }
    var incidents: [IncidentID] = []
    var earliest = asOf
    for line in records.lines {
      for incident in line.incidents {
        incidents.append(IncidentID(employee: line.employee, number: incident.number))
        earliest = min(earliest, incident.openedAt)
      }
    }
    let told = try tellings(of: incidents, since: earliest, on: &session)
    self.told = told
    undelivered = try NotificationQueue.undelivered(
      of: incidents.filter { told[$0] == nil }, since: earliest, on: &session)
  }

  /// - Parameter coverage: That of each shift.
  func lines(_ coverage: [[CoverageSegment]], asOf: Instant) -> [BoardLine] {
    var spans: [TeamID: Interval] = [:]
    for day in days { spans[day.team] = day.span }
    var today: [EmployeeID: [CoverageSegment]] = [:]
    var located: Set<EmployeeID> = []
    var present: [EmployeeID: TrackingState] = [:]
    for (shift, segments) in zip(records.shifts, coverage) {
      let employee = shift.record.shift.employee
      today[employee, default: []] += segments.told(of: shift.record, asOf: asOf)
      if shift.record.endedAt == nil {
        present[employee] = TrackingState(in: segments, at: asOf)
      }
      if shift.record.endedAt == nil, segments.contains(where: { $0.reason == .tracked }) {
        located.insert(employee)
      }
    }
    return records.lines.map { record in
      let span = spans[record.team] ?? Interval(from: asOf, to: asOf)
      return BoardLine(
        record, told: told, undelivered: undelivered,
        today: (today[record.employee] ?? []).compactMap { $0.clipped(to: span) },
        plans: plans[record.employee] ?? [],
        isLocated: located.contains(record.employee),
        trackingState: present[record.employee] ?? TrackingState(in: [], at: asOf), asOf: asOf)
    }
  }
}

extension BoardLine {
  fileprivate init(
    _ record: BoardRecord, told: [IncidentID: [Told]],
    undelivered: [IncidentID: Undelivered], today: [CoverageSegment],
    plans: [DayPlan], isLocated: Bool, trackingState: TrackingState, asOf: Instant
  ) {
    let employee = record.employee
    let isAwaited = plans.contains { !$0.isBegun && $0.plan.span.end > asOf }
    self.init(
      employee: employee, name: record.name, team: record.team,
      state: BoardState(of: record, isLocated: isLocated, isAwaited: isAwaited),
      trackingState: trackingState,
      shift: record.openShift.map { ShiftID(employee: employee, number: $0) },
      startedAt: record.startedAt, breakSince: record.breakSince,
      lastContactAt: record.lastReceivedAt, lastFixAt: record.lastFixAt, blocked: record.blocked,
      incidents: record.incidents.map { incident in
        let id = IncidentID(employee: employee, number: incident.number)
        return BoardIncident(
          incident: incident, told: told[id] ?? [], undelivered: undelivered[id])
      },
      today: today, plans: plans.map(\.plan.span))
  }
}

extension BoardState {
  /// - Parameters:
  ///   - isLocated: Whether a position of the open shift is folded.
  ///   - isAwaited: Whether they are to work today, and have not yet.
  fileprivate init(of record: BoardRecord, isLocated: Bool, isAwaited: Bool) {
    guard record.openShift != nil, let startedAt = record.startedAt else {
      self = record.blocked != nil ? .blocked : isAwaited ? .scheduled : .off
      return
    }
    guard record.breakSince == nil else {
      self = .onBreak
      return
    }
    // Silence is told apart only where nothing else is known: a phone that was refused its position
    // and then fell silent has a cause. One that says nothing sends no position either.
    let kinds = record.incidents.map(\.kind)
    if kinds.contains(where: { $0 != .noContact && $0 != .noFix }) {
      self = .impaired
    } else if kinds.contains(.noContact) {
      self = .noContact
    } else if !kinds.isEmpty {
      self = .impaired
    } else {
      let hasFix = record.lastFixAt.map { $0 >= startedAt } ?? false
      self = isLocated || hasFix ? .tracked : .clockedIn
    }
  }
}
