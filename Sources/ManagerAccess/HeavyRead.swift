import HTTPAPI
import HTTPServing
import Lifecycle
import ManagerCore

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
  /// It is cut if that takes longer than `span`: others wait for the place.
  package func sending(
    _ response: HTTPResponse, in place: Place?, within span: Duration = spanMax
  ) -> HTTPResponse {
    guard let place, case .file(let pieces) = response.body else { return response }
    let end = ContinuousClock.now + span
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

extension HTTPRequest {
  /// What is asked for: who asks again has kept their place in the line.
  fileprivate var subject: String {
    "\(method.rawValue) \(path)?" + query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  }
}
