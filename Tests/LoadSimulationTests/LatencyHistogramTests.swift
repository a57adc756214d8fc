import Testing

@testable import LoadSimulation

@Suite("Latency histogram") struct LatencyHistogramTests {
  @Test("a percentile is at most 1/32 above the true value, and never below it")
  func exactness() throws {
    // Every magnitude, and both sides of every doubling.
    let values = (0...31).flatMap { doubling in
      [-1, 0, 1].map { max(1, Int64(1) << doubling + $0) }
    }.sorted()
    for value in values {
      var histogram = LatencyHistogram()
      histogram.record(.microseconds(value))
      histogram.record(.seconds(3_600))
      let told = try #require(histogram.percentile(0.5))
      #expect(told >= .microseconds(value))
      #expect(told.inMicroseconds - value <= value / 32, "\(value) became \(told)")
    }
  }

  @Test("percentiles are those of the sorted list") func percentiles() {
    var histogram = LatencyHistogram()
    for number in (1...1_000).reversed() { histogram.record(.milliseconds(number)) }
    for (share, rank) in [(0.0, 1), (0.5, 500), (0.99, 990), (0.999, 999), (1, 1_000)] {
      let told = histogram.percentile(share)?.inMilliseconds ?? 0
      #expect((Double(rank)...(Double(rank) * 33 / 32 + 0.001)).contains(told), "\(share)")
    }
    #expect(histogram.percentile(1) == .milliseconds(1_000))
    #expect(histogram.longest == .milliseconds(1_000))
  }

  @Test("the sum of two equals one that recorded everything") func sum() {
    var (left, right, whole) = (LatencyHistogram(), LatencyHistogram(), LatencyHistogram())
    for number in 1...500 {
      let latency = Duration.microseconds(number * number)
      number.isMultiple(of: 3) ? left.record(latency) : right.record(latency)
      whole.record(latency)
    }
    left.add(right)
    #expect(left == whole)
  }

  @Test("latencies out of range still count, and an empty histogram has no percentile")
  func limits() {
    var histogram = LatencyHistogram()
    #expect(histogram.percentile(0.5) == nil)
    for latency: Duration in [.zero, .seconds(-1), .seconds(100_000)] { histogram.record(latency) }
    #expect(histogram.count == 3)
    #expect(histogram.percentile(0.5) == .microseconds(1))
    #expect(histogram.longest == .seconds(100_000))
  }
}
