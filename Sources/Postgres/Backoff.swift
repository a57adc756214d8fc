/// Decides when a database that could not be reached is tried again. Pure: time and chance come in
/// as arguments.
struct Backoff {
  static let pauseMin: Duration = .milliseconds(100)
  static let pauseMax: Duration = .seconds(5)

  private var failures = 0
  private var isTrying = false
  private var nextTry: ContinuousClock.Instant?

  /// Whether to connect now. While nothing is known to be wrong anybody may; after a failure one
  /// attempt at a time, once the pause is over. An attempt that may be made must be reported back.
  mutating func mayTry(at now: ContinuousClock.Instant) -> Bool {
    guard let nextTry else { return true }
    guard !isTrying, now >= nextTry else { return false }
    isTrying = true
    return true
  }

  /// The attempt succeeded.
  mutating func succeeded() { self = Backoff() }

  /// The attempt ended without telling anything about the database.
  mutating func gaveUp() { isTrying = false }

  /// The attempt failed. The pause doubles with each failure in a row, and `chance` (0 to 1) takes
  /// up to half of it away, so that instances do not come back in step.
  mutating func failed(at now: ContinuousClock.Instant, chance: Double) {
    // Attempts that began together fail together: they are one failure, not several.
    if let nextTry, now < nextTry, !isTrying { return }
    isTrying = false
    let pause = min(Self.pauseMin * Double(1 << min(failures, 10)), Self.pauseMax)
    failures += 1
    nextTry = now + pause * (1 - chance / 2)
  }
}
