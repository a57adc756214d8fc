internal import Cryptography
internal import HTTPSending
internal import JSONText
internal import Lifecycle
internal import ShiftDomain

/// A token that the provider lends us for a signed request, shared by all who send: one asks, the
/// others wait for what comes.
final class AccessToken: Sendable {
  /// A token, or why there is none.
  enum Answer: Hashable {
    case token(String)
    case none(SendOutcome)
  }

  private struct Held {
    var answer: Answer
    /// By uptime.
    var askedAt: Duration
    var until: Duration
  }

  private let clock: SendingClock
  private let ask: @Sendable () async -> (answer: Answer, life: Duration)
  private let first = FirstAlone()
  private let held = Lock<Held?>(nil)

  /// How long before its end a token is no longer taken.
  private static let margin = Duration.seconds(300)
  /// How long an answer without a token is taken for the answer, so that not everybody asks again.
  private static let pause = Duration.seconds(5)
  /// No provider wants to be asked more often for another token than one that was not liked.
  private static let ageMin = Duration.seconds(60)

  /// - Parameter ask: Asks the provider; says for how long the token is good.
  init(
    clock: SendingClock,
    ask: @escaping @Sendable () async -> (answer: Answer, life: Duration)
  ) {
    self.clock = clock
    self.ask = ask
  }

  /// The token to show, or another one than `refused`, which the provider did not take, unless that
  /// is too young to be replaced.
  func answer(insteadOf refused: String? = nil) async -> Answer {
    if let answer = current(insteadOf: refused) { return answer }
    if await first.goesAhead() {
      defer { first.isBack() }
      // Whoever went ahead of us may have come back just before we came.
      if let answer = current(insteadOf: refused) { return answer }
      let (answer, life) = await ask()
      let now = clock.uptime()
      let good = if case .token = answer { max(life - Self.margin, life / 2) } else { Self.pause }
      held.withLock { $0 = Held(answer: answer, askedAt: now, until: now + good) }
      return answer
    }
    return held.withLock { $0?.answer } ?? .none(.unknown(reason: "no access token"))
  }

  private func current(insteadOf refused: String?) -> Answer? {
    let now = clock.uptime()
    return held.withLock { held in
      guard let held, now < held.until else { return nil }
      let isRefused = refused.map { held.answer == .token($0) } ?? false
      return isRefused && now - held.askedAt >= Self.ageMin ? nil : held.answer
    }
  }
}
