import HTTPAPI
import HTTPServing
import JSONText
import ManagerOperations
import ReadModels
import ShiftDomain

/// Every response to requests about teams, employees and phones, in one place.
enum EmployeeStatus {
  static func team(_ row: TeamRow, status: Int = 200) -> HTTPResponse {
    .object(
      row.json, status: status,
      headers: HTTPHeaders(
        tag: row.tag, location: status == 201 ? "/v1/teams/\(row.team.rawValue)" : nil))
  }

  static func answer(to outcome: TeamOutcome, status: Int = 200) -> HTTPResponse {
    switch outcome {
    case .kept(let row): team(row, status: status)
    case .nameTaken:
      Problem.conflict("name_taken", "another team has this name").response()
    case .noTimeZone: fault("/timeZone", "must be an IANA time zone")
    case .changedMeanwhile(let row):
      Problem.changedMeanwhile(["team": .object(row.json)], tag: row.tag).response()
    }
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

  static func answer(to outcome: EmployeeOutcome, status: Int = 200) -> HTTPResponse {
    switch outcome {
    case .kept(let row): profile(row, status: status)
    case .noSuchTeam: fault("/team", "must be an existing team")
    case .noAddress: fault("/email", "must be an e-mail address")
    case .numberTaken:
      Problem.conflict("number_taken", "another employee has this number").response()
    case .onShift(let shift):
      Problem.conflict("on_shift", "the team cannot be changed until the open shift ends")
        .adding(["shift": .object(JSONObject(shift))]).response()
    case .changedMeanwhile(let row):
      Problem.changedMeanwhile(["employee": .object(row.json)], tag: row.tag).response()
    }
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

  /// The file was rejected and nothing was written.
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

  private static func fault(_ pointer: String, _ detail: String) -> HTTPResponse {
    Problem.invalidBody(BodyFault(at: pointer, detail)).response()
  }
}

extension TeamRow {
  /// `Team`.
  var json: JSONObject {
    [
      "team": JSONValue(team.rawValue),
      "name": .string(name),
      "timeZone": .string(timeZone),
      "preset": JSONValue(word: preset),
      "policyVersion": JSONValue(policyVersion),
      "employees": JSONValue(employees),
    ]
  }
}

extension EmployeeProfile {
  /// `Employee`.
  fileprivate var json: JSONObject {
    [
      "employee": JSONValue(employee.rawValue),
      "name": .string(name),
      "email": email.map { .string($0) },
      "team": JSONValue(team.rawValue),
      "openShift": openShift.map { JSONValue($0) },
    ]
  }
}

extension DeviceRow {
  /// `Device`.
  fileprivate var json: JSONObject {
    [
      "employee": JSONValue(device.employee.rawValue),
      "device": JSONValue(device.number),
      "platform": JSONValue(word: platform),
      "osVersion": osVersion.map { .string($0) },
      "model": model.map { .string($0) },
      "app": app.map { .string($0) },
      "enrolledAt": JSONValue(enrolledAt),
      "revokedAt": revokedAt.map { JSONValue($0) },
      "lastContactAt": lastContactAt.map { JSONValue($0) },
    ]
  }
}
