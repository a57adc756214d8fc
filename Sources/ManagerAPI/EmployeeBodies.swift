import HTTPAPI
import JSONText
import PeopleOperations
import ShiftDomain

extension TeamChange {
  /// `TeamChanges`, the body of `PATCH /v1/teams/{team}`: what is absent stays.
  init(_ fields: JSONFields) throws(BodyFault) {
    try fields.allow("name", "timeZone", "payRounding", "paysBreaks")
    self.init(
      name: try fields.givenName(), timeZone: try fields.text("timeZone", min: 1, max: 100),
      rounding: try fields.knownWord("payRounding"), paysBreaks: try fields.flag("paysBreaks"))
  }
}

/// `NewEmployee`, the body of `POST /v1/employees`.
struct NewEmployeeRequest {
  let employee: EmployeeID?
  let mayReuse: Bool
  let details: EmployeeDetails

  init(_ fields: JSONFields) throws(BodyFault) {
    try fields.allow("employee", "reuseNumber", "name", "email", "phoneNumber", "team")
    employee = try fields.employeeNumber()
    mayReuse = try fields.flag("reuseNumber") ?? false
    details = EmployeeDetails(
      name: try fields.required("name", fields.givenName()),
      email: try fields.text("email", min: 3, max: 254),
      phoneNumber: try fields.text("phoneNumber", min: 3, max: 31),
      team: try fields.required("team", fields.teamNumber()))
  }
}

/// `EmployeeChanges`, the body of `PATCH /v1/employees/{employee}`: what is absent stays; an empty
/// address or phone number removes it.
struct EmployeeChanges {
  let name: String?
  let email: String?
  let phoneNumber: String?
  let team: TeamID?

  init(_ fields: JSONFields) throws(BodyFault) {
    try fields.allow("name", "email", "phoneNumber", "team")
    name = try fields.givenName()
    email = try fields.text("email", max: 254)
    phoneNumber = try fields.text("phoneNumber", max: 31)
    team = try fields.teamNumber()
  }

  func apply(to details: inout EmployeeDetails) {
    if let name { details.name = name }
    if let email { details.email = email.isEmpty ? nil : email }
    if let phoneNumber { details.phoneNumber = phoneNumber.isEmpty ? nil : phoneNumber }
    if let team { details.team = team }
  }
}

extension PhoneAppRequest {
  init(_ fields: JSONFields) throws(BodyFault) {
    try fields.allow("app", "platform", "interval")
    let seconds = Self.intervals.lowerBound.seconds...Self.intervals.upperBound.seconds
    self.init(
      try fields.required("app", fields.knownWord("app")),
      on: try fields.required("platform", fields.knownWord("platform")),
      interval: try fields.integer("interval", in: seconds).map { .seconds($0) })
  }
}

extension JSONFields {
  /// `expiresIn` of an enrolment code: a minute to thirty days, one day by default.
  func codeSpan() throws(BodyFault) -> TimeSpan {
    try allow("expiresIn")
    return .seconds(try integer("expiresIn", in: 60...2_592_000) ?? 86_400)
  }

  fileprivate func teamNumber() throws(BodyFault) -> TeamID? {
    try integer("team", in: 1...Int64(Int32.max)).map { TeamID(Int32($0)) }
  }
}
