import APIMessages
import GuardRules
import HTTPServing
import ShiftDomain
import ShiftOperations

extension PageDesk {
  /// Somebody, and what managers do about them.
  var employeeRoutes: [Route] {
    let path = "/employees/{employee}"
    return [
      page(path) { request, _ in
        var view = try await employeeView(of: employee(in: request))
        view.done = request.queryValue("done").flatMap { EmployeeDeed(rawValue: $0) }
        return .page(view.page)
      },
      employeeForm(path + "/overrides", .override) { employee, _, fields, officer in
        try await giveLeave(to: employee, fields, by: officer)
      },
      employeeForm(path + "/overrides/{override}/withdraw", .override) {
        employee, request, _, _ in
        switch try await operations.withdrawOverride(
          try request.number("override"), of: employee)
        {
        case .withdrawn: .done(.withdrawn)
        case .used: .refused("A shift has begun by it already.")
        }
      },
      employeeForm(path + "/attempts/{attempt}/accept", nil) { employee, request, fields, officer in
        settled(
          try await operations.accept(
            attempt: try request.number("attempt"), of: employee, reason: fields["reason"],
            by: officer), .opened)
      },
      employeeForm(path + "/attempts/{attempt}/dismiss", nil) {
        employee, request, fields, officer in
        settled(
          try await operations.dismiss(
            attempt: try request.number("attempt"), of: employee,
            reason: fields["reason"].isEmpty ? nil : fields["reason"], by: officer), .dismissed)
      },
    ]
  }

  /// What became of a form.
  private enum Outcome: Sendable {
    case done(EmployeeDeed)
    case refused(HTML)
  }

  /// A form on somebody's page: done, and the page again; or the page with what is wrong.
  private func employeeForm(
    _ pattern: String, _ form: RefusedForm.Form?,
    _ act:
      @escaping @Sendable (EmployeeID, HTTPRequest, FormFields, Officer) async throws -> Outcome
  ) -> Route {
    self.form(pattern) { request, fields, viewer in
      let employee = try await employee(in: request)
      let outcome: Outcome
      do {
        outcome = try await act(employee.row.employee, request, fields, viewer.officer)
      } catch let error as OperationError {
        guard case .invalid = error else { throw error }
        outcome = .refused("Say why, in 1 to 500 characters.")
      }
      switch outcome {
      case .done(let deed):
        return .seeOther("/employees/\(employee.row.employee.rawValue)?done=\(deed.rawValue)")
      case .refused(let fault):
        var view = try await employeeView(of: employee)
        let form = try form ?? .attempt(request.number("attempt"))
        view.refused = RefusedForm(form: form, fields: fields, fault: fault)
        return .page(view.page, status: 422)
      }
    }
  }

  private func giveLeave(
    to employee: EmployeeID, _ fields: FormFields, by officer: Officer
  ) async throws -> Outcome {
    var findings: FindingSet = []
    for code in fields.all("finding") {
      guard let finding = Finding(code: code) else { throw PageNotFound() }
      findings.insert(finding)
    }
    guard !findings.isEmpty else { return .refused("Tick what is let pass.") }
    switch try await operations.giveOverride(
      to: employee, findings, reason: fields["reason"], matching: [fields["tag"]], by: officer)
    {
    case .given, .unchanged: return .done(.given)
    case .ownLeave: return .refused("Nobody gives leave to themselves.")
    case .changedMeanwhile:
      return .refused("Somebody else gave leave meanwhile. Only the newest counts: look below.")
    }
  }

  private func settled(_ outcome: SettlementOutcome, _ deed: EmployeeDeed) -> Outcome {
    switch outcome {
    case .settled: .done(deed)
    case .settledAlready: .refused("Somebody settled it otherwise.")
    case .nothingToSettle: .refused("There is nothing to settle.")
    case .needsCorrection: .refused("It opens no shift: correct the shift that it is about.")
    case .ownLeave: .refused("Nobody gives leave to themselves.")
    case .deviceRevoked: .refused("The phone was revoked and would never track.")
    case .impossible(let fault): .refused(fault.text)
    case .laterShiftOpen(let shift): .refused("Shift \(shift.number) began later and is open.")
    case .overlaps(let shift): .refused("It would share time with shift \(shift.number).")
    }
  }
}

extension HTTPRequest {
  /// The number of the `thing` that the path names.
  fileprivate func number(_ thing: String) throws(PageNotFound) -> Int32 {
    guard let number = parameters[thing].flatMap({ Int32($0) }) else { throw PageNotFound() }
    return number
  }
}
