/// A channel's back-off between attempts.
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

  private init(
    _ delays: [Duration], chance: Double, delayMax: Duration, attemptsMax: Int? = nil
  ) {
    self.delays = delays
    self.chance = chance
    self.delayMax = delayMax
    self.attemptsMax = attemptsMax
  }

  /// Doubling each time, until `longest`.
  private static func doubling(_ first: Duration, _ longest: Duration) -> [Duration] {
    var delays = [first]
    while let last = delays.last, last < longest { delays.append(min(last * 2, longest)) }
    return delays
  }

  /// For Apple: after lost connections. Apple's responses contain their own delay.
  package static let apns = RetryCurve(
    doubling(.seconds(1), .seconds(60)), chance: 1, delayMax: .seconds(3_600))
  package static let fcm = RetryCurve(
    doubling(.seconds(10), .seconds(3_600)), chance: 0.5, delayMax: .seconds(3_600))
  package static let webPush = RetryCurve(
    doubling(.seconds(30), .seconds(3_600)), chance: 0.5, delayMax: .seconds(3_600))
  /// From Standard Webhooks, over three days.
  package static let webhook = RetryCurve(
    [.seconds(5), .seconds(300), .seconds(1_800)]
      + [2, 5, 10, 14, 20, 24].map { .seconds($0 * 3_600) },
    chance: 0.2, delayMax: .seconds(24 * 3_600), attemptsMax: 10)
  /// For mail servers: short enough for an alert, but longer than most greylisting.
  package static let mail = RetryCurve(
    doubling(.seconds(300), .seconds(3_600)), chance: 0.2, delayMax: .seconds(3_600))

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
