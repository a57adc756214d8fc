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
      page(path, .employee(.coverage)) { request, _ in
        var view = try await employeeView(of: employee(in: request))
        view.done = request.queryValue("done").flatMap { EmployeeDeed(rawValue: $0) }
        return .page(view.page)
      },
      employeeForm(path + "/overrides", .override) { employee, _, fields, actor in
        try await giveOverride(to: employee, fields, by: actor)
      },
      employeeForm(path + "/overrides/{override}/withdraw", .override) {
        employee, request, _, _ in
        switch try await operations.withdrawOverride(
          request.pathNumber("override"), of: employee)
        {
        case .withdrawn: .done(.withdrawn)
        case .used: .refused("This override was already used.")
        }
      },
      employeeForm(path + "/clock-actions/{clockAction}/accept", nil) {
        employee, request, fields, actor in
        reviewOutcome(
          try await operations.accept(
            clockAction: request.pathClockAction, of: employee, reason: fields["reason"],
            by: actor), .opened)
      },
      employeeForm(path + "/clock-actions/{clockAction}/dismiss", nil) {
        employee, request, fields, actor in
        reviewOutcome(
          try await operations.dismiss(
            clockAction: request.pathClockAction, of: employee,
            reason: fields["reason"].isEmpty ? nil : fields["reason"], by: actor), .dismissed)
      },
    ]
  }

  private enum Outcome: Sendable {
    case done(EmployeeDeed)
    case refused(HTML)
  }

  private func employeeForm(
    _ pattern: String, _ form: RefusedForm.Form?,
    _ act:
      @escaping @Sendable (EmployeeID, HTTPRequest, FormFields, AuditActor) async throws -> Outcome
  ) -> AccessRoute {
    self.form(pattern, .employee(.coverage)) { request, fields, principal in
      let employee = try await employee(in: request)
      let outcome: Outcome
      do {
        outcome = try await act(employee.row.employee, request, fields, principal.actor)
      } catch let error as OperationError {
        guard case .invalid = error else { throw error }
        outcome = .refused("Enter a reason of 1 to 500 characters.")
      }
      switch outcome {
      case .done(let deed):
        return .seeOther("/employees/\(employee.row.employee.rawValue)?done=\(deed.rawValue)")
      case .refused(let fault):
        var view = try await employeeView(of: employee)
        let form = try form ?? .clockAction(request.pathClockAction)
        view.refused = RefusedForm(form: form, fields: fields, fault: fault)
        return .page(view.page, status: 422)
      }
    }
  }

  private func giveOverride(
    to employee: EmployeeID, _ fields: FormFields, by actor: AuditActor
  ) async throws -> Outcome {
    var findings: FindingSet = []
    for code in fields.all("finding") {
      guard let finding = Finding(code: code) else { throw PageNotFound() }
      findings.insert(finding)
    }
    guard !findings.isEmpty else { return .refused("Select at least one finding to override.") }
    switch try await operations.giveOverride(
      to: employee, findings, reason: fields["reason"], matching: [fields["tag"]], by: actor)
    {
    case .given, .unchanged: return .done(.given)
    case .selfOverrideForbidden: return .refused("You cannot override your own block.")
    case .changedMeanwhile:
      return .refused(
        "Another manager added an override meanwhile. Only the newest counts; see the list below.")
    }
  }

  private func reviewOutcome(_ outcome: ReviewOutcome, _ deed: EmployeeDeed) -> Outcome {
    switch outcome {
    case .reviewed: .done(deed)
    case .alreadyReviewed: .refused("This action was already reviewed with another outcome.")
    case .nothingToReview: .refused("This action was accepted; there is nothing to review.")
    case .needsCorrection:
      .refused("This action is not a clock-in. Correct the shift that it belongs to.")
    case .selfOverrideForbidden: .refused("You cannot accept your own clock-in attempt.")
    case .deviceRevoked: .refused("This phone was revoked and cannot track the shift.")
    case .impossible(let fault): .refused(fault.text)
    case .laterShiftOpen(let shift):
      .refused("Shift \(shift.number) began later and is still open. Correct its start instead.")
    case .overlaps(let shift): .refused("The shift would overlap shift \(shift.number).")
    }
  }
}
