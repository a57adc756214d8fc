import HTTPAPI
import HTTPServing
import ManagerOperations
import OperationCore
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
      listForm("/settings/employees/import", .administrator) { request, fields, principal in
        try await readEmployees(request, fields, principal)
      },
      page("/settings/employees/{employee}", .administrator) { request, _ in
        var view = try await employeeSettings(in: request)
        view.done = request.queryValue("done").flatMap { EmployeeSettingsDeed(rawValue: $0) }?.text
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
        request, fields, principal in
        let device = try request.pathDevice
        guard fields["sure"] == "yes" else {
          var view = try await employeeSettings(in: request)
          view.revoking = view.devices.first { $0.device == device && $0.revokedAt == nil }
          if view.revoking == nil { throw PageNotFound() }
          let open = try await operations.shifts(of: device.employee, openOnly: true, limit: 1)
          view.tracked = open.first { $0.device == device.number }
          return .page(view.page)
        }
        try await operations.revoke(device: device, by: principal)
        return .seeOther("/settings/employees/\(device.employee.rawValue)?done=revoked")
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
    guard number != nil || fields["employee"].isEmpty else {
      return view.refused("The number must be above zero.")
    }
    do {
      let row = try await operations.addEmployee(
        number.map { EmployeeID($0) }, try EmployeeDetails(fields), by: principal
      ).get()
      let path = "/settings/employees/\(row.employee.rawValue)"
      guard fields["code"].isEmpty else { return .resend(path + "/codes") }
      return .seeOther(path + "?done=saved")
    } catch {
      return try view.refused(by: error)
    }
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
    do {
      let details = try EmployeeDetails(fields)
      let row = try await operations.changeEmployee(
        view.profile.employee, matching: [fields["tag"]], by: principal
      ) { $0 = details }.get()
      return .seeOther("/settings/employees/\(row.employee.rawValue)?done=saved")
    } catch {
      if case .employee(let row) = Refusal(error)?.subject {
        (view.profile, view.typed) = (row, nil)
      }
      return try view.refused(by: error)
    }
  }
}

/// What a form on the page did; stands in the address of the page shown after it.
private enum EmployeeSettingsDeed: String {
  case saved, revoked

  var text: HTML {
    switch self {
    case .saved: "Changes saved."
    case .revoked: "Phone revoked. It can no longer send or read anything."
    }
  }
}

extension EmployeeDetails {
  fileprivate init(_ fields: FormFields) throws(OperationError) {
    guard let team = Int32(fields["team"]) else { throw .invalid("choose a team") }
    let number = fields["phoneNumber"].split(separator: " ").joined(separator: " ")
    self.init(
      name: fields["name"], email: fields["email"].isEmpty ? nil : fields["email"],
      phoneNumber: number.isEmpty ? nil : number,
      team: TeamID(team))
  }
}
