import Lifecycle
import ShiftDomain

/// A token that we sign ourselves, shared by all senders. The first one signs, which is fast.
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
  /// A larger difference between time of day and uptime is a jump: the token's age is wrong.
  private static let driftMax = TimeSpan.seconds(60)

  /// - Parameter sign: Creates a token with this time.
  init(clock: SendingClock, sign: @escaping @Sendable (Instant) -> String) {
    self.clock = clock
    self.sign = sign
  }

  var text: String { token(insteadOf: nil) }

  /// Another token than `refused`, or the same if it is too new to be the cause.
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
  func isWithin(_ bound: TimeSpan) -> Bool {
    (-bound.milliseconds...bound.milliseconds).contains(milliseconds)
  }
}
