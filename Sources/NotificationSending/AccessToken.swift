import Cryptography
import HTTPSending
import JSONText
import Lifecycle
import ShiftDomain

/// A token that the provider issues. One sender requests it, the others wait for the result.
final class AccessToken: Sendable {
  enum Answer: Hashable {
    case token(String)
    case none(SendOutcome)
  }

  private struct Held {
    var answer: Answer
    var askedAt: Duration
    var until: Duration
  }

  private let clock: SendingClock
  private let ask: @Sendable () async -> (answer: Answer, life: Duration)
  private let asking = SingleFlight<Bool, Answer, Never>()
  private let held = Lock<Held?>(nil)

  /// How long before its expiry a token is no longer used.
  private static let margin = Duration.seconds(300)
  /// How long a failed request counts as the result, so that not every sender repeats it.
  private static let pause = Duration.seconds(5)
  /// The minimum time between requests for another token after one was refused.
  private static let ageMin = Duration.seconds(60)

  /// - Parameter ask: Requests a token from the provider; returns how long it is valid.
  init(
    clock: SendingClock,
    ask: @escaping @Sendable () async -> (answer: Answer, life: Duration)
  ) {
    self.clock = clock
    self.ask = ask
  }

  /// The current token, or a newer one than `refused`, unless that is too new to be replaced.
  func answer(insteadOf refused: String? = nil) async -> Answer {
    if let answer = current(insteadOf: refused) { return answer }
    return await asking.value {
      // An earlier request may have just finished.
      if let answer = current(insteadOf: refused) { return answer }
      let (answer, life) = await ask()
      let now = clock.uptime()
      let good = if case .token = answer { max(life - Self.margin, life / 2) } else { Self.pause }
      held.withLock { $0 = Held(answer: answer, askedAt: now, until: now + good) }
      return answer
    }
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
