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

  /// Whether the last attempt failed through the channel's fault.
  private(set) var isFailing = false

  /// The same without a pause. It still counts as failing until an attempt succeeds.
  var released: Breaker {
    var breaker = Breaker()
    breaker.isFailing = isFailing
    return breaker
  }

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
    case .retry, .unknown:
      guard !channel.hasOwnReceivers else { return }
      isFailing = true
      failures += 1
      if failures >= Self.failuresMax { pause(at: now) }
    case .misconfigured:
      isFailing = true
      pause(at: now)
    }
  }

  private mutating func pause(at now: ContinuousClock.Instant) {
    // Attempts in progress at its start are the same failure.
    guard held(at: now) == nil else { return }
    pausedUntil = now + min(Self.firstPause * (1 << min(pauses, 10)), Self.pauseMax)
    pauses += 1
  }
}

/// What an outcome means for the channel.
enum ChannelChange: Equatable {
  case failing
  case working
}

/// The circuit breakers of all channels of an instance.
final class Breakers: Sendable {
  private let breakers = Lock<[Channel: Breaker]>([:])

  /// The channels that must not be used, and for how long.
  func held() -> [Channel: TimeSpan] {
    let now = ContinuousClock.now
    return breakers.withLock { breakers in
      breakers.compactMapValues { $0.held(at: now).map { TimeSpan(roundingUp: $0) } }
    }
  }

  /// - Returns: Whether the channel has begun to fail, or to work again; `nil`: neither.
  func note(_ outcome: SendOutcome, on channel: Channel) -> ChannelChange? {
    breakers.withLock { breakers in
      var breaker = breakers[channel] ?? Breaker()
      let wasFailing = breaker.isFailing
      breaker.note(outcome, on: channel, at: .now)
      breakers[channel] = breaker
      guard breaker.isFailing != wasFailing else { return nil }
      return breaker.isFailing ? .failing : .working
    }
  }

  /// Lets every channel be used at once, after its settings have changed.
  func release() {
    breakers.withLock { $0 = $0.mapValues { $0.released } }
  }
}

extension TimeSpan {
  /// In whole milliseconds.
  init(roundingUp duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self =
      .seconds(seconds) + .milliseconds((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
