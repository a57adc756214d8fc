import HTTPAPI
import HTTPServing
import JSONText
import ManagerOperations
import ReadModels
import ShiftDomain

extension ManagerController {
  /// The last positions of employees on shift, for a purpose that is recorded first.
  var mapRoutes: [AccessRoute] {
    [
      route(.get, "/v1/map", .listing(.track)) { request, principal in
        if let refusal = try request.refusalOfRecordedRead(by: principal) { return refusal }
        let map = try await operations.openMap(
          of: try request.team(), by: principal, purpose: try request.purpose())
        return ManagerStatus.map(map)
      }
    ]
  }
}

extension ManagerStatus {
  static func map(_ map: PositionMap) -> HTTPResponse {
    let body: JSONObject = [
      "asOf": JSONValue(map.asOf),
      "employees": JSONValue(map.employees) { $0.json },
    ]
    return .object(body)
  }
}

extension EmployeeOnShift {
  fileprivate var json: JSONObject {
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
