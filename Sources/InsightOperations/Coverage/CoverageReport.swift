import CivilTime
import GuardRules
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package enum ReportGrouping: UInt8, Coded {
  case team = 0
  case employee = 1
  /// By day in the team's time zone.
  case day = 2
  /// By week from Monday on; of the first and the last only the days in the period count.
  case week = 3

  package var code: String {
    switch self {
    case .team: "team"
    case .employee: "employee"
    case .day: "day"
    case .week: "week"
    }
  }
}

extension InsightOperations {
  /// The coverage of a period. A shift belongs wholly to the day on which it began in its team's
  /// time zone; an approval fixes both. For ended shifts the stored totals are read; the others are
  /// computed now.
  /// - Parameter to: At most `reportDaysMax - 1` days after `from`.
  /// - Throws: `.invalid` for a period that ends before it begins or is too long; `.notFound` for
  ///   a team or employee that is not there, or not theirs to see.
  package func coverageReport(
    for principal: Principal, from: CivilDate, to: CivilDate, team: TeamID? = nil,
    employee: EmployeeID? = nil, by grouping: ReportGrouping
  ) async throws(OperationError) -> CoverageReport {
    try await coverageReports(
      for: principal, from: from, to: to, team: team, employee: employee, by: [grouping])[0]
  }

  /// The same shifts by each of `groupings`, in their order, read once.
  package func coverageReports(
    for principal: Principal, from: CivilDate, to: CivilDate, team: TeamID? = nil,
    employee: EmployeeID? = nil, by groupings: [ReportGrouping]
  ) async throws(OperationError) -> [CoverageReport] {
    let days = try checkedDays(from: from, to: to)
    let asOf = core.now()
    let scope = principal.scope(.coverage).narrowed(to: team)
    let reading = try await inSnapshot()
    let frame = try await reading.core.readSnapshot { (session) throws(PostgresError) in
      var frame = try ReportFrame(in: scope, days, of: employee, on: &session)
      var batch = Batch()
      let places = frame.places(in: &batch, asOf: asOf)
      try session.run(&batch)
      frame.add(batch, places)
      try openShiftDurations(in: frame.period, on: &session)
      return frame
    }
    try frame.check(team: team, employee: employee)
    var reports = groupings.map { ReportTally(by: $0, frame.calendars) }
    while !frame.period.teams.isEmpty {
      let shifts = try await reading.core.read { (session) throws(PostgresError) in
        try nextShiftDurations(on: &session)
      }
      guard !shifts.isEmpty else { break }
      let durations = try await reading.durations(of: shifts, beside: frame.outages, asOf: asOf)
      for place in reports.indices { reports[place].add(shifts, durations) }
    }
    return reports.map { $0.report(in: frame, days, asOf: asOf) }
  }

  /// - Throws: `.invalid` for a period that ends before it begins or is too long.
  package func checkedDays(from: CivilDate, to: CivilDate)
    throws(OperationError) -> ClosedRange<CivilDate>
  {
    guard from <= to, to.daysSince1970 - from.daysSince1970 < reportDaysMax else {
      throw .invalid("a period must have 1 to \(reportDaysMax) days")
    }
    return from...to
  }

  /// How many shifts are computed together; their reports are in memory meanwhile.
  private static let reportBatchSize = 200

  /// The time by reason of each shift: as stored, or computed now.
  package func durations(of shifts: [ShiftDurations], beside outages: IntervalSet, asOf: Instant)
    async throws(OperationError) -> [ShiftID: CoverageDurations]
  {
    var durations: [ShiftID: CoverageDurations] = [:]
    var missing: [ShiftID] = []
    for shift in shifts {
      if let stored = shift.durations(beside: outages) {
        durations[shift.shift] = stored
      } else {
        missing.append(shift.shift)
      }
    }
    for start in stride(from: 0, to: missing.count, by: Self.reportBatchSize) {
      let ids = Array(missing[start..<min(start + Self.reportBatchSize, missing.count)])
      let (records, around) = try await core.read { (session) throws(PostgresError) in
        var batch = Batch()
        let around = batch.append(SurroundingsReading(of: ids))
        let records = batch.append(shiftRecords(of: ids))
        try session.run(&batch)
        let surroundings = Dictionary(
          zip(ids, batch[around].surroundings), uniquingKeysWith: { $1 })
        let found = batch[records].compactMap { record in
          surroundings[record.shift].map { (record, $0) }
        }
        return (found.map(\.0), found.map(\.1))
      }
      for (record, coverage) in try await coverage(of: records, around, asOf: asOf) {
        durations[record.shift] = CoverageDurations(of: coverage.segments)
        // Rolling up stores the totals, so the next report finds them.
        if record.endedAt != nil { dirtyShifts.note(record.shift) }
      }
    }
    return durations
  }
}

