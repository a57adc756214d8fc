import CivilTime
import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension InsightOperations {
  /// The coverage of a team's day. A shift belongs wholly to the day on which it began in the
  /// team's time zone.
  /// - Throws: `.notFound` for an unknown team.
  package func coverage(on date: CivilDate, team: TeamID)
    async throws(OperationError) -> DayCoverage
  {
    let asOf = core.now()
    let row = try await core.team(team)
    guard let time = CivilTime(zone: row.timeZone) else {
      throw .broken(detail: "team \(team.rawValue) has an unknown time zone")
    }
    let span = time.span(of: date)
    let reading = try await inSnapshot()
    let (records, around) = try await reading.core.readSnapshot {
      (session) throws(PostgresError) in
      let records = try ShiftStore.shifts(of: team, from: span.start, to: span.end, on: &session)
      return (records, try surroundings(of: records.map(\.shift), on: &session))
    }
    let shifts = try await reading.coverage(of: records, around, asOf: asOf)
    var employees: [EmployeeDay] = []
    for (record, coverage) in shifts {
      if employees.last?.employee != record.shift.employee {
        employees.append(
          EmployeeDay(employee: record.shift.employee, name: record.name, shifts: []))
      }
      employees[employees.count - 1].shifts.append(coverage)
    }
    return DayCoverage(
      team: team, timeZone: row.timeZone, date: date, span: span, asOf: asOf,
      employees: employees)
  }

  /// The coverage of many shifts from rolled-up pings: a ping counts a few seconds after its
  /// receipt. Shifts that were not rolled up, or whose rollup is outdated, are read ping by ping
  /// and rolled up soon.
  func coverage(of records: [ShiftRow], _ around: [ShiftSurroundings], asOf: Instant)
    async throws(OperationError) -> [(ShiftRow, ShiftCoverage)]
  {
    var results: [(ShiftRow, ShiftCoverage)] = []
    for (record, surroundings) in zip(records, around) {
      if let coverage = ShiftCoverage(ofRollup: record, surroundings, asOf: asOf) {
        results.append((record, coverage))
        continue
      }
      dirtyShifts.note(record.shift)
      // Each shift is read separately, so that a team's day does not hold a connection while others
      // wait.
      let coverage = try await core.read { (session) throws(PostgresError) in
        try exactCoverage(of: record, surroundings, asOf: asOf, on: &session)
      }
      results.append((record, coverage))
    }
    return results
  }
}
