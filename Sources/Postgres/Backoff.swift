/// Decides when to reconnect. Pure: time and random values are arguments.
struct Backoff {
  static let pauseMin: Duration = .milliseconds(100)
  /// Short, because a standby that takes over is found only by trying.
  static let pauseMax: Duration = .seconds(2)

  private var failures = 0
  private var isTrying = false
  private var nextTry: ContinuousClock.Instant?

  /// Whether to connect now. Without a known failure, always; after a failure one attempt at a
  /// time, after the pause. The outcome of an allowed attempt must be reported.
  mutating func mayTry(at now: ContinuousClock.Instant) -> Bool {
    guard let nextTry else { return true }
    guard !isTrying, now >= nextTry else { return false }
    isTrying = true
    return true
  }

  mutating func succeeded() { self = Backoff() }

  /// The attempt ended without information about the database.
  mutating func gaveUp() { isTrying = false }

  /// The attempt failed. The pause doubles with each failure in a row, and `chance` (0 to 1)
  /// shortens it by up to half, so that instances do not reconnect in step.
  mutating func failed(at now: ContinuousClock.Instant, chance: Double) {
    // Concurrent attempts fail together: that is one failure, not several.
    if let nextTry, now < nextTry, !isTrying { return }
    isTrying = false
    let pause = min(Self.pauseMin * Double(1 << min(failures, 10)), Self.pauseMax)
    failures += 1
    nextTry = now + pause * (1 - chance / 2)
  }
}
