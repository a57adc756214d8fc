import APIJSON
import HTTPAPI
import HTTPServing
import InstallationOperations
import JSONText
import ManagerAccess
import ManagerCore
import OperationCore
import ReadModels
import ShiftDomain

enum AccountStatus {
  static func loggedIn(_ session: NewSession) -> HTTPResponse {
    .object(
      session.principal.json, status: 201,
      headers: ["Set-Cookie": SessionCookie.setting(session.secret)])
  }

  static let loggedOut = HTTPResponse(
    status: 204,
    headers: [
      "Set-Cookie": SessionCookie.clearing, "Clear-Site-Data": #""cache", "cookies", "storage""#,
    ])

  static func passwordChanged(_ session: NewSession) -> HTTPResponse {
    HTTPResponse(status: 204, headers: ["Set-Cookie": SessionCookie.setting(session.secret)])
  }

  static func account(_ row: AccountRow, status: Int = 200) -> HTTPResponse {
    .object(
      row.json, status: status,
      headers: HTTPHeaders(
        tag: row.tag, location: status == 201 ? "/v1/accounts/\(row.account.rawValue)" : nil))
  }

  static func accounts(_ rows: [AccountRow]) -> HTTPResponse {
    .object(["accounts": JSONValue(rows) { $0.json }])
  }

  static func sessions(_ sessions: [LoginSession], current: SessionID?) -> HTTPResponse {
    .object([
      "sessions": JSONValue(sessions) { session in
        session.json.adding(["current": .bool(session.session == current)])
      }
    ])
  }
}

extension Principal {
  var json: JSONObject {
    [
      "account": account.map { JSONValue($0.rawValue) },
      "name": .string(actor.name),
      "role": JSONValue(word: role),
      "teams": JSONValue(rightsOf: teams),
      "employee": actor.employee.map { JSONValue($0.rawValue) },
    ]
  }
}
