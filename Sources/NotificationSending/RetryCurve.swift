/// A channel's back-off between attempts; each channel has its own `retryCurve`.
package struct RetryCurve: Hashable, Sendable {
  /// After the first attempt, the second and so on; the last one repeats. Never empty.
  package let delays: [Duration]
  /// The random part of a delay, so that notifications that failed together are not retried
  /// together: 0 to 1. With 1, an attempt may follow at once.
  package let chance: Double
  /// The longest delay, whatever the other side asks for.
  package let delayMax: Duration
  /// The maximum number of attempts; `nil` for as many as possible before expiry.
  package let attemptsMax: Int?

  init(
    _ delays: [Duration], chance: Double, delayMax: Duration, attemptsMax: Int? = nil
  ) {
    self.delays = delays
    self.chance = chance
    self.delayMax = delayMax
    self.attemptsMax = attemptsMax
  }

  /// Doubling each time, until `longest`.
  static func doubling(_ first: Duration, _ longest: Duration) -> [Duration] {
    var delays = [first]
    while let last = delays.last, last < longest { delays.append(min(last * 2, longest)) }
    return delays
  }

  /// How long to wait before the next attempt, after `attempt` attempts. `retryAfter`, the delay of
  /// ``SendOutcome/retry(reason:after:)``, is a minimum, within bounds; `random` is in 0..<1.
  package func delay(attempt: Int, retryAfter: Duration?, random: Double) -> Duration {
    let delay = delays[min(max(attempt, 1), delays.count) - 1] * (1 - chance * random)
    guard let retryAfter else { return delay }
    // Not before the requested time; senders with the same delay are spread after it.
    let asked = max(retryAfter, .zero) * (1 + 0.2 * random)
    // With a limited number of attempts, not before our own delay either: a repeated "in a second"
    // would use up all attempts at once.
    return min(attemptsMax == nil ? asked : max(delay, asked), delayMax)
  }
}
