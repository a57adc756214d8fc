import HTTPAPI
import HTTPServing
import JSONText
import ManagerOperations
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
        [
          "session": .string(String(session.session.rawValue)),
          "current": .bool(session.session == current),
          "createdAt": JSONValue(session.createdAt),
          "usedAt": JSONValue(session.usedAt),
          "endsAt": JSONValue(session.endsAt),
          "address": .string(session.address),
          "userAgent": .string(session.userAgent),
        ]
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

extension AccountRow {
  /// `Account`.
  var json: JSONObject {
    [
      "account": JSONValue(account.rawValue),
      "email": .string(email),
      "name": .string(settings.name),
      "role": JSONValue(word: settings.role),
      "teams": JSONValue(rightsOf: settings.teams),
      "employee": settings.employee.map { JSONValue($0.rawValue) },
      "createdAt": JSONValue(createdAt),
      "disabledAt": disabledAt.map { JSONValue($0) },
    ]
  }
}

extension JSONValue {
  /// Teams by number, with the rights for each.
  fileprivate init(rightsOf teams: [TeamID: TeamRights]) {
    self.init(teams.sorted { $0.key.rawValue < $1.key.rawValue }) { team, rights in
      [
        "team": JSONValue(team.rawValue),
        "rights": .array(rights.codes.map { .string($0) }),
      ]
    }
  }
}
