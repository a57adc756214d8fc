import CivilTime
import GuardRules
import ManagerCore
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension InsightOperations {
  /// The employees whose coverage `principal` may see.
  /// - Parameters:
  ///   - employees: Only these, in any order; `nil`: all.
  ///   - state: Only lines in this state; the counts include all.
  /// - Throws: `.notFound` for a team that is not there, or not theirs to see.
  package func board(
    for principal: Principal, team: TeamID? = nil, only employees: [EmployeeID]? = nil,
    in state: BoardState? = nil
  ) async throws(OperationError) -> Board {
    let scope = principal.scope(.coverage).narrowed(to: team)
    // All open boards query at once when something has changed.
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
    let present = core.now()
    return try await core.readSnapshot(within: Self.boardSpanMax) {
      (session) throws(PostgresError) in
      var facts = try BoardFacts(in: scope, only: employees, asOf: present, on: &session)
      // The clock of the instance that began a shift may be ahead of ours.
      let asOf = facts.records.shifts.reduce(present) { max($0, $1.startedAt) }
      // Half-open, so that the instant itself is within the coverage.
      let known = try complete(&facts, asOf: asOf + .milliseconds(1), on: &session)
      let lines = facts.lines(known, asOf: asOf)
      var counts: [BoardState: Int] = [:]
      for line in lines { counts[line.state, default: 0] += 1 }
      return Board(asOf: asOf, teams: facts.days, counts: counts, lines: lines)
    }
  }

  /// The first board after a start computes the coverage of all shifts of the day.
  private static let boardSpanMax = Duration.seconds(30)

  /// How many shifts are computed together; their reports are in memory meanwhile.
  private static let rollupBatchSize = 200

  /// Reads the rest of the facts, and what is new of the coverage of the shifts.
  /// - Returns: Their coverage, in their order.
  private func complete(_ facts: inout BoardFacts, asOf: Instant, on session: inout Session)
    throws(PostgresError) -> [[CoverageSegment]]
  {
    let shifts = facts.records.shifts
    var known = coverageCache.segments(of: shifts, facts.records.outages, asOf: asOf)
    var new = known.indices.filter { known[$0] == nil }[...]
    var rest: BoardFacts.Rest?
    repeat {
      let part = new.prefix(Self.rollupBatchSize)
      new = new.dropFirst(part.count)
      var batch = Batch()
      let first = rest == nil ? facts.rest(in: &batch) : nil
      let ids = part.map { shifts[$0].shift }
      let around = batch.append(SurroundingsReading(of: ids))
      let records = batch.append(
        ids.isEmpty ? Query<[ShiftRow]>(known: []) : shiftRecords(of: ids))
      try session.run(&batch)
      if let first {
        facts.add(batch, first)
        rest = first
      }
      let found = Dictionary(batch[records].map { ($0.shift, $0) }, uniquingKeysWith: { $1 })
      for (place, surroundings) in zip(part, batch[around].surroundings) {
        guard let record = found[shifts[place].shift] else { continue }
        known[place] = try segments(
          of: shifts[place], record, surroundings, asOf: asOf, on: &session)
      }
    } while !new.isEmpty
    return known.map { $0 ?? [] }
  }

  /// A shift that was not rolled up, or whose rollup is outdated, is read ping by ping and rolled
  /// up soon.
  private func segments(
    of shift: DayShift, _ record: ShiftRow, _ surroundings: ShiftSurroundings, asOf: Instant,
    on session: inout Session
  ) throws(PostgresError) -> [CoverageSegment] {
    let foreseen = ShiftCoverage(
      ofRollup: record, surroundings, asOf: asOf + CoverageCache.foresight)
    guard let foreseen else {
      dirtyShifts.note(shift.shift)
      return try exactCoverage(of: record, surroundings, asOf: asOf, on: &session).segments
    }
    coverageCache.note(foreseen.segments, of: shift, surroundings.outages, asOf: asOf)
    return foreseen.segments.elapsed(of: shift, asOf: asOf)
  }

  /// A mark for every employee's line on the board, which changes whenever an event changes the
  /// line. The passing of time, which extends a bar and ends a planned shift, does not change it.
  package func boardMarks() async throws(OperationError) -> [EmployeeID: BoardMark] {
    // An incident lasts at most as long as its shift, a day.
    let start = core.now() - .hours(48)
    return try await core.readSnapshot { (session) throws(PostgresError) in
      let deliveries = try incidentDeliveryCounts(since: start, on: &session)
      var marks = try ShiftStore.boardMarks(on: &session)
      for (employee, count) in deliveries { marks[employee]?.deliveryCount = count }
      return marks
    }
  }
}

