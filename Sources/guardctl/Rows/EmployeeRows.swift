import APIJSON
import ReadModels
import ShiftDomain

extension TeamRow: Shown {
  var fields: [Field] {
    [
      Field("team", FieldValue(team.rawValue)),
      Field("name", .text(name)),
      Field("time zone", .text(timeZone)),
      Field("policy", .text(preset.code)),
      Field("version", FieldValue(policyVersion)),
      Field("employees", FieldValue(employees)),
      Field("pay rounding", .text(payRule.rounding.code), isDetail: true),
      Field("breaks", .text(payRule.paysBreaks ? "paid" : "unpaid"), isDetail: true),
    ]
  }
}

extension EmployeeProfile {
  func fields(inTeam teamName: String) -> [Field] {
    [
      Field("employee", FieldValue(employee.rawValue)),
      Field("name", .text(name)),
      Field("team", .text(teamName)),
      Field("open shift", FieldValue(openShiftID?.text)),
      Field("e-mail", FieldValue(email)),
      Field("phone number", FieldValue(phoneNumber)),
      Field("inactive since", FieldValue(deactivatedAt)),
    ]
  }
}

extension DeviceRow: Shown {
  var fields: [Field] {
    [
      Field("device", .text(device.text)),
      Field("system", .text(platform.code)),
      Field("version", FieldValue(osVersion)),
      Field("model", FieldValue(model)),
      Field("last contact", FieldValue(lastContactAt)),
      Field("enrolled", .instant(enrolledAt)),
      Field("revoked", FieldValue(revokedAt)),
    ]
  }
}

extension APITokenRow: Shown {
  var fields: [Field] {
    [
      Field("number", FieldValue(number)),
      Field("name", .text(name)),
      Field("role", .text(role.code)),
      Field("teams", .words(teams.words), isDetail: true),
      Field("created", .instant(createdAt)),
      Field("expires", .instant(expiresAt)),
      Field("revoked", FieldValue(revokedAt)),
    ]
  }
}
