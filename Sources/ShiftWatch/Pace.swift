/// When a worker looks again. Pure: chance comes in as an argument.
struct Pace {
  private let interval: Duration
  private let pauseMax: Duration
  private var failures = 0

  /// - Parameters:
  ///   - interval: From one look to the next while all is well, about.
  ///   - pauseMax: However long the database is away, it is asked this often.
  init(_ interval: Duration, pauseMax: Duration = .seconds(5)) {
    self.interval = interval
    self.pauseMax = pauseMax
  }

  /// The pause after a look. A quarter more or less, so that instances do not stay in step; doubled
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
