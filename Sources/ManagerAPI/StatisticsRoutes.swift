import APIJSON
import HTTPAPI
import HTTPServing
import JSONText
import ManagerOperations
import ReadModels
import ShiftDomain

extension ManagerController {
  var statisticsRoutes: [AccessRoute] {
    [
      route(.get, "/v1/statistics/detection", .listing(.coverage)) { (_, principal) in
        .object(try await operations.detectionStatistics(for: principal).json)
      },
      route(.get, "/v1/statistics", .listing(.coverage)) { (_, principal) in
        .object(try await operations.guardStatistics(for: principal).json)
      },
    ]
  }
}
