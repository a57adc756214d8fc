import HTTPAPI
import HTTPServing
import JSONText
import ManagerOperations
import OperationCore
import ShiftDomain

extension ManagerController {
  /// Teams.
  var teamRoutes: [Route] {
    [
      route(.get, "/v1/teams") { (_, _) in
        .object(["teams": JSONValue(try await operations.teams()) { $0.json }])
      },
      route(.post, "/v1/teams") { (request, requester) in
        let input = try NewTeamRequest(JSONFields(JSONValue(parsing: request.body)))
        return EmployeeStatus.answer(
          to: try await operations.addTeam(
            name: input.name, timeZone: input.timeZone, preset: input.preset,
            by: requester.principal),
          status: 201)
      },
      route(.get, "/v1/teams/{team}") { (request, _) in
        EmployeeStatus.team(try await operations.team(TeamID(in: request.parameters)))
      },
      route(.patch, "/v1/teams/{team}") { (request, requester) in
        let team = try TeamID(in: request.parameters)
        let changes = try TeamChanges(JSONFields(JSONValue(parsing: request.body)))
        return EmployeeStatus.answer(
          to: try await operations.changeTeam(
            team, name: changes.name, timeZone: changes.timeZone, matching: request.matchedTags,
            by: requester.principal))
      },
    ]
  }

  /// Employees.
  var employeeRoutes: [Route] {
    [
      route(.get, "/v1/employees") { (request, _) in
        let limit = try request.limit()
        return EmployeeStatus.profile(
          try await operations.employees(
            of: request.team(), named: request.searched(), after: request.lastEmployee(),
            limit: limit), limit: limit)
      },
      route(.post, "/v1/employees") { (request, requester) in
        let new = try NewEmployeeRequest(JSONFields(JSONValue(parsing: request.body)))
        return EmployeeStatus.answer(
          to: try await operations.addEmployee(
            new.employee, new.details, by: requester.principal),
          status: 201)
      },
      importRoute("/v1/employees/import") { (request, requester) in
        EmployeeStatus.answer(
          to: try await operations.importEmployees(
            request.body, isTrial: request.flag("dryRun"), by: requester.principal))
      },
      route(.get, "/v1/employees/{employee}") { (request, _) in
        EmployeeStatus.profile(
          try await operations.employee(EmployeeID(in: request.parameters)))
      },
      route(.patch, "/v1/employees/{employee}") { (request, requester) in
        let employee = try EmployeeID(in: request.parameters)
        let changes = try EmployeeChanges(JSONFields(JSONValue(parsing: request.body)))
        return EmployeeStatus.answer(
          to: try await operations.changeEmployee(
            employee, matching: request.matchedTags, by: requester.principal
          ) { changes.applied(to: $0) })
      },
    ]
  }

  /// Employees' phones.
  var deviceRoutes: [Route] {
    [
      route(.get, "/v1/employees/{employee}/devices") { (request, _) in
        EmployeeStatus.devices(
          try await operations.devices(of: EmployeeID(in: request.parameters)))
      },
      route(.post, "/v1/employees/{employee}/devices/{device}/revoke") { (request, requester) in
        let employee = try EmployeeID(in: request.parameters)
        guard let number = Int16(exactly: try number(of: "device", in: request.parameters)) else {
          throw OperationError.notFound("device")
        }
        try await operations.revoke(
          device: DeviceID(employee: employee, number: number), by: requester.principal)
        return HTTPResponse(status: 204)
      },
      route(.post, "/v1/employees/{employee}/enrolment-codes") { (request, requester) in
        let employee = try EmployeeID(in: request.parameters)
        let fields = try JSONFields(
          request.body.isEmpty ? .object([:]) : JSONValue(parsing: request.body))
        return EmployeeStatus.code(
          try await operations.createEnrolmentCode(
            for: employee, validFor: fields.codeSpan(), by: requester.principal))
      },
    ]
  }
}

extension HTTPRequest {
  /// The text that a name must contain; `nil`: any name.
  fileprivate func searched() throws(QueryFault) -> String? {
    guard let text = queryValue("name") else { return nil }
    guard (1...100).contains(text.unicodeScalars.count), !text.contains("\0") else {
      throw QueryFault("name", "must have 1 to 100 characters")
    }
    return text
  }

  /// The last employee of the previous page; `nil`: from the first.
  fileprivate func lastEmployee() throws(QueryFault) -> EmployeeID? {
    try number("after", in: 1...Int32.max).map { EmployeeID($0) }
  }
}
