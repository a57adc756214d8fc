import CivilTime
import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension PeopleOperations {
  /// Planned shifts that intersect the times of `filter`, by start and employee.
  /// - Parameter limit: From 1.
  package func plannedShifts(_ filter: ListFilter, limit: Int)
    async throws(OperationError) -> ListPage<PlannedShiftRow>
  {
    let now = core.now()
    return try await core.readSnapshot { (session) throws(PostgresError) in
      let found = try ShiftStore.plannedShifts(
        filter, limit: Int32(clamping: limit + 1), on: &session)
      return ListPage(try attended(found, at: now, on: &session), limit: limit)
    }
  }

  /// The week of `day` of a team, for its employees by number.
  /// - Parameters:
  ///   - last: Ends the page before.
  ///   - limit: From 1.
  package func week(
    of team: TeamRow, with day: CivilDate, after last: EmployeeID? = nil, limit: Int
  ) async throws(OperationError) -> Week {
    let now = core.now()
    let time = try CivilTime(of: team)
    let (monday, span) = (day.monday, time.week(of: day))
    return try await core.readSnapshot { (session) throws(PostgresError) in
      var batch = Batch()
      let profiles = batch.append(
        employeeProfiles(
          of: team.team, activeAfter: span.start, after: last, limit: Int32(clamping: limit + 1)))
      let sites = batch.append(ShiftStore.sites(of: team.team))
      try session.run(&batch)
      let shown = batch[profiles].prefix(limit)
      let numbers = shown.map(\.employee)
      var details = Batch()
      let planned = details.append(AttendanceReading(of: numbers, in: span, asOf: now))
      let absences = details.append(ShiftStore.absences(of: numbers, touching: span))
      session.endSnapshotWithNext()
      try session.run(&details)
      let rows = details[planned].attendances
        .filter { $0.plannedShift.span.start >= span.start }.map { PlannedShiftRow($0, at: now) }
      let shifts = Dictionary(grouping: rows, by: \.plannedShift.employee)
      let absent = Dictionary(grouping: details[absences], by: \.employee)
      let employees = shown.sorted {
        ($0.name, $0.employee.rawValue) < ($1.name, $1.employee.rawValue)
      }
      .map {
        EmployeeWeek(
          $0, plannedShifts: shifts[$0.employee] ?? [], absences: absent[$0.employee] ?? [])
      }
      return Week(
        of: team, from: monday, sites: batch[sites], employees: employees,
        next: batch[profiles].count > limit ? numbers.last : nil)
    }
  }
}

extension CivilTime {
  init(of team: TeamRow) throws(OperationError) {
    guard let time = CivilTime(zone: team.timeZone) else {
      throw .broken(detail: "team \(team.team.rawValue) has an unknown time zone")
    }
    self = time
  }

  /// From the Monday of the week of `day` to the next.
  package func week(of day: CivilDate) -> Interval {
    Interval(
      from: span(of: day.monday).start, to: span(of: day.monday.advanced(by: 6)).end)
  }
}

/// Whether the employees of these planned shifts have come, in their order.
private func attended(_ plannedShifts: [PlannedShift], at now: Instant, on session: inout Session)
  throws(PostgresError) -> [PlannedShiftRow]
{
  let begun = plannedShifts.filter { $0.span.start <= now }
  let starts = begun.map(\.span.start)
  var known: [PlannedShift: PlannedShiftRow] = [:]
  if let first = starts.min(), let last = starts.max() {
    let employees = Set(begun.map(\.employee)).sorted { $0.rawValue < $1.rawValue }
    let span = Interval(from: first, to: last + .milliseconds(1))
    for one in try plannedAttendances(of: employees, in: span, on: &session) {
      known[one.plannedShift] = PlannedShiftRow(one, at: now)
    }
  }
  return plannedShifts.map { known[$0] ?? PlannedShiftRow($0, nil) }
}

extension PlannedShiftRow {
  fileprivate init(_ planned: PlannedAttendance, at now: Instant) {
    let isBegun = planned.plannedShift.span.start <= now
    self.init(planned.plannedShift, isBegun ? planned.attendance(at: now) : nil)
  }
}
