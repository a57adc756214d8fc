import APIJSON
import HTTPAPI
import HTTPServing
import InsightOperations
import JSONText
import ManagerCore
import OperationCore
import ReadModels
import ShiftDomain

/// Whether a list has open or closed entries.
enum Ongoing: UInt8, Coded {
  case open = 0
  case ended = 1

  var code: String {
    switch self {
    case .open: "open"
    case .ended: "ended"
    }
  }
}

extension ManagerController {
  var listRoutes: [AccessRoute] {
    [
      route(.get, "/v1/shifts", .listing(.coverage)) { (request, principal) in
        let page = try await operations.insight.shiftPage(
          request.filter(for: principal), limit: request.limit())
        return .object(page.json(called: "shifts") { $0.json })
      },
      route(.get, "/v1/incidents", .listing(.coverage)) { (request, principal) in
        let page = try await operations.insight.incidentPage(
          request.filter(for: principal), limit: request.limit())
        return .object(page.json(called: "incidents") { $0.json })
      },
      route(.get, "/v1/employees/{employee}/incidents/{incident}", .employee(.coverage)) {
        (request, _) in
        .object(try await operations.insight.incidentDetails(of: request.pathIncident).json)
      },
    ]
  }
}

extension ListPage {
  func json(called name: String, each: (Row) -> JSONObject) -> JSONObject {
    [name: JSONValue(rows, each: each), "next": next.map { .string($0.cursor) }]
  }
}

extension HTTPRequest {
  fileprivate func filter(for principal: Principal) throws(QueryFault) -> ListFilter {
    var filter = ListFilter(in: principal.scope(.coverage).narrowed(to: try team()))
    let state: Ongoing? = try word("state")
    filter.isOpen = state.map { $0 == .open }
    filter.employee = try employee()
    (filter.from, filter.to) = try span()
    filter.after = try listPlace()
    return filter
  }

  /// `cursor`; `nil` for the first page.
  func listPlace() throws(QueryFault) -> ListPlace? {
    guard let cursor = queryValue("cursor") else { return nil }
    guard let place = ListPlace(cursor: cursor) else {
      throw QueryFault("cursor", "must be the `next` of the previous page")
    }
    return place
  }

  /// `from` and `to`, where given.
  func span() throws(QueryFault) -> (from: Instant?, to: Instant?) {
    let (from, to) = (try instant("from"), try instant("to"))
    if let from, let to, to <= from { throw QueryFault("to", "must be later than `from`") }
    return (from, to)
  }

  /// An instant such as 2026-10-25T08:00:00Z; `nil` when absent.
  private func instant(_ name: String) throws(QueryFault) -> Instant? {
    guard let text = queryValue(name) else { return nil }
    guard let instant = Instant(rfc3339: text) else {
      throw QueryFault(name, "must be an instant such as 2026-10-25T08:00:00Z")
    }
    return instant
  }
}
