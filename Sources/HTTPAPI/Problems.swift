import HTTPServing
import JSONText
import Lifecycle
import OperationCore

// The problems of both APIs.

/// An error of the client that is a problem by itself.
package protocol RequestFault: Error {
  var problem: Problem { get }
}

extension Problem {
  /// The problem that a client receives for `error`.
  package init(for error: any Error) {
    if let refusal = Refusal(error) {
      self = refusal.problem
      return
    }
    self =
      switch error {
      case let fault as any RequestFault: fault.problem
      case OperationError.unauthorized: .unauthorized
      case OperationError.unavailable: .unavailable
      case OperationError.outcomeUnknown: .outcomeUnknown
      case OperationError.actionIDReused:
        .conflict("action_id_reused", "this `actionId` was already used with another body")
      case OperationError.tooManyWaiting: .tooManyWaiting
      case OperationError.invalid(let rule, let pointer): BodyFault(at: pointer, rule).problem
      default: .internalError
      }
  }

  fileprivate static func invalid(
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
    status: 401, code: "unauthorized", detail: "a valid token or login is required",
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

  /// The record stays with the phone, which sends the others meanwhile.
  package static let tooManyWaiting = Problem(
    status: 429, code: "too_many_waiting",
    detail: "too many clock actions of this employee wait for a review; send it again in a day",
    headers: ["Retry-After": "86400"])

  /// Our bug.
  package static let internalError = Problem(status: 500, code: "internal_error")

  package func adding(_ members: JSONObject) -> Problem {
    var problem = self
    problem.extensions = JSONObject(extensions.members + members.members)
    return problem
  }
}

extension Refusal: RequestFault {
  /// The problem without the subject, whose JSON each API knows.
  package var problem: Problem {
    switch kind {
    case .invalid(at: let pointer?), .unknown(at: let pointer):
      .invalid(422, code, BodyFault(at: pointer, sentence), detail: sentence)
    case .invalid(at: nil): Problem(status: 422, code: code, detail: sentence)
    case .notFound: .notFound(code: code, sentence)
    case .conflict: .conflict(code, sentence)
    case .changed: Problem(status: 412, code: code, detail: sentence)
    case .forbidden: Problem(status: 403, code: code, detail: sentence)
    case .loginRefused:
      Problem(
        status: 401, code: code, detail: sentence, headers: ["WWW-Authenticate": "Bearer"])
    case .throttled(let wait):
      Problem(
        status: 429, code: code, detail: sentence,
        headers: ["Retry-After": String(wait.roundedUpSeconds)])
    }
  }
}

extension JSONSyntaxError: RequestFault {
  package var problem: Problem {
    .invalid(
      400, "malformed_json", BodyFault(at: pointer, detail),
      detail: "\(detail), at byte \(offset)")
  }
}

/// A field of the body is missing, of another type or out of range.
extension BodyFault: RequestFault {
  package var problem: Problem {
    let place = pointer.isEmpty ? "the body" : "`\(pointer)`"
    return .invalid(422, "invalid_body", self, detail: "\(place) \(detail)")
  }
}

extension QueryFault: RequestFault {
  package var problem: Problem {
    Problem(status: 422, code: "invalid_query", detail: "`\(name)` \(detail)")
  }
}

extension GateBusy: RequestFault {
  package var problem: Problem {
    let standing = place.map { "this one is number \($0) in line" } ?? "the line is full"
    return Problem(
      status: 503, code: "overloaded", detail: "other large reports are being read; \(standing)",
      headers: ["Retry-After": String(Self.retryAfterSeconds)])
  }

  /// Shorter than a place in the line is kept.
  package static let retryAfterSeconds = 3
}

extension RouteObserver {
  /// The problem that a client receives for `error`, which is reported if it is not the client's.
  package func problem(for error: any Error) -> Problem {
    let problem = Problem(for: error)
    if problem.status >= 500, !(error is GateBusy) { report(error) }
    return problem
  }

  /// Reports a failure of ours.
  package func report(_ error: any Error) {
    switch error {
    // The client has left, or was answered at the deadline.
    case OperationError.unavailable where Task.isCancelled: break
    case OperationError.unavailable(let detail): failed("unavailable: \(detail)")
    case OperationError.outcomeUnknown: failed("outcome unknown")
    case OperationError.broken(let detail): failed("broken: \(detail)")
    case OperationError.conflict(let constraint):
      failed("broken: \(constraint) refused every attempt")
    case let error as OperationError: failed("broken: \(error)")
    // Its text might contain anything, so only the type is logged.
    default: failed("unexpected \(type(of: error))")
    }
  }
}

extension HTTPResponse {
  package static func object(
    _ object: JSONObject, status: Int = 200, headers: HTTPHeaders = [:]
  ) -> HTTPResponse {
    json(JSONValue.object(object).bytes, status: status, headers: headers)
  }
}
