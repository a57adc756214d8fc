import ManagerOperations
import ReadModels
import ShiftDomain

extension TeamRow {
  var fields: [Field] {
    [
      Field("team", "team", FieldValue(team.rawValue)),
      Field("name", "name", .text(name)),
      Field("time zone", "timeZone", .text(timeZone)),
      Field("policy", "preset", .text(preset.code)),
      Field("version", "policyVersion", FieldValue(policyVersion)),
      Field("employees", "employees", FieldValue(employees)),
    ]
  }
}

extension EmployeeProfile {
  func fields(inTeam teamName: String) -> [Field] {
    [
      Field("employee", "employee", FieldValue(employee.rawValue)),
      Field("name", "name", .text(name)),
      Field("team", "team", .text(teamName)),
      Field("open shift", "openShift", FieldValue(openShiftID?.text)),
      Field("e-mail", "email", FieldValue(email)),
      Field("phone number", "phoneNumber", FieldValue(phoneNumber)),
      Field("inactive since", "deactivatedAt", FieldValue(deactivatedAt)),
    ]
  }
}

extension DeviceRow {
  var fields: [Field] {
    [
      Field("device", "device", .text(device.text)),
      Field("system", "platform", .text(platform.code)),
      Field("version", "osVersion", FieldValue(osVersion)),
      Field("model", "model", FieldValue(model)),
      Field("last contact", "lastContactAt", FieldValue(lastContactAt)),
      Field("enrolled", "enrolledAt", .instant(enrolledAt)),
      Field("revoked", "revokedAt", FieldValue(revokedAt)),
    ]
  }
}

extension APITokenRow {
  var fields: [Field] {
    [
      Field("number", "number", FieldValue(number)),
      Field("name", "name", .text(name)),
      Field("role", "role", .text(role.code)),
      Field("teams", "teams", .words(teams.words), isDetail: true),
      Field("created", "createdAt", .instant(createdAt)),
      Field("expires", "expiresAt", .instant(expiresAt)),
      Field("revoked", "revokedAt", FieldValue(revokedAt)),
    ]
  }
}
