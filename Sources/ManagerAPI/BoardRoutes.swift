import APIMessages
import HTTPServing
import ShiftDomain
import ShiftOperations

extension ManagerDesk {
  /// The board and its stream of changes.
  var boardRoutes: [Route] {
    let (operations, boards) = (operations, boards)
    return [
      route(.get, "/v1/board") { (request, caller) in
        let employee = try request.employee().map { [$0] }
        return ManagerStatus.board(
          try await operations.board(
            for: caller.viewer, team: request.team(), only: request.employees() ?? employee,
            in: request.word("state")))
      },
      route(.get, "/v1/board/events") { (request, caller) in
        guard request.method != .head else { return HTTPResponse(headers: EventText.headers) }
        let team = try request.team()
        return HTTPResponse(
          headers: EventText.headers,
          body: .stream(boards.open(for: caller.viewer, by: caller.pass, team: team)))
      },
    ]
  }
}
