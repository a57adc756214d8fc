import APIJSON
import HTTPAPI
import HTTPServing
import InsightOperations
import ShiftDomain

extension ManagerController {
  var boardRoutes: [AccessRoute] {
    let (operations, boards) = (operations, boards)
    return [
      route(.get, "/v1/board", .listing(.coverage)) { (request, principal) in
        let employee = try request.employee().map { [$0] }
        return .object(
          try await operations.insight.board(
            for: principal, team: request.team(), only: request.employees() ?? employee,
            in: request.word("state")
          ).json)
      },
      route(.get, "/v1/board/events", .listing(.coverage)) { (request, principal) in
        guard request.method != .head else { return HTTPResponse(headers: EventText.headers) }
        let team = try request.team()
        return HTTPResponse(
          headers: EventText.headers,
          body: .stream(boards.open(for: principal, by: principal.credential, team: team))
        )
      },
    ]
  }
}
