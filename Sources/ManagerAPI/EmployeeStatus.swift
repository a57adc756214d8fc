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

  /// - Parameter json: What an import has done, or would do.
  static func imported<Done>(
    _ outcome: ImportOutcome<Done>, json: (Done) -> JSONObject
  ) -> HTTPResponse {
    switch outcome {
    case .done(let result): .object(json(result))
    case .faulty(let faults): faulty(faults)
    }
  }

  private static func faulty(_ faults: LineFaults) -> HTTPResponse {
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
}
