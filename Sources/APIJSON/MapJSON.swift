import GuardRules
import JSONText
import ReadModels
import ShiftDomain

extension EmployeeOnShift {
  package var json: JSONObject {
    [
      "employee": JSONValue(shift.employee.rawValue),
      "name": .string(name),
      "team": JSONValue(team.rawValue),
      "shift": JSONValue(shift.number),
      "startedAt": JSONValue(startedAt),
      "maxFixAge": JSONValue(fixAgeMax.seconds),
      "position": position.fix.map { .object($0.json) },
      "absence": position.absence.map { .string($0.code) },
    ]
  }
}

extension EmployeeOnShift.LastPosition {
  fileprivate var fix: TrackFix? {
    if case .known(let fix) = self { fix } else { nil }
  }

  fileprivate var absence: EmployeeOnShift.Absence? {
    if case .absent(let absence) = self { absence } else { nil }
  }
}

extension TrackFix {
  fileprivate var json: JSONObject {
    [
      "at": JSONValue(at),
      "latitude": .number(fix.coordinate.latitude),
      "longitude": .number(fix.coordinate.longitude),
      "accuracy": fix.accuracyMeters.map { .number($0) },
      "device": JSONValue(device),
      "mock": isMock ? .bool(true) : nil,
    ]
  }
}
