import Lifecycle

/// The results of all phones so far.
package struct LoadTally: Sendable {
  /// Pings that the server acknowledged.
  package var pingsAcknowledged = 0
  /// Pings that the server refused.
  package var pingsRefused = 0
  /// Reports that the server acknowledged.
  package var reportsAcknowledged = 0
  /// Retries after a lost connection, a missing response or 503.
  package var retries = 0
  /// Requests that never got a response.
  package var unanswered = 0
  /// Unexpected responses by status; 0: an unreadable response.
  package var unexpected: [Int: Int] = [:]
  /// Time from an upload's first try to its response, including retries and pauses.
  package var uploads = LatencyHistogram()
  /// The same for reports.
  package var reports = LatencyHistogram()
  /// Time from a report's last byte to COMMIT of its incident, measured by the server.
  package var detections = LatencyHistogram()

  init() {}
}

/// A tally that many tasks update.
final class SharedTally: Sendable {
  private let tally = Lock(LoadTally())

  var now: LoadTally { tally.withLock { $0 } }

  func note(_ change: (inout LoadTally) -> Void) { tally.withLock { change(&$0) } }
}
