internal import Lifecycle

/// What all phones together have seen so far.
public struct LoadTally: Sendable {
  /// Pings that the server says it has.
  public var pingsAcknowledged = 0
  /// Pings that the server refused.
  public var pingsRefused = 0
  /// Reports that the server says it has.
  public var reportsAcknowledged = 0
  /// Requests sent again: no connection, no answer, or 503.
  public var retries = 0
  /// Requests that were never answered.
  public var unanswered = 0
  /// Answers that nobody expected, by status; 0: an answer that could not be read.
  public var unexpected: [Int: Int] = [:]
  /// From an upload's first sending to its answer, retries and their pauses included.
  public var uploads = LatencyHistogram()
  /// The same of reports.
  public var reports = LatencyHistogram()
  /// From the last byte of a report to COMMIT of the incident that it opened, as the server says.
  public var detections = LatencyHistogram()

  init() {}
}

/// A tally that many tasks write.
final class SharedTally: Sendable {
  private let tally = Lock(LoadTally())

  var now: LoadTally { tally.withLock { $0 } }

  func note(_ change: (inout LoadTally) -> Void) { tally.withLock { change(&$0) } }
}
