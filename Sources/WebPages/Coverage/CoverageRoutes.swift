import HTTPAPI
import HTTPServing
import ManagerOperations
import ShiftDomain

extension PageController {
  var coverageRoutes: [AccessRoute] {
    [
      page("/coverage", .listing(.coverage)) { request, principal in
        let view = try await coverageView(
          for: principal, team: try request.team(), from: try request.date("from"),
          to: try request.date("to"))
        return .page(view.page, status: view.fault == nil ? 200 : 422)
      }
    ]
  }
}

extension HTTPRequest {
  fileprivate func date(_ name: String) throws(PageNotFound) -> CivilDate? {
    guard let text = queryValue(name), !text.isEmpty else { return nil }
    guard let date = CivilDate(text) else { throw PageNotFound() }
    return date
  }
}
