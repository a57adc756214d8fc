public import HTTPServing
public import ShiftOperations

/// Who may use a route of the API or of the pages.
public enum Access: Hashable, Sendable {
  /// Anybody, without credentials: supervisors, enrolment and login.
  case anybody
  /// A device token; the route shows only the device's own employee.
  case device
  /// Any manager or administrator; the route shows only their own data.
  case anyManager
  /// A logged-in account, not a token; the route shows only its own data.
  case account
  /// Rights for the team of the path's `{employee}`; everyone else gets 404.
  case employee(TeamRights)
  /// Rights for the team of the path's `{team}`; everyone else gets 404.
  case team(TeamRights)
  /// Any manager or administrator: the list shows what these rights allow. An employee or a team
  /// named in the query must be covered by them.
  case listing(TeamRights)
  /// An administrator; everyone else gets 404 for the page.
  case administrator

  /// Every route with its access rule: first the API, then the pages and their forms. A route that
  /// is missing here cannot be built; tests compare the table, the routers and openapi.yaml.
  public static let table: [String: Access] = [
    "GET /healthz": .anybody,
    "GET /readyz": .anybody,
    "GET /metrics": .anybody,

    "POST /v1/enrolments": .anybody,
    "POST /v1/permission-reports": .device,
    "POST /v1/pings": .device,
    "POST /v1/guard/check": .device,
    "POST /v1/clock-in": .device,
    "POST /v1/clock-out": .device,
    "POST /v1/break-start": .device,
    "POST /v1/break-end": .device,
    "POST /v1/take-over": .device,
    "POST /v1/confirm-end": .device,
    "POST /v1/acknowledgements": .device,
    "GET /v1/me": .device,
    "GET /v1/me/events": .device,
    "PUT /v1/me/push-target": .device,
    "DELETE /v1/me/push-target": .device,
    "GET /v1/me/shifts": .device,
    "GET /v1/me/shifts/{shift}": .device,
    "POST /v1/me/shifts/{shift}/notes": .device,
    "GET /v1/me/audit": .device,
    "GET /v1/me/privacy-notice": .device,
    "POST /v1/me/privacy-notice": .device,

    "POST /v1/sessions": .anybody,
    "GET /v1/sessions": .account,
    "DELETE /v1/sessions/current": .account,
    "DELETE /v1/sessions/{session}": .account,
    "GET /v1/account": .anyManager,
    "PUT /v1/account/password": .account,

    "GET /v1/board": .listing(.coverage),
    "GET /v1/board/events": .listing(.coverage),
    "GET /v1/coverage": .listing(.coverage),
    "GET /v1/clock-actions": .listing(.coverage),
    "GET /v1/shifts": .listing(.coverage),
    "GET /v1/incidents": .listing(.coverage),
    "GET /v1/statistics/detection": .listing(.coverage),
    "GET /v1/statistics": .listing(.coverage),
    "GET /v1/employees/{employee}/incidents/{incident}": .employee(.coverage),
    "GET /v1/employees/{employee}/shifts/{shift}": .employee(.coverage),
    "GET /v1/employees/{employee}/shifts/{shift}/coverage": .employee(.coverage),
    "GET /v1/employees/{employee}/shifts/{shift}/track": .employee(.track),
    "POST /v1/employees/{employee}/shifts/{shift}/corrections": .employee(.coverage),
    "POST /v1/employees/{employee}/shifts/{shift}/corrections/{correction}/undo":
      .employee(.coverage),
    "GET /v1/employees/{employee}/overrides": .employee(.coverage),
    "POST /v1/employees/{employee}/overrides": .employee(.coverage),
    "POST /v1/employees/{employee}/overrides/{override}/withdraw": .employee(.coverage),
    "GET /v1/employees/{employee}/clock-actions/{clockAction}": .employee(.coverage),
    "POST /v1/employees/{employee}/clock-actions/{clockAction}/accept": .employee(.coverage),
    "POST /v1/employees/{employee}/clock-actions/{clockAction}/dismiss": .employee(.coverage),
    "GET /v1/employees/{employee}/audit": .employee(.track),
    "GET /v1/teams/{team}/policies": .team(.coverage),
    "GET /v1/teams/{team}/policies/{version}": .team(.coverage),

    "POST /v1/teams/{team}/policies": .administrator,
    "POST /v1/teams/{team}/policies/{version}/restore": .administrator,
    "GET /v1/accounts": .administrator,
    "POST /v1/accounts": .administrator,
    "GET /v1/accounts/{account}": .administrator,
    "PATCH /v1/accounts/{account}": .administrator,
    "GET /v1/audit": .administrator,
    "GET /v1/employees/{employee}/planned-shifts": .employee(.coverage),
    "POST /v1/employees/{employee}/planned-shifts": .employee(.coverage),
    "DELETE /v1/employees/{employee}/planned-shifts/{plannedShift}": .employee(.coverage),
    "POST /v1/planned-shifts/import": .administrator,
    "GET /v1/retention": .administrator,
    "PUT /v1/retention": .administrator,
    "GET /v1/teams": .administrator,
    "POST /v1/teams": .administrator,
    "GET /v1/teams/{team}": .administrator,
    "PATCH /v1/teams/{team}": .administrator,
    "GET /v1/employees": .administrator,
    "POST /v1/employees": .administrator,
    "POST /v1/employees/import": .administrator,
    "GET /v1/employees/{employee}": .administrator,
    "PATCH /v1/employees/{employee}": .administrator,
    "GET /v1/employees/{employee}/devices": .administrator,
    "POST /v1/employees/{employee}/devices/{device}/revoke": .administrator,
    "POST /v1/employees/{employee}/enrolment-codes": .administrator,

    "GET /assets/{version}/pages.css": .anybody,
    "GET /assets/{version}/pages.js": .anybody,
    "GET /assets/{version}/icon.svg": .anybody,
    "GET /assets/leaflet/leaflet.css": .anybody,
    "GET /assets/leaflet/leaflet.js": .anybody,
    "GET /login": .anybody,
    "POST /login": .anybody,
    "POST /logout": .anybody,

    "GET /account": .account,
    "POST /account/password": .account,
    "POST /account/sessions/end": .account,
    "POST /account/sessions/{session}/end": .account,

    "GET /": .listing(.coverage),
    "GET /coverage": .listing(.coverage),
    "GET /notifications": .listing(.coverage),
    "GET /settings": .listing(.coverage),
    "GET /statistics": .listing(.coverage),
    "GET /settings/teams/{team}": .team(.coverage),
    "GET /employees/{employee}": .employee(.coverage),
    "POST /employees/{employee}/planned-shifts": .employee(.coverage),
    "POST /employees/{employee}/planned-shifts/{plannedShift}/remove": .employee(.coverage),
    "POST /employees/{employee}/overrides": .employee(.coverage),
    "POST /employees/{employee}/overrides/{override}/withdraw": .employee(.coverage),
    "POST /employees/{employee}/clock-actions/{clockAction}/accept": .employee(.coverage),
    "POST /employees/{employee}/clock-actions/{clockAction}/dismiss": .employee(.coverage),
    "GET /employees/{employee}/shifts/{shift}": .employee(.coverage),
    "POST /employees/{employee}/shifts/{shift}/corrections": .employee(.coverage),
    "POST /employees/{employee}/shifts/{shift}/corrections/{correction}/undo":
      .employee(.coverage),
    // The track is shown on the shift's page.
    "POST /employees/{employee}/shifts/{shift}/track": .employee(.all),

    "GET /audit": .administrator,
    "POST /settings/teams/{team}": .administrator,
    "GET /settings/employees": .administrator,
    "POST /settings/employees": .administrator,
    "POST /settings/employees/import": .administrator,
    "GET /settings/employees/{employee}": .administrator,
    "POST /settings/employees/{employee}": .administrator,
    "POST /settings/employees/{employee}/codes": .administrator,
    "POST /settings/employees/{employee}/devices/{device}/revoke": .administrator,
    "GET /settings/planned-shifts": .administrator,
    "POST /settings/planned-shifts": .administrator,
    "GET /settings/retention": .administrator,
    "POST /settings/retention": .administrator,
    "GET /settings/teams": .administrator,
    "POST /settings/teams": .administrator,
    "GET /settings/teams/{team}/edit": .administrator,
    "POST /settings/teams/{team}/edit": .administrator,
    "GET /settings/accounts": .administrator,
    "POST /settings/accounts": .administrator,
    "GET /settings/accounts/{account}": .administrator,
    "POST /settings/accounts/{account}": .administrator,
    "POST /settings/accounts/{account}/password": .administrator,
    "POST /settings/accounts/{account}/disable": .administrator,
    "POST /settings/accounts/{account}/enable": .administrator,
    "GET /settings/tokens": .administrator,
    "POST /settings/tokens": .administrator,
    "POST /settings/tokens/{token}/revoke": .administrator,
  ]

  /// The access rule of the route. Traps for a route that is not in the table: that is our bug.
  public static func asked(_ method: HTTPMethod, _ pattern: String) -> Access {
    guard let access = table["\(method.rawValue) \(pattern)"] else {
      preconditionFailure("\(method.rawValue) \(pattern) is not in the table of access")
    }
    return access
  }
}
