import JSONText
import ReadModels
import ShiftDomain

extension PrivacyNotice {
  /// `PrivacyNotice`.
  package var json: JSONObject {
    [
      "version": JSONValue(version), "createdAt": JSONValue(createdAt), "text": .string(text),
    ]
  }
}

extension AccountRow {
  /// `Account`.
  package var json: JSONObject {
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
  package init(rightsOf teams: [TeamID: TeamRights]) {
    self.init(teams.sorted { $0.key.rawValue < $1.key.rawValue }) { team, rights in
      [
        "team": JSONValue(team.rawValue),
        "rights": .array(rights.codes.map { .string($0) }),
      ]
    }
  }
}

extension LoginSession {
  /// `Session`, without whose it is.
  package var json: JSONObject {
    [
      "session": .string(String(session.rawValue)),
      "createdAt": JSONValue(createdAt),
      "usedAt": JSONValue(usedAt),
      "endsAt": JSONValue(endsAt),
      "address": .string(address),
      "userAgent": .string(userAgent),
    ]
  }
}

extension APITokenRow {
  package var json: JSONObject {
    [
      "number": JSONValue(number),
      "name": .string(name),
      "role": JSONValue(word: role),
      "teams": JSONValue(rightsOf: teams),
      "createdAt": JSONValue(createdAt),
      "expiresAt": JSONValue(expiresAt),
      "revokedAt": revokedAt.map { JSONValue($0) },
    ]
  }
}
