import Lifecycle
import NotificationSending
import ShiftDomain

/// A circuit breaker: keeps notifications from a channel on which all fail. They wait, without
/// useless attempts. Pure.
struct Breaker {
  private static let failuresMax = 5
  private static let firstPause: Duration = .seconds(30)
  private static let pauseMax: Duration = .seconds(600)

  private var failures = 0
  private var pauses = 0
  private var pausedUntil: ContinuousClock.Instant?

  /// How long the channel must not be used; `nil` if it may be. After a pause, one failing attempt
  /// begins the next pause, twice as long.
  func held(at now: ContinuousClock.Instant) -> Duration? {
    guard let pausedUntil, pausedUntil > now else { return nil }
    return pausedUntil - now
  }

  /// Takes the outcome of an attempt.
  mutating func note(_ outcome: SendOutcome, on channel: Channel, at now: ContinuousClock.Instant) {
    switch outcome {
    case .accepted, .addressGone, .refused: self = Breaker()
    // Every webhook has its own receiver: one that is down says nothing about the others.
    case .retry where channel == .webhook, .unknown where channel == .webhook: break
    case .retry, .unknown:
      failures += 1
      if failures >= Self.failuresMax { pause(at: now) }
    case .misconfigured: pause(at: now)
    }
  }

  private mutating func pause(at now: ContinuousClock.Instant) {
    // Attempts in progress at its start are the same failure.
    guard held(at: now) == nil else { return }
    pausedUntil = now + min(Self.firstPause * (1 << min(pauses, 10)), Self.pauseMax)
    pauses += 1
  }
}

/// The circuit breakers of all channels of an instance.
final class Breakers: Sendable {
  private let breakers = Lock<[Channel: Breaker]>([:])

  /// The channels that must not be used, and for how long.
  func held() -> [Channel: TimeSpan] {
    let now = ContinuousClock.now
    return breakers.withLock { breakers in
      breakers.compactMapValues { $0.held(at: now).map { TimeSpan($0) } }
    }
  }

  func note(_ outcome: SendOutcome, on channel: Channel) {
    breakers.withLock { breakers in
      breakers[channel, default: Breaker()].note(outcome, on: channel, at: .now)
    }
  }
}

extension TimeSpan {
  /// Rounded up to whole milliseconds.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self =
      .seconds(seconds) + .milliseconds((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
