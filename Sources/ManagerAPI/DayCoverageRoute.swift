import APIJSON
import GuardRules
import HTTPAPI
import HTTPServing
import InsightOperations
import JSONText
import OperationCore
import ReadModels
import ShiftDomain

extension ManagerController {
  /// Coverage of a team's day, or of a period by team, employee or day.
  var coverageRoutes: [AccessRoute] {
    [
      route(.get, "/v1/coverage", .listing(.coverage), cost: .heavy) { (request, principal) in
        guard request.queryValue("date") == nil else {
          let team = try request.requiredTeam()
          let date = try request.required("date", request.day("date"))
          return .object(try await operations.insight.coverage(on: date, team: team).json)
        }
        let grouping = try request.word("by") ?? ReportGrouping.team
        let report = try await operations.insight.coverageReport(
          for: principal, from: request.required("from", request.day("from")),
          to: request.required("to", request.day("to")), team: request.team(),
          employee: request.employee(), by: grouping)
        return try ManagerStatus.report(
          report, by: grouping, as: request.form(of: [.json, .csv]))
      }
    ]
  }
}
