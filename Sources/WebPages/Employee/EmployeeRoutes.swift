import GuardRules
import HTTPAPI
import HTTPServing
import ManagerCore
import NotificationOperations
import OperationCore
import ReviewOperations
import ShiftDomain

extension PageController {
  var employeeRoutes: [AccessRoute] {
    let path = "/employees/{employee}"
    return [
      page(path, .employee(.coverage)) { request, principal in
        var view = try await employeeView(of: request.pathEmployee, for: principal)
        view.frame.done = request.completed
        view.frame.undo = request.undo(of: view.frame.row.employee)
        return .page(view.page)
      },
      employeeForm(path + "/shift", .opening) { employee, _, fields, principal in
        _ = try await operations.reviews.openShift(
          for: employee, OpeningRequest(reason: fields["reason"]), by: principal
        ).get()
        return .waiting
      },
      employeeForm(path + "/reminders", .reminder) { employee, _, _, principal in
        _ = try await operations.notifications.remind(employee, by: principal).get()
        return .reminded
      },
      employeeForm(path + "/overrides", .override) { employee, _, fields, principal in
        try await giveOverride(to: employee, fields, by: principal)
      },
      employeeForm(path + "/overrides/{override}/withdraw", .override) {
        employee, request, _, principal in
        _ = try await operations.reviews.withdrawOverride(
          request.pathNumber("override"), of: employee, by: principal
        ).get()
        return .withdrawn
      },
      employeeForm(path + "/clock-actions/{clockAction}/accept", nil) {
        id, request, fields, principal in
        let zone = try await employee(in: request).team.timeZone
        let end = try fields.acceptedEnd(TeamClock(zone: zone, now: settings.now()))
        _ = try await operations.reviews.accept(
          clockAction: request.pathClockAction, of: id, endedAt: end,
          reason: fields["reason"], by: principal
        ).get()
        return end == nil ? .opened : .accepted
      },
      employeeForm(path + "/clock-actions/{clockAction}/dismiss", nil) {
        employee, request, fields, principal in
        _ = try await operations.reviews.dismiss(
          clockAction: request.pathClockAction, of: employee,
          reason: fields["reason"].isEmpty ? nil : fields["reason"], by: principal
        ).get()
        return .dismissed
      },
      employeeForm(path + "/clock-actions/{clockAction}/undo-dismissal", nil) {
        employee, request, _, principal in
        _ = try await operations.reviews.undoDismissal(
          ofClockAction: request.pathClockAction, of: employee, by: principal
        ).get()
        return .undismissed
      },
    ]
  }

  /// A form on an employee's page. Afterwards the page is shown again, with the error if there is
  /// one.
  private func employeeForm(
    _ pattern: String, _ form: RefusedForm.Form?,
    _ act:
      @escaping @Sendable (EmployeeID, HTTPRequest, FormFields, Principal) async throws ->
      CompletedEmployeeAction
  ) -> AccessRoute {
    self.form(pattern, .employee(.coverage)) { request, fields, principal in
      let employee = try await employee(in: request)
      do {
        let completed = try await act(employee.row.employee, request, fields, principal)
        let own = "/employees/\(employee.row.employee.rawValue)"
        let next = fields["next"] == "reviews" ? "/reviews" : own
        return .seeOther(next + (try completed.query(employee.row.employee, request).text))
      } catch {
        let (fault, status) = try shownRefusal(error)
        var view = try await employeeView(of: employee.row.employee, for: principal)
        let form = try form ?? .clockAction(request.pathClockAction)
        view.refused = RefusedForm(form: form, fields: fields, fault: fault)
        return .page(view.page, status: status)
      }
    }
  }

  private func giveOverride(
    to employee: EmployeeID, _ fields: FormFields, by principal: Principal
  ) async throws -> CompletedEmployeeAction {
    var findings: FindingSet = []
    for code in fields.all("finding") {
      guard let finding = Finding(code: code) else { throw PageNotFound() }
      findings.insert(finding)
    }
    _ = try await operations.reviews.giveOverride(
      to: employee, findings, reason: fields["reason"], matching: [fields["tag"]],
      by: principal
    ).get()
    return .given
  }
}

extension HTTPRequest {
  /// What the form before this page did.
  var completed: CompletedEmployeeAction? {
    queryValue("done").flatMap { CompletedEmployeeAction(rawValue: $0) }
  }

  /// How it is undone; `nil` if it cannot be.
  /// - Parameter employee: `nil`: the one in the address, on a page about several.
  func undo(of employee: EmployeeID? = nil) -> PageHead.Undo? {
    guard completed == .dismissed, let action = queryValue("clockAction").flatMap({ Int32($0) }),
      let number = employee?.rawValue ?? queryValue("employee").flatMap({ Int32($0) })
    else { return nil }
    return PageHead.Undo(
      action: "/employees/\(number)/clock-actions/\(action)/undo-dismissal",
      next: employee == nil ? "reviews" : "")
  }
}

extension CompletedEmployeeAction {
  /// The query of the page that says what was done.
  fileprivate func query(_ employee: EmployeeID, _ request: HTTPRequest) throws -> Query {
    let query = Query().with("done", rawValue)
    guard self == .dismissed else { return query }
    return query.with("employee", String(employee.rawValue))
      .with("clockAction", String(try request.pathClockAction))
  }
}
