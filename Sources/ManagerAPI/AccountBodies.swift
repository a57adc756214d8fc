import InstallationOperations
import JSONText
import ReadModels
import ShiftDomain

/// `NewAccount`, the body of `POST /v1/accounts`.
struct NewAccountRequest {
  let email: String
  let password: Password
  let settings: AccountSettings

  init(_ fields: JSONFields) throws(BodyFault) {
    try fields.allow("email", "password", "name", "role", "teams", "employee")
    email = try fields.required("email", fields.text("email", min: 3, max: 254))
    guard email.split(separator: "@", omittingEmptySubsequences: false).count == 2 else {
      throw BodyFault(at: fields.place("email"), "must be an e-mail address")
    }
    password = try fields.required("password", fields.password("password"))
    settings = AccountSettings(
      name: try fields.required("name", fields.givenName()),
      role: try fields.required("role", fields.knownWord("role")),
      teams: try fields.teamRights() ?? [:], employee: try fields.employeeNumber())
    try fields.checkTeams(of: settings)
  }
}

/// `AccountChanges`, the body of `PATCH /v1/accounts/{account}`: what is absent stays.
struct AccountChanges {
  let name: String?
  let role: AccessRole?
  let teams: [TeamID: TeamRights]?
  let employee: EmployeeID?
  let isDisabled: Bool?
  let password: Password?
  private let fields: JSONFields

  init(_ fields: JSONFields) throws(BodyFault) {
    try fields.allow("name", "role", "teams", "employee", "disabled", "password")
    name = try fields.givenName()
    role = try fields.knownWord("role")
    teams = try fields.teamRights()
    employee = try fields.employeeNumber()
    isDisabled = try fields.flag("disabled")
    password = try fields.password("password")
    self.fields = fields
  }

  /// The new settings. An administrator sees every team, so the list of teams is empty.
  func applied(to settings: AccountSettings) -> AccountSettings {
    let role = role ?? settings.role
    return AccountSettings(
      name: name ?? settings.name, role: role,
      teams: teams ?? (role == .manager ? settings.teams : [:]),
      employee: employee ?? settings.employee)
  }

  /// Checks that these changes are allowed for these settings.
  func check(after settings: AccountSettings) throws(BodyFault) {
    try fields.checkTeams(of: applied(to: settings))
  }
}

extension JSONFields {
  func password(_ name: String) throws(BodyFault) -> Password? {
    try text(name, min: 1, max: 4_096).map { Password($0) }
  }

  func employeeNumber() throws(BodyFault) -> EmployeeID? {
    try integer("employee", in: 1...Int64(Int32.max)).map { EmployeeID(Int32($0)) }
  }

  /// `teams`: the teams with the rights for each.
  fileprivate func teamRights() throws(BodyFault) -> [TeamID: TeamRights]? {
    guard let elements = try elements("teams") else { return nil }
    var teams: [TeamID: TeamRights] = [:]
    for (index, element) in elements.enumerated() {
      let fields = try JSONFields(element, at: place("teams", index))
      try fields.allow("team", "rights")
      let number = try fields.required(
        "team", fields.integer("team", in: 1...Int64(Int32.max)))
      let words = try fields.required("rights", fields.elements("rights"))
      var rights: TeamRights = []
      for (index, word) in words.enumerated() {
        guard case .string(let code) = word, let right = TeamRights(code: code) else {
          throw BodyFault(at: fields.place("rights", index), "must be `coverage` or `track`")
        }
        rights.insert(right)
      }
      guard !rights.isEmpty else {
        throw BodyFault(at: fields.place("rights"), "must name at least one right")
      }
      teams[TeamID(Int32(number))] = rights
    }
    return teams
  }

  fileprivate func checkTeams(of settings: AccountSettings) throws(BodyFault) {
    guard settings.role == .manager || settings.teams.isEmpty else {
      throw BodyFault(at: place("teams"), "must be empty: an administrator sees every team")
    }
  }
}
