import Postgres
import Telemetry

/// Counts and logs round trips to the database that took long. Statements have no values: these are
/// bound.
struct SlowStatements: Sendable {
  private static let lengthMax = 200

  private let counter: Counter
  private let log: Log
  private let limit = LineLimit()

  init(_ metrics: Metrics, _ log: Log) {
    counter = metrics.counter(
      "shiftguard_slow_round_trips_total",
      "Round trips to the database that took longer than --slow-after.")
    self.log = log
  }

  func note(_ roundTrip: SlowRoundTrip) {
    counter.add()
    guard limit.mayLog() else { return }
    log.warning(
      "slow query",
      [
        "milliseconds": roundTrip.span.roundedMilliseconds, "group": roundTrip.applicationName,
        "statements": roundTrip.statements.map(shortened).joined(separator: "; "),
      ])
  }

  /// The beginning, on one line.
  private func shortened(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count <= Self.lengthMax ? line : line.prefix(Self.lengthMax) + "…"
  }
}

extension Duration {
  /// Milliseconds with three decimal places, for log lines.
  var roundedMilliseconds: Double { (self / .microseconds(1)).rounded() / 1_000 }
}
