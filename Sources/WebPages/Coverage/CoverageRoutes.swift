import CivilTime
import HTTPAPI
import HTTPServing
import ReadModels
import ShiftDomain

extension PageController {
  var coverageRoutes: [AccessRoute] {
    [
      page("/coverage", .listing(.coverage), cost: .heavy) { request, principal in
        let (from, to) = (request.queryValue("from") ?? "", request.queryValue("to") ?? "")
        let dates = [from, to].filter { !$0.isEmpty }.map { CivilDate($0) }
        var view = try await coverageView(
          for: principal, team: try request.team(), from: CivilDate(from), to: CivilDate(to))
        if dates.contains(nil) { view.fault = "Enter dates such as 2026-11-30." }
        return .page(view.page, status: view.fault == nil ? 200 : 422)
      }
    ]
  }
}
