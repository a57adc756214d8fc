import APIJSON
import HTTPAPI
import HTTPServing
import InstallationOperations
import JSONText
import ReadModels
import ShiftDomain

extension ManagerController {
  var quarantineRoutes: [AccessRoute] {
    [
      route(.get, "/v1/quarantined-messages", .administrator) { (request, _) in
        let page = try await operations.installation.quarantinePage(
          request.quarantineFilter(), limit: request.limit())
        return .object([
          "messages": JSONValue(page.rows) { $0.json },
          "counts": JSONValue(try await operations.installation.quarantineCounts()) { $0.json },
          "next": page.next.map { .string($0.cursor) },
        ])
      },
      route(
        .post, "/v1/quarantined-messages/replay", .administrator, deadline: .seconds(60)
      ) { (request, principal) in
        let fields = try request.fields()
        try fields.allow("employee", "cursor")
        let employee = try fields.employeeNumber()
        let cursor = try fields.text("cursor", max: 30)
        let after = cursor.flatMap { DeviceID(cursor: $0) }
        guard cursor == nil || after != nil else {
          throw BodyFault(at: fields.place("cursor"), "must be the `next` of the previous answer")
        }
        return .object(
          try await operations.installation.replayQuarantine(
            of: employee, after: after, by: principal
          ).json)
      },
    ]
  }
}

extension HTTPRequest {
  fileprivate func quarantineFilter() throws(QueryFault) -> QuarantineFilter {
    var filter = QuarantineFilter(of: try employee())
    filter.app = try word("app")
    filter.reason = queryValue("reason")
    if let reason = filter.reason,
      !(1...200).contains(reason.unicodeScalars.count) || reason.contains("\0")
    {
      throw QueryFault("reason", "must have 1 to 200 characters")
    }
    guard let cursor = queryValue("cursor") else { return filter }
    guard let place = QuarantinePlace(cursor: cursor) else {
      throw QueryFault("cursor", "must be the `next` of the previous page")
    }
    filter.after = place
    return filter
  }
}
