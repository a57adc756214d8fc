import GuardRules
import HTTPAPI
import HTTPServing
import ManagerOperations
import ShiftDomain

extension PageController {
  var plannedShiftRoutes: [AccessRoute] {
    let path = "/employees/{employee}/planned-shifts"
    return [
      page("/employees/{employee}/shifts", .employee(.coverage)) { request, principal in
        var view = try await employeeShiftsView(of: employee(in: request), for: principal)
        view.frame.done = request.deed
        return .page(view.page)
      },
      form(path, .employee(.coverage)) { request, fields, principal in
        let employee = try await employee(in: request)
        var view = try await employeeShiftsView(of: employee, for: principal)
        let fault =
          view.frame.isActive
          ? try await planShift(employee.row.employee, fields, view.clock, by: principal)
          : "\(employee.row.name) is inactive."
        guard let fault else {
          return .seeOther("\(view.frame.path)/shifts?done=\(EmployeeDeed.planned.rawValue)")
        }
        (view.fault, view.typed) = (fault, fields)
        return .page(view.page, status: 422)
      },
      form(path + "/{plannedShift}/remove", .employee(.coverage)) { request, fields, principal in
        let (found, id): (_, Int64) = (
          try await employee(in: request), try request.pathNumber("plannedShift")
        )
        if !fields.isSure {
          let view = try await employeeShiftsView(of: found, for: principal)
          if let question = view.asking(toRemove: id) { return question }
        }
        let employee = found.row.employee
        try await operations.deletePlannedShift(id, of: employee, by: principal)
        let done = EmployeeDeed.unplanned.rawValue
        return .seeOther("/employees/\(employee.rawValue)/shifts?done=\(done)")
      },
    ]
  }

  /// - Returns: Why it cannot be planned; `nil` if it was.
  private func planShift(
    _ employee: EmployeeID, _ fields: FormFields, _ clock: TeamClock, by principal: Principal
  ) async throws -> HTML? {
    guard let start = clock.instant(fieldText: "\(fields["day"])T\(fields["from"])"),
      let sameDay = clock.instant(fieldText: "\(fields["day"])T\(fields["to"])")
    else { return "Enter a day and two times, such as 08:00 and 16:00." }
    let (from, to) = (fields["from"].prefix(5), fields["to"].prefix(5))
    guard to != from else { return "Start and end must be different." }
    var end = sameDay
    // The typed times are compared: when the clock goes forward in between, it skips an hour.
    if to < from, let day = CivilDate(fields["day"]) {
      end =
        clock.instant(fieldText: "\(day.advanced(by: 1).text)T\(fields["to"])") ?? sameDay
    }
    guard start < end else {
      return "The clock goes forward at that time, so the shift would have no length."
    }
    guard end - start <= ManagerOperations.plannedShiftMax else {
      return "A shift can last at most 24 hours."
    }
    guard end > settings.now() else { return "This shift is in the past." }
    switch try await operations.planShift(employee, Interval(from: start, to: end), by: principal) {
    case .planned: return nil
    // Unlike `Refusal`, the page knows the team's time zone and can name the times.
    case .overlaps(let other):
      return """
        This overlaps the shift planned from \(clock.short(other.span.start)) to \
        \(clock.short(other.span.end)).
        """
    }
  }
}
