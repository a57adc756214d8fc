import APIMessages
import HTTPServing
import JSONText
import ShiftDomain
import ShiftOperations

/// Every status that a manager can be answered, in one place.
enum ManagerStatus {
  /// An answer that only who asked may keep or read, and no other site's page.
  static func `private`(_ response: HTTPResponse) -> HTTPResponse {
    var response = response
    if response.headers["Cache-Control"] == nil { response.headers["Cache-Control"] = "no-store" }
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    return response
  }

  static func board(_ board: Board) -> HTTPResponse { .object(board.message) }

  static func coverage(_ coverage: ShiftCoverage) -> HTTPResponse { .object(JSONObject(coverage)) }

  /// What the employee reads, with their name.
  static func story(_ story: ShiftStory) -> HTTPResponse {
    .object(
      JSONObject(story).adding(["name": .string(story.row.name)]),
      headers: HTTPHeaders(tag: story.row.tag))
  }

  static func policies(_ rows: [PolicyRow], of team: TeamID) -> HTTPResponse {
    var answer = HTTPResponse.object([
      "team": JSONValue(team.rawValue), "policies": JSONValue(rows) { $0.message },
    ])
    if let row = rows.first(where: \.isInForce) { answer.headers["ETag"] = "\"\(row.tag)\"" }
    return answer
  }

  static func policy(_ row: PolicyRow, status: Int = 200) -> HTTPResponse {
    .object(
      row.message, status: status,
      headers: HTTPHeaders(tag: row.tag, location: status == 201 ? row.path : nil))
  }

  static func answer(to outcome: PolicyOutcome) -> HTTPResponse {
    switch outcome {
    case .made(let row): policy(row, status: 201)
    case .unchanged(let row): policy(row)
    case .changedMeanwhile(let row):
      Problem.changedMeanwhile(["policy": .object(row.message)], tag: row.tag).response()
    }
  }
}

/// The problem that `error` is to the manager.
func problem(for error: any Error) -> Problem {
  switch error {
  case let error as JSONSyntaxError: .malformed(error)
  case let fault as BodyFault: .invalidBody(fault)
  case let fault as QueryFault: .invalidQuery(fault)
  case let fault as AccessFault: problem(for: fault)
  case let error as OperationError: problem(for: error)
  default: .internalError
  }
}

private func problem(for fault: AccessFault) -> Problem {
  switch fault {
  case .fromElsewhere:
    Problem(
      status: 403, code: "other_site", detail: "a page of another site may have had this sent")
  case .administratorNeeded:
    Problem(status: 403, code: "administrator_needed", detail: "only administrators may")
  case .sessionNeeded:
    Problem(status: 403, code: "session_needed", detail: "a token has no account: log in")
  }
}

private func problem(for error: OperationError) -> Problem {
  switch error {
  case .unauthorized: .unauthorized
  case .unavailable: .unavailable
  case .outcomeUnknown: .outcomeUnknown
  case .notFound(let what): .notFound("there is no \(what)")
  // Bounds that are not a single field's: a body's fields are read within those that hold for each.
  case .invalid(let what, _): Problem(status: 422, code: "invalid_request", detail: what)
  // None of these is an answer to a reading request.
  case .conflict, .attemptReused, .broken: .internalError
  }
}

/// What the log should know of `error`; `nil` where only the client is at fault.
func failure(behind error: any Error) -> String? {
  switch error {
  case is JSONSyntaxError, is BodyFault, is QueryFault, is AccessFault: nil
  case let error as OperationError:
    switch error {
    case .unavailable(let detail): "unavailable: \(detail)"
    case .outcomeUnknown: "outcome unknown"
    case .broken(let detail), .conflict(let detail): "broken: \(detail)"
    case .attemptReused: "broken: a manager's request was taken for a tap"
    case .unauthorized, .notFound, .invalid: nil
    }
  // Its text might hold anything.
  default: "unexpected \(type(of: error))"
  }
}
