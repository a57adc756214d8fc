import GuardRules
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension AttendanceReading {
  /// Reads whether the employees have come to `awaited`, which have begun at `asOf`.
  init(to awaited: [PlannedShiftOnDay], asOf: Instant) {
    let earliest = awaited.map(\.plannedShift.span.start).min() ?? asOf
    let employees = Set(awaited.map(\.plannedShift.employee)).sorted { $0.rawValue < $1.rawValue }
    self.init(of: employees, in: Interval(from: earliest, to: asOf + .milliseconds(1)))
  }
}

/// For each employee the first planned shift among `awaited` that is missed.
func missedShifts(
  among awaited: [PlannedShiftOnDay], _ attendances: [PlannedAttendance], asOf: Instant
) -> [EmployeeID: MissedShift] {
  let known = Set(awaited.map(\.plannedShift.id))
  var missed: [EmployeeID: MissedShift] = [:]
  for planned in attendances
  where known.contains(planned.plannedShift.id) && missed[planned.plannedShift.employee] == nil {
    missed[planned.plannedShift.employee] = planned.missed(asOf: asOf)
  }
  return missed
}

extension PlannedAttendance {
  func missed(asOf: Instant) -> MissedShift? {
    let attendance = attendance(at: asOf)
    guard attendance == .late || attendance == .noShow else { return nil }
    return MissedShift(planned: plannedShift.span, isNoShow: attendance == .noShow)
  }
}
