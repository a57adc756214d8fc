public import GuardRules
import Postgres
public import ShiftDomain
import ShiftStore

/// A team's coverage on one day of its calendar.
public struct DayCoverage: Hashable, Sendable {
  /// The team.
  public var team: TeamID
  /// Its IANA time zone.
  public var timeZone: String
  /// The day there.
  public var date: CivilDate
  /// From its first instant to the next day's; empty for a day that the place left out.
  public var span: Interval
  /// When this was computed.
  public var asOf: Instant
  /// Those with a shift that belongs to the day, by number.
  public var employees: [EmployeeDay]

  /// Everybody's time together: sums, never a mean of rates.
  public var totals: TrackingTotals {
    var totals = TrackingTotals()
    for shift in employees.flatMap(\.shifts) { totals.add(shift.segments) }
    return totals
  }
}

/// One employee's shifts of a day.
public struct EmployeeDay: Hashable, Sendable {
  /// Who.
  public var employee: EmployeeID
  /// Their name.
  public var name: String
  /// The shifts that began on the day, in order, each wholly, wherever it ends.
  public var shifts: [ShiftCoverage]

  /// Their time together.
  public var totals: TrackingTotals {
    var totals = TrackingTotals()
    for shift in shifts { totals.add(shift.segments) }
    return totals
  }
}

extension Operations {
  /// What was tracked of the shifts of a team's day. A shift belongs wholly to the day, in the
  /// team's time zone, on which it began.
  /// - Throws: `.notFound` for an unknown team, `.unavailable`, `.broken`.
  public func coverage(on date: CivilDate, team: TeamID)
    async throws(OperationError) -> DayCoverage
  {
    let asOf = now()
    let row = try await self.team(team)
    guard let time = CivilTime(zone: row.timeZone) else {
      throw .broken(detail: "team \(team.rawValue) is in a time zone nobody knows")
    }
    let span = time.span(of: date)
    let (records, around) = try await read { (session) throws(PostgresError) in
      let records = try ShiftStore.shifts(of: team, from: span.start, to: span.end, on: &session)
      return (records, try surroundings(of: records.map(\.shift), on: &session))
    }
    let shifts = try await coverage(of: records, around, asOf: asOf)
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

  /// The coverage of many shifts from what was folded: a ping counts once it is, some seconds after
  /// it came. Those that were not, or do not fit what is known since, are read ping by ping, and
  /// folded soon.
  func coverage(of records: [ShiftRecord], _ around: [ShiftSurroundings], asOf: Instant)
    async throws(OperationError) -> [(ShiftRecord, ShiftCoverage)]
  {
    var told: [(ShiftRecord, ShiftCoverage)] = []
    for (record, surroundings) in zip(records, around) {
      if let coverage = ShiftCoverage(ofFolded: record, surroundings, asOf: asOf) {
        told.append((record, coverage))
        continue
      }
      unfolded.note(record.shift)
      // A reading each: a team's day must not hold a connection while others wait.
      let coverage = try await read { (session) throws(PostgresError) in
        try exactCoverage(of: record, asOf: asOf, on: &session)
      }
      told.append((record, coverage))
    }
    return told
  }
}
