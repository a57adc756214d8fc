internal import Lifecycle
internal import ShiftDomain

/// A token that we sign ourselves and show with many messages, shared by all who send. Signing
/// needs no waiting: whoever comes first signs, and the others have it.
final class ProviderToken: Sendable {
  private struct Held {
    var text: String
    var signedAt: Instant
    var uptime: Duration
  }

  private let clock: SendingClock
  private let sign: @Sendable (Instant) -> String
  private let held = Lock<Held?>(nil)

  /// Apple refuses tokens of an hour and more.
  private static let ageMax = Duration.seconds(50 * 60)
  /// Apple refuses connections new tokens more often than this.
  private static let ageMin = Duration.seconds(20 * 60)
  /// What the time of day may lose or gain on the uptime before it counts as a jump: then what the
  /// token says of its own age is wrong.
  private static let driftMax = TimeSpan.seconds(60)

  /// - Parameter sign: Makes a token of this moment.
  init(clock: SendingClock, sign: @escaping @Sendable (Instant) -> String) {
    self.clock = clock
    self.sign = sign
  }

  /// The token to show.
  var text: String { token(insteadOf: nil) }

  /// Another token than `refused`, which the provider did not take, or the same where it is too
  /// young to be replaced: then it is not the token that is at fault.
  func token(insteadOf refused: String?) -> String {
    let (now, uptime) = (clock.now(), clock.uptime())
    return held.withLock { held in
      if let token = held {
        let age = uptime - token.uptime
        let drift = (now - token.signedAt) - TimeSpan(age)
        let isOld = age > Self.ageMax || token.text == refused || !drift.isWithin(Self.driftMax)
        guard isOld, age >= Self.ageMin else { return token.text }
      }
      let text = sign(now)
      held = Held(text: text, signedAt: now, uptime: uptime)
      return text
    }
  }
}

extension TimeSpan {
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self = .seconds(seconds) + .milliseconds(attoseconds / 1_000_000_000_000_000)
  }

  func isWithin(_ bound: TimeSpan) -> Bool {
    (-bound.milliseconds...bound.milliseconds).contains(milliseconds)
  }
}
