import HTTPAPI
import HTTPServing
import InsightOperations
import ManagerCore
import PeopleOperations
import ShiftDomain

extension PageController {
  var employeeDevicesRoutes: [AccessRoute] {
    let path = "/employees/{employee}/devices"
    return [
      page(path, .employee(.coverage)) { request, principal in
        var view = try await devicesView(in: request, for: principal)
        view.frame.done = request.completed
        return .page(view.page)
      },
      form(path + "/codes", .administrator) { request, _, principal in
        var view = try await devicesView(in: request, for: principal)
        let code: NewEnrolmentCode
        do {
          code = try await operations.people.createEnrolmentCode(
            for: view.frame.row.employee, validFor: .hours(24), by: principal)
        } catch {
          return try view.refused(by: error)
        }
        view.code = (code, address(of: code, request))
        return .page(view.page)
      },
      form(path + "/apps", .administrator) { request, fields, principal in
        var view = try await devicesView(in: request, for: principal)
        guard let wanted = PhoneAppRequest(fields) else {
          return view.refused("Enter whole seconds, from 1 to 3600, or nothing.")
        }
        let usesSites = fields["sites"] == "yes"
        if usesSites, wanted.app != .ownTracks {
          return view.refused("Only OwnTracks can clock in and out at the sites.")
        }
        do {
          let sites = usesSites ? try await operations.people.sites(of: view.frame.team.team) : []
          guard !usesSites || !sites.isEmpty else {
            return view.refused("The team has no sites yet. Add them in its settings.")
          }
          let new = try await operations.people.enrol(
            wanted, for: view.frame.row.employee, by: principal)
          view = try await devicesView(in: request, for: principal)
          view.app = ShownPhoneApp(new, at: request.origin, sites: sites)
        } catch {
          return try view.refused(by: error)
        }
        return .page(view.page)
      },
      form(path + "/{device}/revoke", .administrator) { request, fields, principal in
        let device = try request.pathDevice
        guard fields.isSure else {
          var view = try await devicesView(in: request, for: principal)
          view.revoking = view.devices.first { $0.device == device && $0.revokedAt == nil }
          if view.revoking == nil { throw PageNotFound() }
          let open = try await operations.insight.shifts(
            of: device.employee, openOnly: true, limit: 1)
          view.tracked = open.first { $0.device == device.number }
          return .page(view.page)
        }
        try await operations.people.revoke(device: device, by: principal)
        return .seeOther(
          EmployeeTab.devices.path(of: device.employee)
            + "?done=\(CompletedEmployeeAction.revoked.rawValue)")
      },
    ]
  }

  private func devicesView(in request: HTTPRequest, for principal: Principal) async throws
    -> EmployeeDevicesView
  {
    let employee = try await employee(in: request)
    return EmployeeDevicesView(
      frame: EmployeeFrame(employee, for: principal),
      devices: try await operations.people.devices(of: employee.row.employee),
      clock: try TeamClock(zone: employee.team.timeZone, now: settings.now()))
  }
}

extension PhoneAppRequest {
  /// `nil` for an interval that is no number within the range. The rest is chosen from lists.
  fileprivate init?(_ fields: FormFields) {
    let text = fields["interval"].filter { $0 != " " }
    let interval = Int64(text).map { TimeSpan.seconds($0) }
    guard text.isEmpty || interval.map({ Self.intervals.contains($0) }) ?? false,
      let app = PhoneApp(code: fields["app"]), let platform = Platform(code: fields["platform"])
    else { return nil }
    self.init(app, on: platform, interval: interval)
  }
}
