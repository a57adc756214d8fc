/// When a worker polls again. Pure: the random value is an argument.
struct Pace {
  private let interval: Duration
  private let pauseMax: Duration
  private var failures = 0

  /// - Parameters:
  ///   - interval: The normal interval between polls, approximately.
  ///   - pauseMax: The longest pause while the database is away.
  init(_ interval: Duration, pauseMax: Duration = .seconds(5)) {
    self.interval = interval
    self.pauseMax = pauseMax
  }

  /// The pause after a poll. A quarter more or less, so that instances do not stay in step; doubled
  /// with each failure in a row.
  /// - Parameter chance: 0…1.
  mutating func pause(afterSuccess: Bool, chance: Double) -> Duration {
    let jitter = 0.75 + chance / 2
    guard !afterSuccess else {
      failures = 0
      return interval * jitter
    }
    failures = min(failures + 1, 10)
    return min(interval * Double(1 << failures), max(pauseMax, interval)) * jitter
  }
}
