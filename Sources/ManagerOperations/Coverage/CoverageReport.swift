import GuardRules
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

  package var code: String {
    switch self {
    case .team: "team"
    case .employee: "employee"
    case .day: "day"
    }
  }
}

package struct CoverageSummary: Hashable, Sendable {
  package var shifts = 0
  /// How many of these are open, so that the totals may still change.
  package var openShifts = 0
  package var durations = CoverageDurations()

  package init() {}

  fileprivate mutating func add(_ durations: CoverageDurations, isOpen: Bool) {
    shifts += 1
    openShifts += isOpen ? 1 : 0
    self.durations.add(durations)
  }
}

package enum ReportKey: Hashable, Sendable {
  case team(TeamID)
  /// An employee; sorted by number, never by result.
  case employee(EmployeeID)
  /// A day, in the time zone of each team.
  case day(CivilDate)
}

package struct ReportLine: Hashable, Sendable {
  package var key: ReportKey
  /// The team's or the employee's name; empty for a day.
  package var name: String
  package var tally: CoverageSummary
}

/// How much of the shifts of a period was tracked, and why the rest was not.
package struct CoverageReport: Hashable, Sendable {
  package var from: CivilDate
  package var to: CivilDate
  package var asOf: Instant
  package var total: CoverageSummary
  /// Teams, employees or days with a shift.
  package var lines: [ReportLine]
}

package let reportDaysMax = 400

extension ManagerOperations {
  /// The coverage of a period. A shift belongs wholly to the day on which it began in its team's
  /// time zone. For ended shifts the stored totals are read; the others are computed now.
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
    guard from <= to, to.daysSince1970 - from.daysSince1970 < reportDaysMax else {
      throw .invalid("a period must have 1 to \(reportDaysMax) days")
    }
    let asOf = core.now()
    let scope = principal.scope(.coverage).narrowed(to: team)
    var facts = try await core.read { (session) throws(PostgresError) in
      try ReportFacts(in: scope, from: from, to: to, of: employee, on: &session)
    }
    if let team, facts.periods.isEmpty { throw .notFound("team \(team.rawValue)") }
    if let employee, facts.names[employee] == nil { throw .employeeNotFound(employee) }
    try await fill(&facts, asOf: asOf)
    return groupings.map { facts.report(by: $0, from: from, to: to, asOf: asOf) }
  }

  /// How many shifts are computed together; their reports are in memory meanwhile.
  private static let reportBatchSize = 200

  private func fill(_ facts: inout ReportFacts, asOf: Instant) async throws(OperationError) {
    let missing = facts.shifts.indices.filter { !facts.shifts[$0].holds(beside: facts.outages) }
    for start in stride(from: 0, to: missing.count, by: Self.reportBatchSize) {
      let part = missing[start..<min(start + Self.reportBatchSize, missing.count)]
      let ids = part.map { facts.shifts[$0].shift }
      let (records, around) = try await core.read { (session) throws(PostgresError) in
        let records = try shiftRecords(of: ids, on: &session)
        return (records, try surroundings(of: records.map(\.shift), on: &session))
      }
      var durations: [ShiftID: CoverageDurations] = [:]
      for (record, coverage) in try await coverage(of: records, around, asOf: asOf) {
        durations[record.shift] = CoverageDurations(of: coverage.segments)
        // Rolling up stores the totals, so the next report finds them.
        if record.endedAt != nil { dirtyShifts.note(record.shift) }
      }
      for place in part {
        facts.filled[place] = durations[facts.shifts[place].shift]
      }
    }
  }
}

private struct ReportFacts: Sendable {
  /// The teams, each with the period in its time zone.
  var periods: [TeamDay]
  var shifts: [ShiftDurations]
  var names: [EmployeeID: String]
  var outages: IntervalSet
  /// Totals that were not stored, by the shift's index.
  var filled: [Int: CoverageDurations] = [:]

