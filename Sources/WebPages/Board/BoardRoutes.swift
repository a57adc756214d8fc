import HTTPAPI
import HTTPServing
import ReadModels
import ReviewOperations
import ShiftDomain

extension PageController {
  /// The whole board, or the parts that its script requests.
  var boardRoutes: [AccessRoute] {
    [
      page("/", .listing(.coverage)) { request, principal in
        let filter = try BoardFilter(request)
        guard request.queryValue("fragment") == "rows" else {
          async let steps = checklist(for: principal)
          var board = try await board(for: principal, filter)
          board.checklist = try await steps
          return .page(board.page(events: settings.boardEvents))
        }
        let employees = try request.employees()
        async let waiting = operations.reviews.reviewCount(for: principal)
        let board = try await board(for: principal, filter)
        return .fragment(board.fragment(of: employees, waiting: try await waiting))
      }
    ]
  }
}

extension BoardFilter {
  /// The filter in the address. An unknown team is answered with 404, an unknown state is only
  /// named: a saved filter may have a state of an earlier version.
  init(_ request: HTTPRequest) throws(PageNotFound) {
    team = try request.team()
    if let text = request.queryValue("state"), !text.isEmpty {
      state = BoardState(code: text)
      if state == nil { unknownState = String(text.prefix(100)) }
    }
    text = String((request.queryValue("q") ?? "").prefix(100))
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
  }
}

extension HTTPRequest {
  /// The team in the address; `nil`: all.
  func team() throws(PageNotFound) -> TeamID? {
    guard let text = queryValue("team"), !text.isEmpty else { return nil }
    guard let number = Int32(text) else { throw PageNotFound() }
    return TeamID(number)
  }

  /// The employees whose rows are requested; `nil`: all.
  fileprivate func employees() throws(PageNotFound) -> Set<EmployeeID>? {
    guard let text = queryValue("employees"), !text.isEmpty else { return nil }
    var employees: Set<EmployeeID> = []
    for piece in text.split(separator: ",").prefix(1_000) {
      guard let number = Int32(piece) else { throw PageNotFound() }
      employees.insert(EmployeeID(number))
    }
    return employees
  }
}
