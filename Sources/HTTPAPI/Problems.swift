import HTTPServing
import JSONText

// Problems that both APIs use.

extension Problem {
  package static func malformed(_ error: JSONSyntaxError) -> Problem {
    invalid(
      400, "malformed_json", BodyFault(at: error.pointer, error.detail),
      detail: "\(error.detail), at byte \(error.offset)")
  }

  package static func invalidBody(_ fault: BodyFault) -> Problem {
    let place = fault.pointer.isEmpty ? "the body" : "`\(fault.pointer)`"
    return invalid(422, "invalid_body", fault, detail: "\(place) \(fault.detail)")
  }

  private static func invalid(
    _ status: Int, _ code: String, _ fault: BodyFault, detail: String
  ) -> Problem {
    let errors = JSONValue([fault]) { fault in
      ["pointer": .string(fault.pointer), "detail": .string(fault.detail)]
    }
    return Problem(
      status: status, code: code, detail: detail, extensions: ["errors": errors])
  }

  /// There is no token, or it is unknown, revoked or expired. The answer does not say which.
  package static let unauthorized = Problem(
    status: 401, code: "unauthorized", detail: "a valid bearer token is required",
    headers: ["WWW-Authenticate": "Bearer"])

  package static func notFound(code: String = "not_found", _ detail: String) -> Problem {
    Problem(status: 404, code: code, detail: detail)
  }

  package static func conflict(_ code: String, _ detail: String) -> Problem {
    Problem(status: 409, code: code, detail: detail)
  }

  /// Nothing was done; the same request may be sent again.
  package static let unavailable = Problem(
    status: 503, code: "unavailable", detail: "nothing was changed; send the same request again",
    headers: ["Retry-After": "2"])

  /// It is unknown whether the request took effect; the same request may be sent again.
  package static let outcomeUnknown = Problem(
    status: 503, code: "outcome_unknown",
    detail: "the request may have taken effect; send it again, nothing is done twice",
    headers: ["Retry-After": "1"])

  /// Our bug.
  package static let internalError = Problem(status: 500, code: "internal_error")

  package func adding(_ members: JSONObject) -> Problem {
    var problem = self
    problem.extensions = JSONObject(extensions.members + members.members)
    return problem
  }
}

extension HTTPResponse {
  package static func object(
    _ object: JSONObject, status: Int = 200, headers: HTTPHeaders = [:]
  ) -> HTTPResponse {
    json(JSONValue.object(object).bytes, status: status, headers: headers)
  }
}
