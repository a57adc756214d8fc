import APIMessages
import HTTPServing
import JSONText
import ShiftDomain
import ShiftOperations

/// Every status that a manager can be answered, in one place.
enum ManagerStatus {
  static func board(_ lines: [BoardLine], asOf: Instant) -> HTTPResponse {
    .object(["asOf": JSONValue(asOf), "employees": JSONValue(lines) { $0.message }])
  }

  static func coverage(_ coverage: ShiftCoverage) -> HTTPResponse { .object(coverage.message) }
}

/// The problem that `error` is to the manager.
func problem(for error: any Error) -> Problem {
  guard let error = error as? OperationError else { return .internalError }
  return switch error {
  case .unauthorized: .unauthorized
  case .unavailable: .unavailable
  case .outcomeUnknown: .outcomeUnknown
  case .notFound: .notFound("there is no such thing")
  // None of these is an answer to a reading request.
  case .conflict, .invalid, .attemptReused, .broken: .internalError
  }
}

/// What the log should know of `error`; `nil` where only the client is at fault.
func failure(behind error: any Error) -> String? {
  // Another error's text might hold anything.
  guard let error = error as? OperationError else { return "unexpected \(type(of: error))" }
  return switch error {
  case .unavailable(let detail): "unavailable: \(detail)"
  case .outcomeUnknown: "outcome unknown"
  case .broken(let detail), .conflict(let detail), .invalid(let detail): "broken: \(detail)"
  case .attemptReused: "broken: a reading request was taken for a tap"
  case .unauthorized, .notFound: nil
  }
}
