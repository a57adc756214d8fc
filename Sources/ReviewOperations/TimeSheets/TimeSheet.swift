import GuardRules
import InsightOperations
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// The times of the shifts of a period, for payroll.
package struct TimeSheet: Hashable, Sendable {
  package var period: PayPeriod
  package var asOf: Instant
  package var teams: [TeamDay]
  /// Employees with a shift or an unreviewed clock action, by number.
  package var lines: [TimeSheetLine] = []
  package var totals = TimeSheetTotals()

  /// Without lines.
  package init(of reading: TimeSheetReading) {
    (period, asOf, teams) = (reading.period, reading.asOf, reading.teams)
  }
}

/// A time sheet that is read part by part: as one snapshot, and in little memory, however many
/// shifts it has.
package struct TimeSheetReading: Sendable {
  package let period: PayPeriod
  package let asOf: Instant
  package let teams: [TeamDay]
  /// How many unreviewed clock actions it has in all, without superseded clock-ins.
  package let unreviewedCount: Int
  /// Of the lines read so far.
  package private(set) var totals = TimeSheetTotals()
  private let state: TimesState?
  private let outages: IntervalSet
  private let calendars: [TeamID: PeriodCalendar]
  private var shifts: SheetReading
  /// The employees who have not been read, by number.
  private var rest: ArraySlice<TimeSheetLine>
  /// On the connection with the snapshot.
  private let insight: InsightOperations

  fileprivate init(
    _ period: PayPeriod, asOf: Instant, _ frame: ReportFrame, _ shifts: SheetReading,
    _ unreviewed: [ClockActionRow], state: TimesState?, by insight: InsightOperations
  ) {
    (self.period, self.asOf, self.state) = (period, asOf, state)
    teams = frame.period.teams
    outages = frame.outages
    calendars = frame.calendars
    unreviewedCount = unreviewed.count { $0.supersededAt == nil }
    self.shifts = shifts
    self.insight = insight
    let claims = Dictionary(grouping: unreviewed, by: \.device.employee)
    rest =
      frame.employees.sorted { $0.key < $1.key }.map { employee, named in
        TimeSheetLine(
          employee: employee, name: named.name, team: named.team, unreviewed: claims[employee] ?? []
        )
      }[...]
  }

  package var isAtEnd: Bool { rest.isEmpty }

  /// The lines of the next employees; `nil` after the last.
  package mutating func next() async throws(OperationError) -> [TimeSheetLine]? {
    while !rest.isEmpty {
      let rows = try await readRows()
      let lines = try await takeLines(with: rows)
      if !lines.isEmpty { return lines }
    }
    return nil
  }

  /// The stored visits of the ended shifts on these lines, as far as the principal may see tracks
  /// of their teams.
  package func visits(of lines: [TimeSheetLine], for principal: Principal)
    async throws(OperationError) -> [ShiftID: [SiteVisit]]
  {
    try await insight.siteVisits(of: lines, for: principal)
  }

  private mutating func readRows() async throws(OperationError) -> [SheetTimes] {
    let before = shifts
    let (after, rows) = try await insight.core.readSnapshot { (session) throws(PostgresError) in
      var shifts = before
      let rows = try shifts.next(on: &session)
      return (shifts, rows)
    }
    shifts = after
    return rows
  }

  /// The employees up to the last one of `rows`, or all that are left.
  private mutating func takeLines(with rows: [SheetTimes]) async throws(OperationError)
    -> [TimeSheetLine]
  {
    let durations = try await insight.durations(
      of: rows.filter { !$0.times.isPast }.map { ShiftDurations($0) }, beside: outages, asOf: asOf)
    let last = rows.last?.times.shift.employee
    let count = last.flatMap { last in rest.firstIndex { $0.employee > last } } ?? rest.endIndex
    var lines = Array(rest[..<count])
    rest = rest[count...]
    var line = 0
    for row in rows where state == nil || row.times.state == state {
      let times = row.times
      while line < lines.count, lines[line].employee < times.shift.employee { line += 1 }
      guard line < lines.count, lines[line].employee == times.shift.employee,
        let place = times.fixed ?? calendars[times.team]?.place(of: times.startedAt)
      else { continue }
      let permille = durations[times.shift]?.totals.permille
      lines[line].entries.append(TimeSheetEntry(times: times, place: place, permille: permille))
      lines[line].totals.add(times)
      totals.add(times)
    }
    return lines.filter { !$0.entries.isEmpty || !$0.unreviewed.isEmpty }
  }
}

extension ReviewOperations {
  /// The time sheet of the teams whose coverage `principal` may see. An approved shift stands in
  /// that of the team in which it was approved, wherever its employee is now.
  /// - Parameters:
  ///   - period: At most `reportDaysMax` days. A shift belongs wholly to the day on which it began
  ///     in its team's time zone, or that of its approval.
  ///   - state: Only shifts in this state; `nil`: all.
  /// - Throws: `.invalid` for a period that ends before it begins or is too long; `.notFound` for
  ///   a team or an employee that is not there, or not theirs to see.
  package func readTimeSheet(
    for principal: Principal, _ period: PayPeriod, team: TeamID? = nil,
    employee: EmployeeID? = nil, state: TimesState? = nil
  ) async throws(OperationError) -> TimeSheetReading {
    let asOf = core.now()
    let scope = principal.scope(.coverage).narrowed(to: team)
    let days = try insight.checkedDays(from: period.from, to: period.to)
    let reading = try await insight.inSnapshot()
    let (frame, shifts, unreviewed) = try await reading.core.readSnapshot {
      (session) throws(PostgresError) in
      var frame = try ReportFrame(in: scope, days, of: employee, on: &session)
      var batch = Batch()
      let places = frame.places(in: &batch, asOf: asOf)
      var claims = Query<[ClockActionRow]>(known: [])
      if state == nil, let span = frame.period.span {
        claims = unreviewedClockActions(
          in: scope, during: span, of: employee, limit: 1_000, now: asOf)
      }
      let unreviewed = batch.append(claims)
      let shifts = batch.append(SheetReading(in: frame.period))
      try session.run(&batch)
      frame.add(batch, places)
      return (frame, batch[shifts], batch[unreviewed])
    }
    try frame.check(team: team, employee: employee)
    return TimeSheetReading(
      period, asOf: asOf, frame, shifts, unreviewed, state: state, by: reading)
  }

  /// The same, read wholly: in memory as long as it is used.
  package func timeSheet(
    for principal: Principal, _ period: PayPeriod, team: TeamID? = nil,
    employee: EmployeeID? = nil, state: TimesState? = nil
  ) async throws(OperationError) -> TimeSheet {
    var reading = try await readTimeSheet(
      for: principal, period, team: team, employee: employee, state: state)
    var sheet = TimeSheet(of: reading)
    while let lines = try await reading.next() { sheet.lines += lines }
    sheet.totals = reading.totals
    return sheet
  }
}

extension ShiftDurations {
  fileprivate init(_ row: SheetTimes) {
    self.init(
      shift: row.times.shift, team: row.times.team, fixed: row.times.fixed,
      startedAt: row.times.startedAt, endedAt: row.times.endedAt, durations: row.durations)
  }
}
