import APIJSON
import HTTPAPI
import HTTPServing
import InsightOperations
import JSONText
import ManagerAccess
import ReadModels
import ShiftDomain

extension ManagerController {
  /// The last positions of employees on shift, for a purpose that is recorded first.
  var mapRoutes: [AccessRoute] {
    [
      route(.get, "/v1/map", .listing(.track)) { request, principal in
        if let refusal = try request.refusalOfRecordedRead(by: principal) { return refusal }
        let map = try await operations.insight.openMap(
          of: try request.team(), by: principal, purpose: try request.purpose())
        return .object([
          "asOf": JSONValue(map.asOf), "employees": JSONValue(map.employees) { $0.json },
        ])
      }
    ]
  }
}
