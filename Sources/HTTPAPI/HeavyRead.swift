import HTTPServing
import Lifecycle
import ManagerOperations

/// What a request costs.
package enum Cost: Hashable, Sendable {
  /// Bounded by what one employee, one shift or one page of a list has.
  case light
  /// Computes over many shifts, or sends much: such requests pass the gate of heavy reads, one of
  /// an account at a time, and run on their thread.
  case heavy

  /// How long such a request may take; a heavy one waits and computes at a low share.
  package func deadline(_ usual: Duration) -> Duration {
    self == .heavy ? max(usual, .seconds(90)) : usual
  }
}

extension HeavyReads {
  /// Runs a read at its cost.
  /// - Parameter patience: How long it waits for its turn.
  /// - Returns: The answer; and its place, to be held until the answer is sent; `nil`: it needs
  ///   none.
  /// - Throws: `GateBusy`; what `read` throws.
  package func run<Answer: Sendable>(
    _ request: HTTPRequest, at cost: Cost, for principal: Principal, patience: Duration,
    _ read: () async throws -> Answer
  ) async throws -> (answer: Answer, place: Place?) {
    guard cost == .heavy else { return (try await read(), nil) }
    let place = try await gate.enter(
      principal.reader, for: request.subject, patience: patience)
    return (try await withTaskExecutorPreference(thread) { try await read() }, place)
  }

  /// The response, which holds `place` until it is sent and makes its pieces on the quiet thread.
  /// It is cut if that takes too long: others wait for the place.
  package func sending(_ response: HTTPResponse, in place: Place?) -> HTTPResponse {
    guard let place, case .file(let pieces) = response.body else { return response }
    let end = ContinuousClock.now + Self.spanMax
    var response = response
    response.body = .file(
      AsyncThrowingStream { [thread, place] in
        withExtendedLifetime(place) {}
        guard ContinuousClock.now < end else { throw TooSlow() }
        return try await withTaskExecutorPreference(thread) {
          var iterator = pieces.makeAsyncIterator()
          return try await iterator.next()
        }
      })
    return response
  }
}

/// The client takes too long to receive an answer.
private struct TooSlow: Error {}

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

extension HTTPRequest {
  /// What is asked for: who asks again has kept their place in the line.
  fileprivate var subject: String {
    "\(method.rawValue) \(path)?" + query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  }
}
