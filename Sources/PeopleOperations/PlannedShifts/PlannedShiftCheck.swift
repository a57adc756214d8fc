import CivilTime
import GuardRules
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

func teamTimes(on session: inout Session) throws(PostgresError) -> [TeamID: CivilTime] {
  var times: [TeamID: CivilTime] = [:]
  for team in try ShiftStore.teams(on: &session) {
    times[team.team] = CivilTime(zone: team.timeZone)
  }
  return times
}

/// Lines of a file, compared with the stored employees and planned shifts.
struct PlannedShiftCheck {
  struct Line {
    let line: Int
    let employee: EmployeeID
    let span: Interval
    /// `nil`: the line says nothing of them.
    let sites: [Int16]?
    let isNew: Bool
  }

  private(set) var result: PlannedShiftImport
  /// With those of lines that cannot be read, whose overlaps are not known.
  private(set) var faults: LineFaults
  private var lines: [Line] = []
  private let times: [TeamID: CivilTime]
  /// The numbers of the sites of the teams that were asked for.
  private var sites: [TeamID: Set<Int16>] = [:]
  /// By whose time zones and sites the lines of employees were read.
  private var teams: [EmployeeID: TeamID] = [:]

  init(isTrial: Bool, faults: LineFaults, times: [TeamID: CivilTime]) {
    result = PlannedShiftImport(isTrial: isTrial)
    (self.faults, self.times) = (faults, times)
  }

  /// By employee and start.
  var new: [Line] { lines.filter(\.isNew) }

  mutating func add(_ part: ArraySlice<PlannedShiftFile.Line>, on session: inout Session)
    throws(PostgresError)
  {
    let employees = Set(part.map(\.employee)).sorted { $0.rawValue < $1.rawValue }
    let found = try spans(of: part, employees, on: &session)
    guard let first = found.map(\.span.start).min(), let last = found.map(\.span.end).max()
    else { return }
    let present = Dictionary(
      grouping: try plannedShifts(
        of: employees, touching: Interval(from: first, to: last), on: &session)
    ) { $0.employee }
    for (line, span) in found {
      let others = (present[line.employee] ?? []).filter { $0.span.overlaps(span) }
      if others.contains(where: { $0.span != span }) {
        faults.add(line.line, "overlaps a shift that is already planned")
      } else if let sites = line.sites, others.contains(where: { $0.sites != sites }) {
        faults.add(line.line, "is already planned with other sites")
      }
      lines.append(
        Line(
          line: line.line, employee: line.employee, span: span, sites: line.sites,
          isNew: others.isEmpty))
    }
  }

  /// The lines whose employees and times are right, with their times.
  private mutating func spans(
    of part: ArraySlice<PlannedShiftFile.Line>, _ employees: [EmployeeID],
    on session: inout Session
  ) throws(PostgresError) -> [(line: PlannedShiftFile.Line, span: Interval)] {
    var zones: [EmployeeID: CivilTime] = [:]
    var inactive: Set<EmployeeID> = []
    for row in try employeeProfiles(employees, on: &session) where row.practiceUntil == nil {
      zones[row.employee] = times[row.team]
      teams[row.employee] = row.team
      if row.deactivatedAt != nil { inactive.insert(row.employee) }
    }
    var found: [(line: PlannedShiftFile.Line, span: Interval)] = []
    for line in part {
      guard let time = zones[line.employee] else {
        faults.add(line.line, "employee \(line.employee.rawValue) does not exist")
        continue
      }
      guard !inactive.contains(line.employee) else {
        faults.add(line.line, "employee \(line.employee.rawValue) is inactive")
        continue
      }
      let (start, end) = WallTime.span(line.start, line.end, by: time)
      guard start < end, end - start <= PeopleOperations.plannedShiftMax else {
        faults.add(line.line, "`end` must be after `start`, and within 24 hours of it")
        continue
      }
      if let team = teams[line.employee], line.sites?.isEmpty == false {
        try check(line, in: team, on: &session)
      }
      found.append((line, Interval(from: start, to: end)))
    }
    return found
  }

  /// Finds sites that the team does not have.
  private mutating func check(
    _ line: PlannedShiftFile.Line, in team: TeamID, on session: inout Session
  ) throws(PostgresError) {
    let known =
      if let known = sites[team] { known } else {
        Set(try ShiftStore.sites(of: team, on: &session).map(\.number))
      }
    sites[team] = known
    if let unknown = line.sites?.first(where: { !known.contains($0) }) {
      faults.add(line.line, "site \(unknown) of team \(team.rawValue) does not exist")
    }
  }

  /// Whether these employees still have the teams by which their lines were read, and are active.
  /// INVARIANT: their state is locked, so that this stays true.
  func holds(for employees: [EmployeeID], on session: inout Session) throws(PostgresError) -> Bool {
    let rows = try employeeProfiles(employees, on: &session)
    return rows.count == employees.count
      && rows.allSatisfy { teams[$0.employee] == $0.team && $0.deactivatedAt == nil }
  }

  /// Finds lines that overlap or repeat another line.
  mutating func findOverlaps() {
    lines.sort { ($0.employee.rawValue, $0.span.start) < ($1.employee.rawValue, $1.span.start) }
    // Of the lines so far about the same employee, the one that ends last.
    var last: Line?
    for line in lines {
      if last?.employee != line.employee { last = nil }
      if let last, line.span.start < last.span.end {
        faults.add(max(line.line, last.line), "overlaps line \(min(line.line, last.line))")
      }
      if last.map({ $0.span.end < line.span.end }) ?? true { last = line }
    }
    result.added = lines.count { $0.isNew }
    result.unchanged = lines.count - result.added
  }
}
