import APIJSON
import OperationCore
import ReadModels
import ShiftDomain

extension AccountRow: Shown {
  var fields: [Field] {
    [
      Field("account", FieldValue(account.rawValue)),
      Field("email", .text(email)),
      Field("name", .text(settings.name)),
      Field("role", .text(settings.role.code)),
      Field("teams", .words(settings.teams.words)),
      Field("employee", FieldValue(settings.employee?.rawValue), isDetail: true),
      Field("created", .instant(createdAt), isDetail: true),
      Field("disabled", FieldValue(disabledAt)),
    ]
  }
}

extension LoginSession {
  var fields: [Field] {
    [
      Field("session", .text("\(session.rawValue)")),
      Field("account", FieldValue(account.rawValue)),
      Field("started", .instant(createdAt)),
      Field("last used", .instant(usedAt)),
      Field("ends", .instant(endsAt), isDetail: true),
      Field("address", .text(address)),
      Field("browser", .text(userAgent), isDetail: true),
    ]
  }
}

extension AuditEntry: Shown {
  var fields: [Field] {
    let shift = shift.flatMap { number in
      employee.map { ShiftID(employee: $0, number: number).text }
    }
    return [
      Field("at", .instant(at)),
      Field("by", .text(actor)),
      Field("account", FieldValue(account?.rawValue), isDetail: true),
      Field("action", .text(action.code)),
      Field("employee", FieldValue(employee?.rawValue)),
      Field("shift", FieldValue(shift)),
      Field("from", FieldValue(span?.start), isDetail: true),
      Field("to", FieldValue(span?.end), isDetail: true),
      Field("target", FieldValue(target)),
      Field("reason", FieldValue(reason)),
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
