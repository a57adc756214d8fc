import HTTPAPI
import HTTPServing
import ManagerOperations
import ShiftDomain

extension PageController {
  private static let shownMax = 200

  var employeeSettingsRoutes: [AccessRoute] {
    [
      page("/settings/employees", .administrator) { request, _ in
        .page(try await employeesView(request).page)
      },
      form("/settings/employees", .administrator) { request, fields, principal in
        try await addEmployee(request, fields, principal)
      },
      listForm("/settings/employees/import", .administrator) { request, fields, principal in
        try await readEmployees(request, fields, principal)
      },
      page("/settings/employees/{employee}", .administrator) { request, _ in
        var view = try await employeeSettings(in: request)
        view.done = request.queryValue("done") == "saved" ? "Saved." : nil
        return .page(view.page)
      },
      form("/settings/employees/{employee}", .administrator) { request, fields, principal in
        try await changeEmployee(request, fields, principal)
      },
      form("/settings/employees/{employee}/codes", .administrator) { request, _, principal in
        var view = try await employeeSettings(in: request)
        let code = try await operations.createEnrolmentCode(
          for: view.profile.employee, validFor: .hours(24), by: principal)
        let host = request.headers["Host"] ?? "localhost"
        let scheme = host.hasPrefix("127.0.0.1") || host.hasPrefix("localhost") ? "http" : "https"
        view.code = (code, "\(scheme)://\(host)\(code.link)")
        return .page(view.page)
      },
      form("/settings/employees/{employee}/devices/{device}/revoke", .administrator) {
        request, _, principal in
        let device = try request.pathDevice
        try await operations.revoke(device: device, by: principal)
        return .seeOther("/settings/employees/\(device.employee.rawValue)?done=saved")
      },
    ]
  }

  private func employeesView(_ request: HTTPRequest) async throws -> EmployeesView {
    let name = String((request.queryValue("name") ?? "").filter { $0 != "\0" }.prefix(100))
    let after = request.queryValue("after").flatMap { Int32($0) }.map { EmployeeID($0) }
    let profiles = try await operations.employees(
      named: name.isEmpty ? nil : name, after: after, limit: Self.shownMax)
    let next = profiles.count == Self.shownMax ? profiles.last : nil
    return EmployeesView(
      teams: try await operations.teams(), profiles: profiles, searched: name,
      next: next.map { row in
        "/settings/employees"
          + Query().with("name", name).with("after", String(row.employee.rawValue)).text
      })
  }

  private func addEmployee(_ request: HTTPRequest, _ fields: FormFields, _ principal: Principal)
    async throws -> PageAnswer
  {
    var view = try await employeesView(request)
    view.typed = fields
    let number = fields["employee"].isEmpty ? nil : Int32(fields["employee"])
    guard let details = EmployeeDetails(fields), fields["employee"].isEmpty || (number ?? 0) > 0
    else {
      return view.refused(
        "The name must have 1 to 100 characters, and the number must be above zero.")
    }
    let outcome = try await operations.addEmployee(
      number.map { EmployeeID($0) }, details, by: principal)
    if case .kept(let row) = outcome {
      return .seeOther("/settings/employees/\(row.employee.rawValue)?done=saved")
    }
    return view.refused(outcome.sentence)
  }

  private func readEmployees(_ request: HTTPRequest, _ fields: FormFields, _ principal: Principal)
    async throws -> PageAnswer
  {
    let outcome = try await operations.importEmployees(
      Array(fields["csv"].utf8), isTrial: fields["trial"] == "yes", by: principal)
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

  private func employeeSettings(in request: HTTPRequest) async throws -> EmployeeSettingsView {
    let profile = try await operations.employee(request.pathEmployee)
    let teams = try await operations.teams()
    let zone = teams.first { $0.team == profile.team }?.timeZone ?? "UTC"
    return EmployeeSettingsView(
      profile: profile, teams: teams, devices: try await operations.devices(of: profile.employee),
      clock: try TeamClock(zone: zone, now: settings.now()))
  }

  private func changeEmployee(_ request: HTTPRequest, _ fields: FormFields, _ principal: Principal)
    async throws -> PageAnswer
  {
    var view = try await employeeSettings(in: request)
    view.typed = fields
    guard let details = EmployeeDetails(fields) else {
      return view.refused("The name must have 1 to 100 characters.")
    }
    let outcome = try await operations.changeEmployee(
      view.profile.employee, matching: [fields["tag"]], by: principal
    ) { _ in details }
    switch outcome {
    case .kept(let row):
      return .seeOther("/settings/employees/\(row.employee.rawValue)?done=saved")
    case .changedMeanwhile(let row): (view.profile, view.typed) = (row, nil)
    default: break
    }
    return view.refused(outcome.sentence)
  }
}

extension EmployeeDetails {
  fileprivate init?(_ fields: FormFields) {
    let name = fields["name"]
    guard !name.allSatisfy(\.isWhitespace), name.unicodeScalars.count <= 100,
      !name.contains("\0"), let team = Int32(fields["team"])
    else { return nil }
    self.init(
      name: name, email: fields["email"].isEmpty ? nil : fields["email"], team: TeamID(team))
  }
}

extension EmployeeOutcome {
  fileprivate var sentence: HTML {
    switch self {
    case .kept: "Saved."
    case .noSuchTeam: "This team does not exist."
    case .noAddress: "Enter a valid e-mail address."
    case .numberTaken: "Another employee already has this number."
    case .onShift: "The team cannot be changed while a shift is open."
    case .changedMeanwhile:
      "The employee has changed since you opened the page. The current values are shown."
    }
  }
}