/// What a report over the shifts of a period needs besides the shifts, which are read in parts.
package struct ReportFrame: Sendable {
  package private(set) var period: ReportPeriod
  package private(set) var employees: [EmployeeID: NamedEmployee] = [:]
  package private(set) var outages = IntervalSet()

  /// Where the rest is found in a batch.
  package struct Places {
    fileprivate let employees: Batch.Place<Query<[EmployeeID: NamedEmployee]>>
    fileprivate let outages: Batch.Place<Query<IntervalSet>>
  }

  /// The teams only; the rest is read with what else depends on them.
  package init(
    in scope: TeamScope, _ days: ClosedRange<CivilDate>, of employee: EmployeeID?,
    on session: inout Session
  ) throws(PostgresError) {
    var teams = try teamDays(in: scope, of: employee, on: &session)
    for place in teams.indices {
      let time = try CivilTime(ofTeamIn: teams[place].timeZone)
      teams[place].span = Interval(
        from: time.span(of: days.lowerBound).start, to: time.span(of: days.upperBound).end)
    }
    period = ReportPeriod(
      teams: teams,
      days: Int32(days.lowerBound.daysSince1970)...Int32(days.upperBound.daysSince1970),
      employee: employee)
  }

  package func places(in batch: inout Batch, asOf: Instant) -> Places {
    // The last of the shifts may have ended at any time until now.
    let reach = period.reach ?? Interval(from: asOf, to: asOf)
    return Places(
      employees: batch.append(namedEmployees(in: period)),
      outages: batch.append(ShiftStore.outages(from: reach.start, to: max(reach.end, asOf))))
  }

  package mutating func add(_ batch: Batch, _ places: Places) {
    (employees, outages) = (batch[places.employees], batch[places.outages])
  }

  /// - Throws: `.notFound` when the team or the employee asked for was not found in the scope.
  package func check(team: TeamID?, employee: EmployeeID?) throws(OperationError) {
    if let team, period.teams.isEmpty { throw .notFound("team \(team.rawValue)") }
    if let employee, employees[employee] == nil { throw .employeeNotFound(employee) }
  }

  package var calendars: [TeamID: PeriodCalendar] {
    var calendars: [TeamID: PeriodCalendar] = [:]
    for team in period.teams { calendars[team.team] = PeriodCalendar(of: team, period.days) }
    return calendars
  }
}

/// The sums of the shifts that a report has read so far.
private struct ReportTally {
  private let grouping: ReportGrouping
  private let calendars: [TeamID: PeriodCalendar]
  private var total = CoverageSummary()
  private var lines: [ReportKey: CoverageSummary] = [:]

  init(by grouping: ReportGrouping, _ calendars: [TeamID: PeriodCalendar]) {
    (self.grouping, self.calendars) = (grouping, calendars)
  }

  mutating func add(_ shifts: [ShiftDurations], _ durations: [ShiftID: CoverageDurations]) {
    for shift in shifts {
      guard let durations = durations[shift.shift], let key = key(of: shift) else { continue }
      lines[key, default: CoverageSummary()].add(durations, isOpen: shift.endedAt == nil)
      total.add(durations, isOpen: shift.endedAt == nil)
    }
  }

  private func key(of shift: ShiftDurations) -> ReportKey? {
    switch grouping {
    case .team: .team(shift.fixed?.team ?? shift.team)
    case .employee: .employee(shift.shift.employee)
    case .day: date(of: shift).map { .day($0) }
    case .week: date(of: shift).map { .week($0.monday) }
    }
  }

  private func date(of shift: ShiftDurations) -> CivilDate? {
    (shift.fixed ?? calendars[shift.team]?.place(of: shift.startedAt))?.date
  }

  func report(in frame: ReportFrame, _ days: ClosedRange<CivilDate>, asOf: Instant)
    -> CoverageReport
  {
    let teams = Dictionary(frame.period.teams.map { ($0.team, $0.name) }, uniquingKeysWith: { $1 })
    let lines = lines.map { (key, tally) -> ReportLine in
      switch key {
      case .team(let team): return ReportLine(key: key, name: teams[team] ?? "", tally: tally)
      case .employee(let employee):
        let named = frame.employees[employee]
        return ReportLine(
          key: key, name: named?.name ?? "", team: named.flatMap { teams[$0.team] } ?? "",
          tally: tally)
      case .day, .week: return ReportLine(key: key, name: "", tally: tally)
      }
    }
    return CoverageReport(
      from: days.lowerBound, to: days.upperBound, asOf: asOf, total: total,
      lines: lines.sorted { $0.key < $1.key })
  }
}

extension ShiftDurations {
  /// Whether the stored totals are valid: new outages of ours are the only facts that do not
  /// increase the version.
  func holds(beside outages: IntervalSet) -> Bool { durations(beside: outages) != nil }

  /// The stored totals; `nil` if there are none that are valid.
  fileprivate func durations(beside outages: IntervalSet) -> CoverageDurations? {
    guard let durations, let endedAt,
      durations.outage == outages.time(in: Interval(from: startedAt, to: endedAt))
    else { return nil }
    return durations.durations
  }
}

/// The days of a period in a team's time zone.
package struct PeriodCalendar {
  private let team: TeamDay
  private let first: Int32
  /// The start of each day, and the end of the last one.
  private let beginnings: [Instant]

  init?(of team: TeamDay, _ days: ClosedRange<Int32>) {
    guard let time = CivilTime(zone: team.timeZone) else { return nil }
    (self.team, first) = (team, days.lowerBound)
    beginnings = days.map { time.span(of: CivilDate(daysSince1970: Int($0))).start }
  }

  /// The day of `instant`; `nil` before the first.
  package func place(of instant: Instant) -> CivilPlace? {
    var (low, high) = (0, beginnings.count)
    while low < high {
      let middle = (low + high) / 2
      if beginnings[middle] > instant { high = middle } else { low = middle + 1 }
    }
    guard low > 0 else { return nil }
    return CivilPlace(team: team.team, timeZone: team.timeZone, day: first + Int32(low) - 1)
  }
}

extension CivilTime {
  package init(ofTeamIn zone: String) throws(PostgresError) {
    guard let time = CivilTime(zone: zone) else {
      throw .broken(nil, detail: "a team has an unknown time zone")
    }
    self = time
  }
}
