import GuardRules
import HTTPAPI
import HTTPServing
import ManagerOperations
import OperationCore
import ShiftDomain

extension PageController {
  var employeeRoutes: [AccessRoute] {
    let path = "/employees/{employee}"
    return [
      page(path, .employee(.coverage)) { request, principal in
        var view = try await employeeView(of: employee(in: request), for: principal)
        view.done = request.queryValue("done").flatMap { EmployeeDeed(rawValue: $0) }
        view.clockRemark = request.queryValue("clock").flatMap { ClockRemark(rawValue: $0) }
        return .page(view.page)
      },
      employeeForm(path + "/shift", .opening) { employee, _, fields, principal in
        _ = try await operations.openShift(
          for: employee, OpeningRequest(reason: fields["reason"]), by: principal
        ).get()
        return .waiting
      },
      employeeForm(path + "/overrides", .override) { employee, _, fields, principal in
        try await giveOverride(to: employee, fields, by: principal)
      },
      employeeForm(path + "/overrides/{override}/withdraw", .override) {
        employee, request, _, principal in
        _ = try await operations.withdrawOverride(
          request.pathNumber("override"), of: employee, by: principal
        ).get()
        return .withdrawn
      },
      employeeForm(path + "/clock-actions/{clockAction}/accept", nil) {
        employee, request, fields, principal in
        _ = try await operations.accept(
          clockAction: request.pathClockAction, of: employee, reason: fields["reason"],
          by: principal
        ).get()
        return .opened
      },
      employeeForm(path + "/clock-actions/{clockAction}/dismiss", nil) {
        employee, request, fields, principal in
        _ = try await operations.dismiss(
          clockAction: request.pathClockAction, of: employee,
          reason: fields["reason"].isEmpty ? nil : fields["reason"], by: principal
        ).get()
        return .dismissed
      },
    ]
  }

  /// A form on an employee's page. Afterwards the page is shown again, with the error if there is
  /// one.
  private func employeeForm(
    _ pattern: String, _ form: RefusedForm.Form?,
    _ act:
      @escaping @Sendable (EmployeeID, HTTPRequest, FormFields, Principal) async throws ->
      EmployeeDeed
  ) -> AccessRoute {
    self.form(pattern, .employee(.coverage)) { request, fields, principal in
      let employee = try await employee(in: request)
      do {
        let deed = try await act(employee.row.employee, request, fields, principal)
        let own = "/employees/\(employee.row.employee.rawValue)"
        let next = fields["next"] == "reviews" ? "/reviews" : own
        return .seeOther("\(next)?done=\(deed.rawValue)")
      } catch {
        guard let refusal = Refusal(error), refusal.kind != .notFound else { throw error }
        var view = try await employeeView(of: employee, for: principal)
        let form = try form ?? .clockAction(request.pathClockAction)
        view.refused = RefusedForm(form: form, fields: fields, fault: refusal.html)
        return .page(view.page, status: refusal.pageStatus)
      }
    }
  }

  private func giveOverride(
    to employee: EmployeeID, _ fields: FormFields, by principal: Principal
  ) async throws -> EmployeeDeed {
    var findings: FindingSet = []
    for code in fields.all("finding") {
      guard let finding = Finding(code: code) else { throw PageNotFound() }
      findings.insert(finding)
    }
    _ = try await operations.giveOverride(
      to: employee, findings, reason: fields["reason"], matching: [fields["tag"]],
      by: principal
    ).get()
    return .given
  }
}
