/// Counts of latencies from 1 µs to an hour with a precision of 1/32: 32 buckets of equal width for
/// each doubling. The size is bounded, and two histograms can be added.
package struct LatencyHistogram: Sendable, Equatable {
  private static let bucketsOfDoubling = 32
  private static let microsecondsMax: Int64 = 3_600_000_000

  private var counts: [Int] = []
  /// The number of recorded latencies.
  package private(set) var count = 0
  /// The longest recorded latency, exactly; zero when there is none.
  package private(set) var longest: Duration = .zero

  /// Creates an empty histogram.
  package init() {}

  /// Records a latency; below 1 µs it counts as 1 µs, above an hour as an hour.
  package mutating func record(_ latency: Duration) {
    let bucket = Self.bucket(of: latency.inMicroseconds)
    if bucket >= counts.count {
      counts += Array(repeating: 0, count: bucket + 1 - counts.count)
    }
    counts[bucket] += 1
    count += 1
    longest = max(longest, latency)
  }

  /// Adds all latencies of `other`.
  package mutating func add(_ other: LatencyHistogram) {
    if other.counts.count > counts.count {
      counts += Array(repeating: 0, count: other.counts.count - counts.count)
    }
    for (bucket, more) in other.counts.enumerated() { counts[bucket] += more }
    count += other.count
    longest = max(longest, other.longest)
  }

  /// The latency that a share (0…1) of all latencies does not exceed: the upper bound of its
  /// bucket, at most the longest. `nil` when nothing was recorded.
  package func percentile(_ share: Double) -> Duration? {
    guard count > 0 else { return nil }
    let rank = max(1, Int((share * Double(count)).rounded(.up)))
    var below = 0
    for (bucket, occurrences) in counts.enumerated() {
      below += occurrences
      if below >= rank { return min(.microseconds(Self.upperBound(of: bucket)), longest) }
    }
    return longest
  }

  /// Below 64 every microsecond has a bucket; above, the leading six bits decide.
  private static func bucket(of microseconds: Int64) -> Int {
    let value = Int(min(max(microseconds, 1), microsecondsMax))
    let doublings = max(0, Int.bitWidth - 6 - value.leadingZeroBitCount)
    return doublings * bucketsOfDoubling + value >> doublings
  }

  /// The largest whole number of microseconds in the bucket.
  private static func upperBound(of bucket: Int) -> Int64 {
    let doublings = max(0, bucket / bucketsOfDoubling - 1)
    let leading = bucket - doublings * bucketsOfDoubling
    return Int64((leading + 1) << doublings - 1)
  }
}

extension Duration {
  /// Whole microseconds, rounded down.
  var inMicroseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }

  /// The duration in milliseconds.
  var inMilliseconds: Double { Double(inMicroseconds) / 1_000 }
}
