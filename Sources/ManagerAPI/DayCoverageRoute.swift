import GuardRules
import HTTPAPI
import HTTPServing
import JSONText
import ManagerOperations
import OperationCore
import ShiftDomain

extension ManagerController {
  /// Coverage of a team's day, or of a period by team, employee or day.
  var coverageRoutes: [AccessRoute] {
    [
      route(.get, "/v1/coverage", .listing(.coverage), cost: .heavy) { (request, principal) in
        guard request.queryValue("date") == nil else {
          return try await day(request, operations)
        }
        let grouping = try request.word("by") ?? ReportGrouping.team
        let report = try await operations.coverageReport(
          for: principal, from: request.required("from", request.day("from")),
          to: request.required("to", request.day("to")), team: request.team(),
          employee: request.employee(), by: grouping)
        return try ManagerStatus.report(
          report, by: grouping, as: request.form(of: [.json, .csv]))
      }
    ]
  }
}

private func day(_ request: HTTPRequest, _ operations: ManagerOperations) async throws
  -> HTTPResponse
{
  let team = try request.requiredTeam()
  let date = try request.required("date", request.day("date"))
  return ManagerStatus.coverage(try await operations.coverage(on: date, team: team))
}

extension ManagerStatus {
  static func coverage(_ day: DayCoverage) -> HTTPResponse { .object(day.json) }
}

extension DayCoverage {
  fileprivate var json: JSONObject {
    let head: JSONObject = [
      "team": JSONValue(team.rawValue),
      "date": .string(date.text),
      "timeZone": .string(timeZone),
      "from": JSONValue(span.start),
      "to": JSONValue(span.end),
      "asOf": JSONValue(asOf),
    ]
    return head.adding(totals.json(of: employees.flatMap(\.shifts)))
      .adding([
        "employees": JSONValue(employees) { employee in
          let head: JSONObject = [
            "employee": JSONValue(employee.employee.rawValue), "name": .string(employee.name),
          ]
          return head.adding(employee.totals.json(of: employee.shifts))
            .adding(["shifts": JSONValue(employee.shifts) { $0.line }])
        }
      ])
  }
}

extension TrackingTotals {
  /// `CoverageTotals` of these shifts.
  fileprivate func json(of shifts: [ShiftCoverage]) -> JSONObject {
    [
      "provisional": .bool(shifts.contains { $0.isProvisional }),
      "trackingRate": permille.map { JSONValue(permille: $0) },
      "totals": .object(JSONObject(durationsOf: shifts.flatMap(\.segments))),
    ]
  }
}

extension ShiftCoverage {
  /// One line per shift, without the segments, which are in the shift's own coverage.
  fileprivate var line: JSONObject {
    [
      "shift": .object(JSONObject(shift)),
      "startedAt": JSONValue(startedAt),
      "endedAt": endedAt.map { JSONValue($0) },
      "provisional": .bool(isProvisional),
      "trackingRate": trackingPermille.map { JSONValue(permille: $0) },
      "totals": .object(JSONObject(durationsOf: segments)),
    ]
  }
}
