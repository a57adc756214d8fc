import APIMessages
import GuardRules
import HTTPServing
import ShiftDomain
import ShiftOperations

extension PageDesk {
  /// Shifts of somebody are planned and taken back on their page.
  var planRoutes: [Route] {
    let path = "/employees/{employee}/plans"
    return [
      form(path) { request, fields, viewer in
        let employee = try await employee(in: request)
        var view = try await employeeView(of: employee)
        guard let fault = try await plan(employee.row.employee, fields, view.clock, by: viewer)
        else { return .seeOther("\(view.path)?done=\(EmployeeDeed.planned.rawValue)") }
        view.refused = RefusedForm(form: .plan, fields: fields, fault: fault)
        return .page(view.page, status: 422)
      },
      form(path + "/{plan}/remove") { request, _, _ in
        let employee = try await employee(in: request).row.employee
        guard let plan = request.parameters["plan"].flatMap({ Int64($0) }) else {
          throw PageNotFound()
        }
        try await operations.deletePlan(plan, of: employee)
        let done = EmployeeDeed.unplanned.rawValue
        return .seeOther("/employees/\(employee.rawValue)?done=\(done)")
      },
    ]
  }

  /// Plans what the form says.
  /// - Returns: Why not; `nil` when it is planned.
  private func plan(
    _ employee: EmployeeID, _ fields: FormFields, _ clock: TeamClock, by viewer: Viewer
  ) async throws -> HTML? {
    guard let start = clock.instant(fieldText: "\(fields["day"])T\(fields["from"])"),
      let sameDay = clock.instant(fieldText: "\(fields["day"])T\(fields["to"])")
    else { return "A day and two times are needed, such as 08:00 and 16:00." }
    let (from, to) = (fields["from"].prefix(5), fields["to"].prefix(5))
    guard to != from else { return "It would end when it begins." }
    var end = sameDay
    // By what is typed, for a clock that is set forward in between jumps over some of it.
    if to < from, let day = CivilDate(fields["day"]) {
      end =
        clock.instant(fieldText: "\(day.advanced(by: 1).text)T\(fields["to"])") ?? sameDay
    }
    guard start < end else { return "The clock is set forward then: nothing would be left of it." }
    guard end - start <= Operations.planMax else { return "A shift has at most 24 hours." }
    guard end > settings.now() else { return "It would be over already." }
    switch try await operations.plan(employee, Interval(from: start, to: end), by: viewer) {
    case .planned: return nil
    case .overlaps(let other):
      return """
        It would share time with what is planned from \(clock.short(other.span.start)) to \
        \(clock.short(other.span.end)).
        """
    }
  }
}