/// The facts of the board, before coverage is computed.
private struct BoardFacts: Sendable {
  /// Where the rest of the facts is found in a batch.
  struct Rest {
    fileprivate let attendances: Batch.Place<AttendanceReading>
    fileprivate let deliveries: Batch.Place<Query<[IncidentID: [IncidentDelivery]]>>
    fileprivate let undelivered: Batch.Place<Query<[IncidentID: Undelivered]>>
  }

  var days: [TeamDay]
  var records: BoardRecords
  var plannedShifts: [EmployeeID: [PlannedShiftOnDay]]
  var missed: [EmployeeID: MissedShift] = [:]
  /// Planned shifts that have begun without their employees.
  private let awaited: [PlannedShiftOnDay]
  private let asOf: Instant

  init(
    in scope: TeamScope, only employees: [EmployeeID]?, asOf: Instant, on session: inout Session
  ) throws(PostgresError) {
    self.asOf = asOf
    days = try teamDays(in: scope, on: &session)
    for place in days.indices {
      let time = try CivilTime(ofTeamIn: days[place].timeZone)
      days[place].span = time.span(of: time.date(of: asOf))
    }
    var batch = Batch()
    // Before the board, because its advice to the planner is not for this.
    let planned = batch.append(ShiftStore.plannedShifts(on: days, only: employees))
    let board = batch.append(BoardReading(on: days, only: employees))
    try session.run(&batch)
    records = batch[board].records
    plannedShifts = Dictionary(grouping: batch[planned]) { $0.plannedShift.employee }
    awaited = batch[planned].filter {
      $0.isWatched && !$0.isBegun && !$0.isAbsent && $0.plannedShift.span.start <= asOf
    }
  }

  /// Adds to `batch` what depends on what was read so far.
  func rest(in batch: inout Batch) -> Rest {
    var incidents: [IncidentID] = []
    var earliest = asOf
    for line in records.lines {
      for incident in line.incidents {
        incidents.append(IncidentID(employee: line.employee, number: incident.incident.episode))
        earliest = min(earliest, incident.incident.openedAt)
      }
    }
    return Rest(
      attendances: batch.append(AttendanceReading(to: awaited, asOf: asOf)),
      deliveries: batch.append(incidentDeliveries(of: incidents, since: earliest)),
      undelivered: batch.append(
        NotificationQueue.undelivered(of: incidents, since: earliest)))
  }

  mutating func add(_ batch: Batch, _ rest: Rest) {
    missed = missedShifts(among: awaited, batch[rest.attendances].attendances, asOf: asOf)
    let (deliveries, undelivered) = (batch[rest.deliveries], batch[rest.undelivered])
    for place in records.lines.indices { records.lines[place].note(deliveries, undelivered) }
  }

