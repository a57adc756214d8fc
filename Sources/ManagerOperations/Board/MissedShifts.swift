import GuardRules
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// For each employee the first planned shift among `awaited` that is missed.
func missedShifts(
  among awaited: [PlannedShiftOnDay], asOf: Instant, on session: inout Session
) throws(PostgresError) -> [EmployeeID: MissedShift] {
  guard let earliest = awaited.map(\.plannedShift.span.start).min() else { return [:] }
  let known = Set(awaited.map(\.plannedShift.id))
  let employees = Set(awaited.map(\.plannedShift.employee)).sorted { $0.rawValue < $1.rawValue }
  let span = Interval(from: earliest, to: asOf + .milliseconds(1))
  var missed: [EmployeeID: MissedShift] = [:]
  for planned in try plannedAttendances(of: employees, in: span, on: &session)
  where known.contains(planned.plannedShift.id) && missed[planned.plannedShift.employee] == nil {
    let (employee, attendance) = (planned.plannedShift.employee, planned.attendance(at: asOf))
    guard attendance == .late || attendance == .noShow else { continue }
    missed[employee] = MissedShift(
      planned: planned.plannedShift.span, isNoShow: attendance == .noShow)
  }
  return missed
}
