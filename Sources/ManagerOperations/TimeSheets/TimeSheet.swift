import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// A shift on a time sheet.
package struct TimeSheetEntry: Hashable, Sendable {
  package var times: RecordedTimes
  /// The day on which it began in its team's time zone; it belongs wholly to it.
  package var date: CivilDate
  /// Tracked per thousand of the time that could be tracked; `nil` if there was none, or if only
  /// the times of the shift are kept.
  package var permille: Int?
}

/// The sums of some shifts.
package struct TimeSheetTotals: Hashable, Sendable {
  package private(set) var shifts = 0
  /// Of the shifts that have ended and need no review; the sum of their whole minutes.
  package private(set) var workedMinutes: Int64 = 0
  package private(set) var breakMinutes: Int64 = 0
  private var states: [TimesState: Int] = [:]

  /// How many shifts are in this state.
  package subscript(state state: TimesState) -> Int { states[state] ?? 0 }

  fileprivate mutating func add(_ times: RecordedTimes) {
    shifts += 1
    states[times.state, default: 0] += 1
    guard times.isFinal, let minutes = times.workedMinutes else { return }
    breakMinutes += times.breakMinutes
    workedMinutes += minutes
  }
}

/// The shifts of an employee on a time sheet, by start.
package struct TimeSheetLine: Hashable, Sendable {
  package var employee: EmployeeID
  package var name: String
  package var team: TeamID
  package var entries: [TimeSheetEntry] = []
  /// Clock actions that nobody has reviewed: working time that they claim does not count.
  package var unreviewed: [ClockActionRow] = []
  package var totals = TimeSheetTotals()
}

/// The times of the shifts of a period, for payroll.
package struct TimeSheet: Hashable, Sendable {
  package var period: PayPeriod
  package var asOf: Instant
  package var teams: [TeamDay]
  /// Employees with a shift or an unreviewed clock action, by number.
  package var lines: [TimeSheetLine]
  package var totals = TimeSheetTotals()
}

extension ManagerOperations {
  /// The time sheet of the employees whose coverage `principal` may see.
  /// - Parameters:
  ///   - period: At most `reportDaysMax` days. A shift belongs wholly to the day on which it began
  ///     in its team's time zone.
  ///   - state: Only shifts in this state; `nil`: all.
  /// - Throws: `.invalid` for a period that ends before it begins or is too long; `.notFound` for
  ///   a team or an employee that is not there, or not theirs to see.
  package func timeSheet(
    for principal: Principal, _ period: PayPeriod, team: TeamID? = nil,
    employee: EmployeeID? = nil, state: TimesState? = nil
  ) async throws(OperationError) -> TimeSheet {
    let asOf = core.now()
    let scope = principal.scope(.coverage).narrowed(to: team)
    let days = try checkedDays(from: period.from, to: period.to)
    let (facts, times, unreviewed) = try await core.read { (session) throws(PostgresError) in
      let facts = try ReportFacts(in: scope, days, of: employee, on: &session)
      let times = try recordedTimes(in: facts.periods, of: employee, on: &session)
      var unreviewed: [ClockActionRow] = []
      if state == nil, let span = facts.span {
        unreviewed = try unreviewedClockActions(
          in: scope, during: span, of: employee, limit: 1_000, now: asOf, on: &session)
      }
      return (facts, times, unreviewed)
    }
    try facts.check(team: team, employee: employee)
    let durations = try await durations(of: facts, asOf: asOf)
    let lines = facts.employees.sorted { $0.key < $1.key }.map { employee, named in
      TimeSheetLine(employee: employee, name: named.name, team: named.team)
    }
    var sheet = TimeSheet(period: period, asOf: asOf, teams: facts.periods, lines: lines)
    let calendars = facts.calendars(of: days)
    for times in times where state == nil || times.state == state {
      guard let date = calendars[times.team]?.date(of: times.startedAt) else { continue }
      let permille = durations[times.shift]?.totals.permille
      sheet.add(TimeSheetEntry(times: times, date: date, permille: permille))
    }
    for clockAction in unreviewed { sheet.add(clockAction) }
    sheet.lines = sheet.lines.filter { !$0.entries.isEmpty || !$0.unreviewed.isEmpty }
    return sheet
  }
}

extension TimeSheet {
  fileprivate mutating func add(_ entry: TimeSheetEntry) {
    guard let place = place(of: entry.times.shift.employee) else { return }
    lines[place].entries.append(entry)
    lines[place].totals.add(entry.times)
    totals.add(entry.times)
  }

  fileprivate mutating func add(_ clockAction: ClockActionRow) {
    guard let place = place(of: clockAction.device.employee) else { return }
    lines[place].unreviewed.append(clockAction)
  }

  /// Lines are by employee.
  private func place(of employee: EmployeeID) -> Int? {
    var (low, high) = (0, lines.count)
    while low < high {
      let middle = (low + high) / 2
      if lines[middle].employee < employee { low = middle + 1 } else { high = middle }
    }
    return low < lines.count && lines[low].employee == employee ? low : nil
  }
}

extension Int64 {
  /// Minutes as hours: `14:32`, `162:05`.
  package var hoursAndMinutes: String { "\(self / 60):\(self % 60 < 10 ? "0" : "")\(self % 60)" }
}
