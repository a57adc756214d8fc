import Lifecycle
import NotificationSending
import ShiftDomain

/// Keeps messages from a transport that fails them all: they wait, and none is tried in vain. Pure.
struct Breaker {
  private static let failuresMax = 5
  private static let firstPause: Duration = .seconds(30)
  private static let pauseMax: Duration = .seconds(600)

  private var failures = 0
  private var pauses = 0
  private var opensAt: ContinuousClock.Instant?

  /// For how long nothing is to be sent; `nil` when something may be. After a pause one try that
  /// fails begins the next one, twice as long.
  func held(at now: ContinuousClock.Instant) -> Duration? {
    guard let opensAt, opensAt > now else { return nil }
    return opensAt - now
  }

  /// Takes in what became of a try.
  mutating func note(_ outcome: SendOutcome, on channel: Channel, at now: ContinuousClock.Instant) {
    switch outcome {
    case .accepted, .addressGone, .refused: self = Breaker()
    // Every team's program is another peer: one that is away says nothing of the others.
    case .retry where channel == .webhook, .unknown where channel == .webhook: break
    case .retry, .unknown:
      failures += 1
      if failures >= Self.failuresMax { pause(at: now) }
    case .misconfigured: pause(at: now)
    }
  }

  private mutating func pause(at now: ContinuousClock.Instant) {
    // Those that were under way when it began are the same failure.
    guard held(at: now) == nil else { return }
    opensAt = now + min(Self.firstPause * (1 << min(pauses, 10)), Self.pauseMax)
    pauses += 1
  }
}

/// The breakers of all transports of an instance.
final class Breakers: Sendable {
  private let breakers = Lock<[Channel: Breaker]>([:])

  /// The transports that are not to be used, and for how long.
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
