import HTTPAPI
import HTTPServing
import ManagerCore
import OperationCore
import PeopleOperations
import ShiftDomain

extension PageController {
  private static let shownMax = 200

  var employeeSettingsRoutes: [AccessRoute] {
    [
      page("/settings/employees", .administrator) { request, _ in
        var view = try await employeesView(request)
        let erased = request.queryValue("erased").flatMap { Int32($0) }
        view.done = erased.map { "Employee \($0) erased." }
        return .page(view.page)
      },
      form("/settings/employees", .administrator) { request, fields, principal in
        try await addEmployee(request, fields, principal)
      },
      listForm("/settings/employees/import", .administrator) { request, fields, csv, principal in
        try await readEmployees(request, fields, csv, principal)
      },
      // The address of this page until the employee's pages were brought together.
      page("/settings/employees/{employee}", .administrator) { request, _ in
        .seeOther(EmployeeTab.data.path(of: try request.pathEmployee))
      },
      page("/settings/employees/{employee}/erase", .administrator) { request, _ in
        .seeOther("\(EmployeeTab.now.path(of: try request.pathEmployee))/erase")
      },
    ]
  }

  private func employeesView(_ request: HTTPRequest) async throws -> EmployeesView {
    let name = String((request.queryValue("name") ?? "").filter { $0 != "\0" }.prefix(100))
    let after = request.queryValue("after").flatMap { Int32($0) }.map { EmployeeID($0) }
    let areInactive = request.queryValue("show") == "inactive"
    let profiles = try await operations.people.employees(
      named: name.isEmpty ? nil : name, isActive: !areInactive, after: after, limit: Self.shownMax)
    let next = profiles.count == Self.shownMax ? profiles.last : nil
    return EmployeesView(
      teams: try await operations.people.teams(), profiles: profiles, searched: name,
      areInactive: areInactive,
      next: next.map { row in
        "/settings/employees"
          + Query().with("name", name).with("show", areInactive ? "inactive" : nil)
          .with("after", String(row.employee.rawValue)).text
      })
  }

  private func addEmployee(_ request: HTTPRequest, _ fields: FormFields, _ principal: Principal)
    async throws -> PageAnswer
  {
    var view = try await employeesView(request)
    view.typed = fields
    let number = fields["employee"].isEmpty ? nil : Int32(fields["employee"])
    guard number != nil || fields["employee"].isEmpty else {
      return view.refused("The number must be above zero.")
    }
    do {
      let row = try await operations.people.addEmployee(
        number.map { EmployeeID($0) }, mayReuse: !fields["reuse"].isEmpty,
        try EmployeeDetails(fields), by: principal
      ).get()
      let path = EmployeeTab.devices.path(of: row.employee)
      guard fields["code"].isEmpty else { return .resend(path + "/codes") }
      return .seeOther("\(path)?done=\(CompletedEmployeeAction.added.rawValue)")
    } catch {
      view.offersReuse = (error as? Refusal)?.code == numberUsedCode
      return try view.refused(by: error)
    }
  }

  private func readEmployees(
    _ request: HTTPRequest, _ fields: FormFields, _ csv: [UInt8], _ principal: Principal
  ) async throws -> PageAnswer {
    let outcome = try await operations.people.importEmployees(
      csv, isTrial: fields["trial"] == "yes",
      mayReuse: !fields["reuse"].isEmpty, by: principal)
    var view = try await employeesView(request)
    switch outcome {
    case .done(let result):
      view.typed = result.isTrial ? fields : nil
      view.done = """
        \(result.isTrial ? "Check passed, nothing imported yet" : "Imported"): \
        \(result.added) new, \(result.changed) changed, \(result.unchanged) unchanged.
        """
      return .page(view.page)
    case .faulty(let faults):
      view.typed = fields
      return view.refused(faults.html)
    }
  }
}

extension EmployeeDetails {
  init(_ fields: FormFields) throws(OperationError) {
    guard let team = Int32(fields["team"]) else { throw .invalid("choose a team") }
    let number = fields["phoneNumber"].split(separator: " ").joined(separator: " ")
    self.init(
      name: fields["name"], email: fields["email"].isEmpty ? nil : fields["email"],
      phoneNumber: number.isEmpty ? nil : number,
      team: TeamID(team))
  }
}
