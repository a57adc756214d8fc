import CivilTime
import GuardRules
import ShiftDomain

package struct DayCoverage: Hashable, Sendable {
  package var team: TeamID
  package var timeZone: String
  /// The day in that time zone.
  package var date: CivilDate
  /// From its first instant to that of the next day; empty for a day that the zone skipped.
  package var span: Interval
  package var asOf: Instant
  /// Employees with a shift that belongs to the day, by number.
  package var employees: [EmployeeDay]

  /// The totals of all employees; never a mean of rates.
  package var totals: TrackingTotals {
    var totals = TrackingTotals()
    for shift in employees.flatMap(\.shifts) { totals.add(shift.segments) }
    return totals
  }

  package init(
    team: TeamID, timeZone: String, date: CivilDate, span: Interval, asOf: Instant,
    employees: [EmployeeDay]
  ) {
    (self.team, self.timeZone, self.date) = (team, timeZone, date)
    (self.span, self.asOf, self.employees) = (span, asOf, employees)
  }
}

package struct EmployeeDay: Hashable, Sendable {
  package var employee: EmployeeID
  package var name: String
  /// The shifts that began on the day, in order, each in full, wherever it ends.
  package var shifts: [ShiftCoverage]

  package var totals: TrackingTotals {
    var totals = TrackingTotals()
    for shift in shifts { totals.add(shift.segments) }
    return totals
  }

  package init(employee: EmployeeID, name: String, shifts: [ShiftCoverage]) {
    (self.employee, self.name, self.shifts) = (employee, name, shifts)
  }
}
