import JSONText
import ReadModels
import ShiftDomain

extension TeamRow {
  /// `Team`.
  package var json: JSONObject {
    [
      "team": JSONValue(team.rawValue),
      "name": .string(name),
      "timeZone": .string(timeZone),
      "preset": JSONValue(word: preset),
      "policyVersion": JSONValue(policyVersion),
      "employees": JSONValue(employees),
      "payRounding": JSONValue(word: payRule.rounding),
      "paysBreaks": .bool(payRule.paysBreaks),
    ]
  }
}

extension EmployeeProfile {
  /// `Employee`.
  package var json: JSONObject {
    [
      "employee": JSONValue(employee.rawValue),
      "name": .string(name),
      "email": email.map { .string($0) },
      "phoneNumber": phoneNumber.map { .string($0) },
      "team": JSONValue(team.rawValue),
      "openShift": openShift.map { JSONValue($0) },
      "deactivatedAt": deactivatedAt.map { JSONValue($0) },
    ]
  }
}

extension Site {
  /// `Site`.
  package var json: JSONObject {
    [
      "site": JSONValue(number),
      "name": .string(name),
      "latitude": .number(center.latitude),
      "longitude": .number(center.longitude),
      "radius": JSONValue(radiusMeters),
    ]
  }
}

extension Retention {
  package var json: JSONObject {
    JSONObject(KeptKind.allCases.map { .init(name: $0.code, value: JSONValue(self[$0])) })
  }
}
