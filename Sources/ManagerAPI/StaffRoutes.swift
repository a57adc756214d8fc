import APIMessages
import HTTPServing
import JSONText
import ShiftDomain
import ShiftOperations

extension ManagerDesk {
  /// Teams.
  var teamRoutes: [Route] {
    [
      route(.get, "/v1/teams") { (_, _) in
        .object(["teams": JSONValue(try await operations.teams()) { $0.message }])
      },
      route(.post, "/v1/teams") { (request, caller) in
        let wish = try NewTeamWish(JSONFields(JSONValue(parsing: request.body)))
        return StaffStatus.answer(
          to: try await operations.addTeam(
            name: wish.name, timeZone: wish.timeZone, preset: wish.preset, by: caller.viewer),
          status: 201)
      },
      route(.get, "/v1/teams/{team}") { (request, _) in
        StaffStatus.team(try await operations.team(TeamID(in: request.parameters)))
      },
      route(.patch, "/v1/teams/{team}") { (request, caller) in
        let team = try TeamID(in: request.parameters)
        let changes = try TeamChanges(JSONFields(JSONValue(parsing: request.body)))
        return StaffStatus.answer(
          to: try await operations.changeTeam(
            team, name: changes.name, timeZone: changes.timeZone, matching: request.matchedTags,
            by: caller.viewer))
      },
    ]
  }

  /// Employees.
  var staffRoutes: [Route] {
    [
      route(.get, "/v1/employees") { (request, _) in
        let limit = try request.limit()
        return StaffStatus.staff(
          try await operations.staff(
            of: request.team(), named: request.searched(), after: request.lastEmployee(),
            limit: limit), limit: limit)
      },
      route(.post, "/v1/employees") { (request, caller) in
        let new = try NewStaffWish(JSONFields(JSONValue(parsing: request.body)))
        return StaffStatus.answer(
          to: try await operations.addStaff(new.employee, new.wish, by: caller.viewer),
          status: 201)
      },
      importRoute("/v1/employees/import") { (request, caller) in
        StaffStatus.answer(
          to: try await operations.importStaff(
            request.body, isTrial: request.flag("dryRun"), by: caller.viewer))
      },
      route(.get, "/v1/employees/{employee}") { (request, _) in
        StaffStatus.staff(try await operations.staffMember(EmployeeID(in: request.parameters)))
      },
      route(.patch, "/v1/employees/{employee}") { (request, caller) in
        let employee = try EmployeeID(in: request.parameters)
        let changes = try StaffChanges(JSONFields(JSONValue(parsing: request.body)))
        return StaffStatus.answer(
          to: try await operations.changeStaff(
            employee, matching: request.matchedTags, by: caller.viewer
          ) { changes.applied(to: $0) })
      },
    ]
  }

  /// Employees' phones.
  var phoneRoutes: [Route] {
    [
      route(.get, "/v1/employees/{employee}/devices") { (request, _) in
        StaffStatus.devices(
          try await operations.devices(of: EmployeeID(in: request.parameters)))
      },
      route(.post, "/v1/employees/{employee}/devices/{device}/revoke") { (request, caller) in
        let employee = try EmployeeID(in: request.parameters)
        guard let number = Int16(exactly: try number(of: "device", in: request.parameters)) else {
          throw OperationError.notFound("device")
        }
        try await operations.revoke(
          device: DeviceID(employee: employee, number: number), by: caller.viewer)
        return HTTPResponse(status: 204)
      },
      route(.post, "/v1/employees/{employee}/enrolment-codes") { (request, caller) in
        let employee = try EmployeeID(in: request.parameters)
        let fields = try JSONFields(
          request.body.isEmpty ? .object([:]) : JSONValue(parsing: request.body))
        return StaffStatus.code(
          try await operations.createEnrolmentCode(
            for: employee, validFor: fields.codeSpan(), by: caller.viewer))
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
