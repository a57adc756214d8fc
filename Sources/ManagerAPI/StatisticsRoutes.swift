import APIJSON
import HTTPAPI
import HTTPServing
import InsightOperations
import JSONText
import ReadModels
import ShiftDomain

extension ManagerController {
  var statisticsRoutes: [AccessRoute] {
    [
      route(.get, "/v1/statistics/detection", .listing(.coverage)) { (_, principal) in
        .object(try await operations.insight.detectionStatistics(for: principal).json)
      },
      route(.get, "/v1/statistics", .listing(.coverage)) { (_, principal) in
        .object(try await operations.insight.guardStatistics(for: principal).json)
      },
    ]
  }
}
