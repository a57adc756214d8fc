import ManagerOperations
import OperationCore
import ReadModels
import ShiftDomain

extension AccountRow {
  var fields: [Field] {
    [
      Field("account", "account", FieldValue(account.rawValue)),
      Field("email", "email", .text(email)),
      Field("name", "name", .text(settings.name)),
      Field("role", "role", .text(settings.role.code)),
      Field("teams", "teams", .words(settings.teams.words)),
      Field("employee", "employee", FieldValue(settings.employee?.rawValue), isDetail: true),
      Field("created", "createdAt", .instant(createdAt), isDetail: true),
      Field("disabled", "disabledAt", FieldValue(disabledAt)),
    ]
  }
}

extension LoginSession {
  var fields: [Field] {
    [
      Field("session", "session", .text("\(session.rawValue)")),
      Field("account", "account", FieldValue(account.rawValue)),
      Field("started", "createdAt", .instant(createdAt)),
      Field("last used", "usedAt", .instant(usedAt)),
      Field("ends", "endsAt", .instant(endsAt), isDetail: true),
      Field("address", "address", .text(address)),
      Field("browser", "userAgent", .text(userAgent), isDetail: true),
    ]
  }
}

extension AuditEntry {
  var fields: [Field] {
    let shift = shift.flatMap { number in
      employee.map { ShiftID(employee: $0, number: number).text }
    }
    return [
      Field("at", "at", .instant(at)),
      Field("by", "by", .text(actor)),
      Field("account", "account", FieldValue(account?.rawValue), isDetail: true),
      Field("action", "action", .text(action.code)),
      Field("employee", "employee", FieldValue(employee?.rawValue)),
      Field("shift", "shift", FieldValue(shift)),
      Field("from", "from", FieldValue(span?.start), isDetail: true),
      Field("to", "to", FieldValue(span?.end), isDetail: true),
      Field("target", "target", FieldValue(target)),
      Field("reason", "reason", FieldValue(reason)),
    ]
  }
}

extension FieldValue {
  fileprivate init(_ number: Int32?) { self = number.map { FieldValue($0) } ?? .absent }
}

extension [TeamID: TeamRights] {
  /// `3:coverage+track`, by team.
  var words: [String] {
    sorted { $0.key.rawValue < $1.key.rawValue }.map { team, rights in
      "\(team.rawValue):\(rights.codes.joined(separator: "+"))"
    }
  }
}
