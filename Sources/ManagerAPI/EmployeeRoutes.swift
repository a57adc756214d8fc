import APIJSON
import HTTPAPI
import HTTPServing
import JSONText
import NotificationOperations
import OperationCore
import PeopleOperations
import ReadModels
import ShiftDomain

extension ManagerController {
  var teamRoutes: [AccessRoute] {
    [
      route(.get, "/v1/teams", .administrator) { (_, _) in
        .object(["teams": JSONValue(try await operations.people.teams()) { $0.json }])
      },
      route(.post, "/v1/teams", .administrator) { (request, principal) in
        let fields = try request.fields()
        try fields.allow("name", "timeZone", "preset")
        return EmployeeStatus.team(
          try await operations.people.addTeam(
            name: fields.required("name", fields.givenName()),
            timeZone: fields.required("timeZone", fields.text("timeZone", min: 1, max: 100)),
            preset: fields.knownWord("preset") ?? .initial, by: principal
          ).get(), status: 201)
      },
      route(.get, "/v1/teams/{team}", .administrator) { (request, _) in
        EmployeeStatus.team(try await operations.people.team(request.pathTeam))
      },
      route(.patch, "/v1/teams/{team}", .administrator) { (request, principal) in
        let team = try request.pathTeam
        let change = try TeamChange(request.fields())
        return EmployeeStatus.team(
          try await operations.people.changeTeam(
            team, change, matching: request.matchedTags, by: principal
          ).get())
      },
      route(.delete, "/v1/teams/{team}", .administrator) { (request, principal) in
        try await operations.people.removeTeam(request.pathTeam, by: principal).get()
        return HTTPResponse(status: 204)
      },
    ]
  }

  var employeeRoutes: [AccessRoute] {
    [
      route(.get, "/v1/employees", .administrator) { (request, _) in
        let limit = try request.limit()
        let rows = try await operations.people.employees(
          of: request.team(), named: request.searched(),
          isActive: !request.flag("inactive"), after: request.lastEmployee(), limit: limit)
        return .object([
          "employees": JSONValue(rows) { $0.json },
          "next": rows.count == limit ? rows.last.map { JSONValue($0.employee.rawValue) } : nil,
        ])
      },
      route(.post, "/v1/employees", .administrator) { (request, principal) in
        let new = try NewEmployeeRequest(request.fields())
        return EmployeeStatus.profile(
          try await operations.people.addEmployee(
            new.employee, mayReuse: new.mayReuse, new.details, by: principal
          ).get(), status: 201)
      },
      importRoute("/v1/employees/import", .administrator) { (request, principal) in
        let outcome = try await operations.people.importEmployees(
          request.body, isTrial: request.flag("dryRun"),
          mayReuse: request.flag("reuseNumbers"), by: principal)
        return EmployeeStatus.imported(outcome) { result in
          [
            "dryRun": .bool(result.isTrial), "employees": JSONValue(result.total),
            "added": JSONValue(result.added), "changed": JSONValue(result.changed),
            "moved": JSONValue(result.moved), "unchanged": JSONValue(result.unchanged),
          ]
        }
      },
      route(.get, "/v1/employees/{employee}", .administrator) { (request, _) in
        EmployeeStatus.profile(
          try await operations.people.employee(request.pathEmployee))
      },
      route(.patch, "/v1/employees/{employee}", .administrator) { (request, principal) in
        let employee = try request.pathEmployee
        let changes = try EmployeeChanges(request.fields())
        return EmployeeStatus.profile(
          try await operations.people.changeEmployee(
            employee, matching: request.matchedTags, by: principal
          ) { changes.apply(to: &$0) }.get())
      },
      route(.post, "/v1/employees/{employee}/deactivate", .administrator) {
        (request, principal) in
        EmployeeStatus.profile(
          try await operations.people.deactivate(request.pathEmployee, by: principal).get())
      },
      route(.post, "/v1/employees/{employee}/reactivate", .administrator) {
        (request, principal) in
        EmployeeStatus.profile(
          try await operations.people.reactivate(request.pathEmployee, by: principal))
      },
      route(.post, "/v1/employees/{employee}/reminders", .employee(.coverage)) {
        (request, principal) in
        let employee = try request.pathEmployee
        let reminder = try await operations.notifications.remind(employee, by: principal).get()
        return .object(
          [
            "employee": JSONValue(employee.rawValue), "incident": JSONValue(reminder.incident),
            "kind": JSONValue(word: reminder.kind), "queuedAt": JSONValue(reminder.queuedAt),
          ], status: 202)
      },
    ]
  }

  var deviceRoutes: [AccessRoute] {
    [
      route(.get, "/v1/employees/{employee}/devices", .administrator) { (request, _) in
        let devices = try await operations.people.devices(of: request.pathEmployee)
        return .object(["devices": JSONValue(devices) { $0.json }])
      },
      route(.get, "/v1/employees/{employee}/devices/{device}", .administrator) { (request, _) in
        .object(try await operations.people.support(of: request.pathDevice).json)
      },
      route(.post, "/v1/employees/{employee}/devices/{device}/tests", .administrator) {
        (request, principal) in
        let device = try request.pathDevice
        let test = try await operations.notifications.sendTest(toDevice: device, by: principal)
          .get()
        return .object(
          ["test": .string(test.id(ofDevice: device.number).key)], status: 202,
          headers: [
            "Location": "/v1/employees/\(device.employee.rawValue)/devices/\(device.number)"
          ])
      },
      route(.post, "/v1/employees/{employee}/devices/{device}/revoke", .administrator) {
        (request, principal) in
        try await operations.people.revoke(device: request.pathDevice, by: principal)
        return HTTPResponse(status: 204)
      },
      route(.post, "/v1/employees/{employee}/enrolment-codes", .administrator) {
        (request, principal) in
        let employee = try request.pathEmployee
        let fields = try request.optionalFields()
        let code = try await operations.people.createEnrolmentCode(
          for: employee, validFor: fields.codeSpan(), by: principal)
        return .object(
          [
            "code": .string(code.code), "expiresAt": JSONValue(code.expiresAt),
            "link": .string(code.link),
          ], status: 201)
      },
      route(.post, "/v1/employees/{employee}/phone-apps", .administrator) { (request, principal) in
        let fields = try request.fields()
        let new = try await operations.people.enrol(
          PhoneAppRequest(fields), for: request.pathEmployee, by: principal)
        return .object(
          [
            "employee": JSONValue(new.device.employee.rawValue),
            "device": JSONValue(new.device.number), "app": JSONValue(word: new.app),
            "token": .string(new.token), "path": .string(new.app.path),
          ], status: 201)
      },
    ]
  }
}

extension HTTPRequest {
  /// `nil`: any name.
  fileprivate func searched() throws(QueryFault) -> String? {
    guard let text = queryValue("name") else { return nil }
    guard (1...100).contains(text.unicodeScalars.count), !text.contains("\0") else {
      throw QueryFault("name", "must have 1 to 100 characters")
    }
    return text
  }

  /// `nil`: from the first.
  fileprivate func lastEmployee() throws(QueryFault) -> EmployeeID? {
    try number("after", in: 1...Int32.max).map { EmployeeID($0) }
  }
}
