import HTTPAPI
import HTTPServing
import JSONText
import ManagerOperations
import OperationCore
import ReadModels
import ShiftDomain

/// Every response to managers, in one place.
enum ManagerStatus {
  /// A response that no cache may store and no page of another site may read.
  static func `private`(_ response: HTTPResponse) -> HTTPResponse {
    var response = response
    if response.headers["Cache-Control"] == nil { response.headers["Cache-Control"] = "no-store" }
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    return response
  }

  static func board(_ board: Board) -> HTTPResponse { .object(board.json) }

  static func coverage(_ coverage: ShiftCoverage) -> HTTPResponse { .object(JSONObject(coverage)) }

  /// The same story that the employee reads, with their name.
  static func shift(_ details: ShiftDetails) -> HTTPResponse {
    .object(
      JSONObject(details).adding(["name": .string(details.row.name)]),
      headers: HTTPHeaders(tag: details.row.tag))
  }

  static func policies(_ rows: [PolicyRow], of team: TeamID) -> HTTPResponse {
    var answer = HTTPResponse.object([
      "team": JSONValue(team.rawValue), "policies": JSONValue(rows) { $0.json },
    ])
    if let row = rows.first(where: \.isInForce) { answer.headers["ETag"] = "\"\(row.tag)\"" }
    return answer
  }

  static func policy(_ row: PolicyRow, status: Int = 200) -> HTTPResponse {
    .object(
      row.json, status: status,
      headers: HTTPHeaders(tag: row.tag, location: status == 201 ? row.path : nil))
  }

  static func answer(to outcome: PolicyOutcome) -> HTTPResponse {
    switch outcome {
    case .made(let row): policy(row, status: 201)
    case .unchanged(let row): policy(row)
    case .changedMeanwhile(let row):
      Problem.changedMeanwhile(["policy": .object(row.json)], tag: row.tag).response()
    }
  }
}

/// The problem that a manager receives for `error`.
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
  case .crossSiteRequest:
    Problem(status: 403, code: "cross_site_request", detail: "cross-site request refused")
  case .administratorRequired:
    Problem(status: 403, code: "administrator_required", detail: "an administrator is required")
  case .sessionRequired:
    Problem(
      status: 403, code: "session_required",
      detail: "log in: a token is not enough for this request")
  }
}

private func problem(for error: OperationError) -> Problem {
  switch error {
  case .unauthorized: .unauthorized
  case .unavailable: .unavailable
  case .outcomeUnknown: .outcomeUnknown
  case .notFound(let what): .notFound("\(what) does not exist")
  // Limits across several fields; the limits of a single field are checked when a body is read.
  case .invalid(let what, _): Problem(status: 422, code: "invalid_request", detail: what)
  // None of these can be the answer to a read request.
  case .conflict, .actionIDReused, .broken: .internalError
  }
}

/// The log text for `error`; `nil` for an error of the client.
func failure(behind error: any Error) -> String? {
  switch error {
  case is JSONSyntaxError, is BodyFault, is QueryFault, is AccessFault: nil
  case let error as OperationError:
    switch error {
    case .unavailable(let detail): "unavailable: \(detail)"
    case .outcomeUnknown: "outcome unknown"
    case .broken(let detail), .conflict(let detail): "broken: \(detail)"
    case .actionIDReused: "broken: a manager's request was handled as a clock action"
    case .unauthorized, .notFound, .invalid: nil
    }
  // Its text might contain anything, so only the type is logged.
  default: "unexpected \(type(of: error))"
  }
}
