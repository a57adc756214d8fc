import APIJSON
import HTTPAPI
import HTTPServing
import JSONText
import PeopleOperations
import ReadModels
import ShiftDomain

enum EmployeeStatus {
  static func team(_ row: TeamRow, status: Int = 200) -> HTTPResponse {
    .object(
      row.json, status: status,
      headers: HTTPHeaders(
        tag: row.tag, location: status == 201 ? "/v1/teams/\(row.team.rawValue)" : nil))
  }

  static func profile(_ row: EmployeeProfile, status: Int = 200) -> HTTPResponse {
    .object(
      row.json, status: status,
      headers: HTTPHeaders(
        tag: row.tag, location: status == 201 ? "/v1/employees/\(row.employee.rawValue)" : nil))
  }

  static func profile(_ rows: [EmployeeProfile], limit: Int) -> HTTPResponse {
    .object([
      "employees": JSONValue(rows) { $0.json },
      "next": rows.count == limit ? rows.last.map { JSONValue($0.employee.rawValue) } : nil,
    ])
  }

  static func answer(to outcome: ImportOutcome<EmployeeImport>) -> HTTPResponse {
    switch outcome {
    case .done(let result):
      .object([
        "dryRun": .bool(result.isTrial),
        "employees": JSONValue(result.total),
        "added": JSONValue(result.added),
        "changed": JSONValue(result.changed),
        "moved": JSONValue(result.moved),
        "unchanged": JSONValue(result.unchanged),
      ])
    case .faulty(let faults): faulty(faults)
    }
  }

  static func faulty(_ faults: LineFaults) -> HTTPResponse {
    Problem(
      status: 422, code: "invalid_csv",
      detail: "nothing was written; `errors` lists \(faults.first.count) of \(faults.count) errors"
    ).adding([
      "errorCount": JSONValue(faults.count),
      "errors": JSONValue(faults.first) { fault in
        ["line": JSONValue(fault.line), "detail": .string(fault.detail)]
      },
    ]).response()
  }

  static func devices(_ rows: [DeviceRow]) -> HTTPResponse {
    .object(["devices": JSONValue(rows) { $0.json }])
  }

  static func code(_ code: NewEnrolmentCode) -> HTTPResponse {
    .object(
      [
        "code": .string(code.code),
        "expiresAt": JSONValue(code.expiresAt),
        "link": .string(code.link),
      ], status: 201)
  }

  static func enrolled(_ new: NewPhoneApp) -> HTTPResponse {
    .object(
      [
        "employee": JSONValue(new.device.employee.rawValue),
        "device": JSONValue(new.device.number),
        "app": JSONValue(word: new.app),
        "token": .string(new.token),
        "path": .string(new.app.path),
      ], status: 201)
  }
}