  func lines(_ coverage: [[CoverageSegment]], asOf: Instant) -> [BoardLine] {
    var spans: [TeamID: Interval] = [:]
    for day in days { spans[day.team] = day.span }
    var today: [EmployeeID: [CoverageSegment]] = [:]
    var located: Set<EmployeeID> = []
    var present: [EmployeeID: TrackingState] = [:]
    for (shift, segments) in zip(records.shifts, coverage) {
      let employee = shift.shift.employee
      today[employee, default: []] += segments.elapsed(of: shift, asOf: asOf)
      if shift.endedAt == nil {
        present[employee] = TrackingState(in: segments, at: asOf)
      }
      if shift.endedAt == nil, segments.contains(where: { $0.reason == .tracked }) {
        located.insert(employee)
      }
    }
    return records.lines.map { record in
      let span = spans[record.team] ?? Interval(from: asOf, to: asOf)
      return BoardLine(
        record, today: (today[record.employee] ?? []).compactMap { $0.clipped(to: span) },
        plannedShifts: plannedShifts[record.employee] ?? [],
        missed: record.openShift == nil ? missed[record.employee] : nil,
        isLocated: located.contains(record.employee),
        trackingState: present[record.employee] ?? TrackingState(in: [], at: asOf), asOf: asOf)
    }
  }
}

extension BoardRecord {
  /// Sets what was notified about the incidents.
  fileprivate mutating func note(
    _ deliveries: [IncidentID: [IncidentDelivery]], _ undelivered: [IncidentID: Undelivered]
  ) {
    for place in incidents.indices {
      let id = IncidentID(employee: employee, number: incidents[place].incident.episode)
      incidents[place].deliveries = deliveries[id] ?? []
      incidents[place].undelivered = deliveries[id] == nil ? undelivered[id] : nil
    }
  }
}

extension BoardLine {
  fileprivate init(
    _ record: BoardRecord, today: [CoverageSegment], plannedShifts: [PlannedShiftOnDay],
    missed: MissedShift?, isLocated: Bool, trackingState: TrackingState, asOf: Instant
  ) {
    // Of an absent employee, only what was worked all the same.
    let plannedShifts = plannedShifts.filter { $0.isBegun || !$0.isAbsent }
    let isAwaited = plannedShifts.contains { !$0.isBegun && $0.plannedShift.span.end > asOf }
    self.init(
      record: record,
      state: BoardState(
        of: record, trackingState, isLocated: isLocated, isMissed: missed != nil,
        isAwaited: isAwaited),
      trackingState: trackingState, today: today,
      plannedShifts: plannedShifts.map(\.plannedShift.span), missed: missed)
  }
}

extension BoardState {
  /// - Parameters:
  ///   - isLocated: Whether a position of the open shift has been rolled up.
  ///   - isMissed: Whether a planned shift today is missed.
  ///   - isAwaited: Whether a planned shift today has not begun yet.
  fileprivate init(
    of record: BoardRecord, _ trackingState: TrackingState, isLocated: Bool, isMissed: Bool,
    isAwaited: Bool
  ) {
    guard record.openShift != nil, let startedAt = record.startedAt else {
      self = record.blocked != nil ? .blocked : isMissed ? .late : isAwaited ? .scheduled : .off
      return
    }
    guard record.breakSince == nil else {
      self = .onBreak
      return
    }
    // Silence is shown only without another cause: a phone that lost its permission and then fell
    // silent has a cause. A silent phone sends no position either.
    let kinds = record.incidents.map(\.incident.kind)
    if kinds.contains(where: { $0.cannotLocate || $0 == .mockLocation }) {
      self = .notTracked
    } else if kinds.contains(.noContact) {
      self = .noContact
    } else if kinds.contains(.noFix) {
      self = .notTracked
    } else if trackingState.value == .atRisk {
      self = .atRisk
    } else if trackingState.reason?.lasts == true {
      self = .notTracked
    } else {
      let hasFix = record.lastFixAt.map { $0 >= startedAt } ?? false
      self = isLocated || hasFix ? .tracked : .clockedIn
    }
  }
}

extension CoverageReason {
  /// Whether it is more than a moment before the next position, without an incident.
  fileprivate var lasts: Bool {
    switch self {
    case .mockLocation, .lowAccuracy, .pageHidden: true
    default: false
    }
  }
}
