import HTTPAPI
import HTTPServing
import JSONText
import ManagerOperations
import OperationCore
import ReadModels
import ShiftDomain

/// Every response to login and account requests, in one place.
enum AccountStatus {
  static func answer(to outcome: LoginOutcome) -> HTTPResponse {
    switch outcome {
    case .loggedIn(let session):
      return .object(
        session.principal.json, status: 201,
        headers: ["Set-Cookie": SessionCookie.setting(session.secret)])
    case .refused:
      return Problem(
        status: 401, code: "login_refused", detail: "the e-mail address or the password is wrong",
        headers: ["WWW-Authenticate": "Bearer"]
      ).response()
    case .throttled(let wait): return tooManyAttempts(wait)
    }
  }

  static let loggedOut = HTTPResponse(
    status: 204,
    headers: [
      "Set-Cookie": SessionCookie.clearing, "Clear-Site-Data": #""cache", "cookies", "storage""#,
    ])

  static func answer(to outcome: PasswordOutcome) -> HTTPResponse {
    switch outcome {
    case .changed(let session):
      return HTTPResponse(
        status: 204, headers: ["Set-Cookie": SessionCookie.setting(session.secret)])
    case .wrong:
      return Problem(
        status: 403, code: "wrong_password", detail: "the current password is wrong"
      ).response()
    case .weak(let fault): return weak(fault, at: "/wanted")
    case .throttled(let wait): return tooManyAttempts(wait)
    }
  }

  static func answer(to outcome: AccountOutcome) -> HTTPResponse {
    switch outcome {
    case .kept(let row): account(row)
    case .emailTaken:
      Problem.conflict("email_taken", "another account has this e-mail address").response()
    case .weak(let fault): weak(fault, at: "/password")
    case .noSuchTeam(let team):
      Problem.invalidBody(
        BodyFault(at: "/teams", "names team \(team.rawValue), which does not exist")
      ).response()
    case .noSuchEmployee:
      Problem.invalidBody(BodyFault(at: "/employee", "must be an existing employee")).response()
    case .lastAdministrator:
      Problem.conflict("last_administrator", "this is the last active administrator").response()
    case .changedMeanwhile(let row):
      Problem.changedMeanwhile(["account": .object(row.json)], tag: row.tag).response()
    }
  }

  static func added(_ outcome: AccountOutcome) -> HTTPResponse {
    guard case .kept(let row) = outcome else { return answer(to: outcome) }
    return account(row, status: 201)
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

  static func audit(_ entries: [AuditEntry]) -> HTTPResponse {
    .object(JSONObject(auditOf: entries))
  }

  private static func tooManyAttempts(_ wait: TimeSpan) -> HTTPResponse {
    Problem(
      status: 429, code: "too_many_attempts", detail: "too many attempts; wait before the next one",
      headers: ["Retry-After": String((wait.milliseconds + 999) / 1_000)]
    ).response()
  }

  private static func weak(_ fault: PasswordFault, at pointer: String) -> HTTPResponse {
    let sentence =
      switch fault {
      case .tooShort: "must have at least \(Password.charactersMin) characters"
      case .tooLong: "must have at most \(Password.bytesMax) bytes"
      case .guessable: "is too easy to guess; choose another"
      }
    return Problem.invalidBody(BodyFault(at: pointer, sentence)).response()
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
