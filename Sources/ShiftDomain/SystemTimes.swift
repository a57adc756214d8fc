// The types of the system, such as `Date(timeIntervalSince1970: at.secondsSince1970)`.

extension Instant: CustomStringConvertible {
  /// What is no time, or out of range, is clamped.
  public init(secondsSince1970 seconds: Double) {
    let milliseconds = (seconds * 1_000).rounded()
    self.init(milliseconds: Int64(exactly: milliseconds) ?? (milliseconds > 0 ? .max : .min))
  }

  public var secondsSince1970: Double { Double(milliseconds) / 1_000 }

  public var description: String { rfc3339 }
}

extension TimeSpan: CustomStringConvertible {
  /// Whole milliseconds; what is out of range is clamped.
  public init(_ duration: Duration) {
    let (seconds, rest) = duration.components
    self = .seconds(seconds) + .milliseconds(rest / 1_000_000_000_000_000)
  }

  public var duration: Duration { .milliseconds(milliseconds) }

  public var description: String { "\(duration)" }
}
