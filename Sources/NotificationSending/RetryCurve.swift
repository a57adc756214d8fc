/// How long a channel waits between tries.
public struct RetryCurve: Hashable, Sendable {
  /// After the first try, the second and so on; the last one stays. Never empty.
  public let delays: [Duration]
  /// The part of a delay that is left to chance, so that messages which failed together do not
  /// return together: 0 to 1. With 1 a try may come at once.
  public let chance: Double
  /// Longest delay, whatever the other side says.
  public let delayMax: Duration
  /// How many tries a message has; `nil` for as many as fit before it expires.
  public let attemptsMax: Int?

  private init(
    _ delays: [Duration], chance: Double, delayMax: Duration, attemptsMax: Int? = nil
  ) {
    self.delays = delays
    self.chance = chance
    self.delayMax = delayMax
    self.attemptsMax = attemptsMax
  }

  /// Twice as long each time, until `longest`.
  private static func doubling(_ first: Duration, _ longest: Duration) -> [Duration] {
    var delays = [first]
    while let last = delays.last, last < longest { delays.append(min(last * 2, longest)) }
    return delays
  }

  /// Apple's: for connections that broke. What Apple answers brings its own delay.
  public static let apns = RetryCurve(
    doubling(.seconds(1), .seconds(60)), chance: 1, delayMax: .seconds(3_600))
  /// Firebase's.
  public static let fcm = RetryCurve(
    doubling(.seconds(10), .seconds(3_600)), chance: 0.5, delayMax: .seconds(3_600))
  /// That of browsers' push services.
  public static let webPush = RetryCurve(
    doubling(.seconds(30), .seconds(3_600)), chance: 0.5, delayMax: .seconds(3_600))
  /// That of the Standard Webhooks, over three days.
  public static let webhook = RetryCurve(
    [.seconds(5), .seconds(300), .seconds(1_800)]
      + [2, 5, 10, 14, 20, 24].map { .seconds($0 * 3_600) },
    chance: 0.2, delayMax: .seconds(24 * 3_600), attemptsMax: 10)
  /// Mail servers': short enough for an alert, and still longer than most greylists want.
  public static let mail = RetryCurve(
    doubling(.seconds(300), .seconds(3_600)), chance: 0.2, delayMax: .seconds(3_600))

  /// How long to wait before the next try.
  /// - Parameters:
  ///   - attempt: How many tries there were: 1 after the first.
  ///   - retryAfter: What ``SendOutcome/retry(reason:after:)`` said: never sooner, within bounds.
  ///   - random: 0 up to, not including, 1.
  public func delay(attempt: Int, retryAfter: Duration?, random: Double) -> Duration {
    let delay = delays[min(max(attempt, 1), delays.count) - 1] * (1 - chance * random)
    guard let retryAfter else { return delay }
    // Not before it was asked for; those who were told the same moment are spread behind it.
    let asked = max(retryAfter, .zero) * (1 + 0.2 * random)
    // Where tries are counted, not before our own time either: who says "in a second" each time
    // would use them all up at once.
    return min(attemptsMax == nil ? asked : max(delay, asked), delayMax)
  }
}
