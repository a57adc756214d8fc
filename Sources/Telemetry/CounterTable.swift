public import ShiftDomain

/// One counter for each pair of two labels' values, all of them there from the start: Prometheus
/// does not see an increase from nothing.
public struct CounterTable<First: Coded, Second: Coded>: Sendable {
  private let counters: [First: [Second: Counter]]

  /// `labels` are the names for the codes of `First` and `Second`.
  public init(
    _ name: String, _ help: String, labels: (first: String, second: String), _ metrics: Metrics
  ) {
    var counters: [First: [Second: Counter]] = [:]
    for first in First.allCases {
      for second in Second.allCases {
        counters[first, default: [:]][second] = metrics.counter(
          name, help, [labels.first: first.code, labels.second: second.code])
      }
    }
    self.counters = counters
  }

  public func add(_ first: First, _ second: Second) { counters[first]?[second]?.add() }
}