  init(
    in scope: TeamScope, from: CivilDate, to: CivilDate, of employee: EmployeeID?,
    on session: inout Session
  ) throws(PostgresError) {
    periods = try teamDays(in: scope, on: &session)
    for place in periods.indices {
      let time = try CivilTime(of: periods[place])
      periods[place].span = Interval(from: time.span(of: from).start, to: time.span(of: to).end)
    }
    shifts = try shiftDurations(in: periods, of: employee, on: &session)
    names = try employeeNames(in: periods, on: &session)
    let ends = shifts.compactMap(\.endedAt)
    outages = try ShiftStore.outages(
      from: shifts.map(\.startedAt).min() ?? Instant(milliseconds: 0),
      to: ends.max() ?? Instant(milliseconds: 0),
      on: &session)
  }

  func report(by grouping: ReportGrouping, from: CivilDate, to: CivilDate, asOf: Instant)
    -> CoverageReport
  {
    var total = CoverageSummary()
    var tallies: [ReportKey: CoverageSummary] = [:]
    var calendars: [TeamID: Calendar] = [:]
    if grouping == .day {
      for period in periods { calendars[period.team] = Calendar(of: period, from: from, to: to) }
    }
    for (place, shift) in shifts.enumerated() {
      guard let durations = filled[place] ?? shift.durations?.durations else { continue }
      let key: ReportKey? =
        switch grouping {
        case .team: .team(shift.team)
        case .employee: .employee(shift.shift.employee)
        case .day: calendars[shift.team]?.date(of: shift.startedAt).map { .day($0) }
        }
      guard let key else { continue }
      tallies[key, default: CoverageSummary()].add(durations, isOpen: shift.endedAt == nil)
      total.add(durations, isOpen: shift.endedAt == nil)
    }
    let teams = Dictionary(periods.map { ($0.team, $0.name) }, uniquingKeysWith: { $1 })
    let lines = tallies.map { key, tally in
      let name =
        switch key {
        case .team(let team): teams[team] ?? ""
        case .employee(let employee): names[employee] ?? ""
        case .day: ""
        }
      return ReportLine(key: key, name: name, tally: tally)
    }
    return CoverageReport(
      from: from, to: to, asOf: asOf, total: total, lines: lines.sorted { $0.key < $1.key })
  }
}

extension ShiftDurations {
  /// Whether the stored totals are valid: new outages of ours are the only facts that do not
  /// increase the version.
  func holds(beside outages: IntervalSet) -> Bool {
    guard let durations, let endedAt else { return false }
    return durations.outage == outages.time(in: Interval(from: startedAt, to: endedAt))
  }
}

extension ReportKey: Comparable {
  /// By number or date; all keys of a report are of one kind.
  package static func < (left: ReportKey, right: ReportKey) -> Bool {
    switch (left, right) {
    case (.team(let one), .team(let other)): one.rawValue < other.rawValue
    case (.employee(let one), .employee(let other)): one.rawValue < other.rawValue
    case (.day(let one), .day(let other)): one < other
    default: false
    }
  }
}

private struct Calendar {
  private let first: CivilDate
  /// The start of each day, and the end of the last one.
  private let beginnings: [Instant]

  init?(of period: TeamDay, from: CivilDate, to: CivilDate) {
    guard let time = CivilTime(zone: period.timeZone) else { return nil }
    first = from
    beginnings = (from.daysSince1970...to.daysSince1970).map {
      time.span(of: CivilDate(daysSince1970: $0)).start
    }
  }

  /// The day of `instant`; `nil` before the first.
  func date(of instant: Instant) -> CivilDate? {
    var (low, high) = (0, beginnings.count)
    while low < high {
      let middle = (low + high) / 2
      if beginnings[middle] > instant { high = middle } else { low = middle + 1 }
    }
    return low == 0 ? nil : CivilDate(daysSince1970: first.daysSince1970 + low - 1)
  }
}

extension CivilTime {
  init(of team: TeamDay) throws(PostgresError) {
    guard let time = CivilTime(zone: team.timeZone) else {
      throw .broken(nil, detail: "a team has an unknown time zone")
    }
    self = time
  }
}
