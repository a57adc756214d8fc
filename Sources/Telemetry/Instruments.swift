internal import Lifecycle
internal import Synchronization

/// A counter that only grows, from 0 at the program's start.
public final class Counter: Sendable {
  private let count = Atomic<UInt64>(0)

  public func add(_ amount: UInt64 = 1) { count.wrappingAdd(amount, ordering: .relaxed) }

  public var value: UInt64 { count.load(ordering: .relaxed) }
}

/// A number that can rise and fall; initially 0.
public final class Gauge: Sendable {
  private let number = Lock(0.0)

  public func set(_ value: Double) { number.withLock { $0 = value } }

  public func add(_ amount: Double) { number.withLock { $0 += amount } }

  public var value: Double { number.withLock { $0 } }
}

public final class Histogram: Sendable {
  /// Bounds from 1 ms to 10 s, for requests and other work that somebody waits for.
  public static let seconds = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ]

  public struct Counts: Sendable, Equatable {
    /// Values per bucket, not cumulative. An extra bucket counts those above the last bound.
    public var buckets: [UInt64]
    public var sum: Double
    public var count: UInt64 { buckets.reduce(0, +) }
  }

  /// The buckets' upper bounds, inclusive and ascending.
  public let bounds: [Double]
  private let state: Lock<Counts>

  init(bounds: [Double]) {
    precondition(!bounds.isEmpty && zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 })
    self.bounds = bounds
    state = Lock(Counts(buckets: Array(repeating: 0, count: bounds.count + 1), sum: 0))
  }

  /// Counts `value`; NaN is ignored.
  public func observe(_ value: Double) {
    guard !value.isNaN else { return }
    // A dozen comparisons cost less than a binary search's branches.
    let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
    state.withLock { counts in
      counts.buckets[bucket] += 1
      counts.sum += value
    }
  }

  public func observe(_ span: Duration) {
    let (seconds, attoseconds) = span.components
    observe(Double(seconds) + Double(attoseconds) * 1e-18)
  }

  public var counts: Counts { state.withLock { $0 } }

  /// A bound that the given share (0…1) of the values does not exceed: the upper bound of the
  /// quantile's bucket. Infinite above the last bound; `nil` before the first value.
  public func bound(ofShare share: Double) -> Double? {
    let counts = counts
    guard counts.count > 0 else { return nil }
    let rank = (share * Double(counts.count)).rounded(.up)
    var below: UInt64 = 0
    for (bucket, bound) in zip(counts.buckets, bounds) {
      below += bucket
      if Double(below) >= rank { return bound }
    }
    return .infinity
  }
}
