public import ShiftDomain

/// How far a phone's clock can be trusted.
public enum ClockTrust: UInt8, Coded {
  /// Within a minute of ours.
  case good = 0
  /// More than a minute off: corrected, marked, and the response tells the phone.
  case skewed = 1
  /// More than ten minutes off: corrected, and a finding.
  case wrong = 2
  /// The phone sent no `sentAt` and its record is ahead of the receipt, which is used instead.
  case assumed = 3

  public var code: String {
    switch self {
    case .good: "good"
    case .skewed: "skewed"
    case .wrong: "wrong"
    case .assumed: "assumed"
    }
  }
}

/// The time of an event on a phone, by the server's clock.
public struct EffectiveTime: Hashable, Sendable {
  public var instant: Instant
  /// Receipt minus `sentAt`; `nil` without a `sentAt`.
  public var skew: TimeSpan?
  public var trust: ClockTrust
}

/// A record without `sentAt` keeps its own time if that is at most this far ahead of the receipt.
public let unsentLeadMax = TimeSpan.seconds(60)

/// An older record is never current: a ping is refused as too late, a report goes to history.
public let recordAgeMax = TimeSpan.hours(7 * 24)
/// A clock action that is older when it is sent was made offline.
public let onlineAgeMax = TimeSpan.seconds(60)

extension Instant {
  /// Satellites count the weeks up to 1,024: some receivers then date fixes that far back.
  private static let weekRollover = TimeSpan.hours(1_024 * 7 * 24)

  /// The time of a fix, moved by 1,024 weeks if it lies that long before its message, give or take
  /// a week.
  public func withoutWeekRollover(writtenAt: Instant) -> Instant {
    let moved = self + Self.weekRollover
    let age = writtenAt - moved
    return age >= .zero - recordAgeMax && age <= recordAgeMax ? moved : self
  }
}

/// Converts a phone's time to the server's clock: receipt minus age by the phone's own clock. So a
/// phone in 2001 or next year is corrected, not refused.
public func effectiveTime(recordedAt: Instant, sentAt: Instant?, receivedAt: Instant)
  -> EffectiveTime
{
  guard let sentAt else {
    let isBelievable = recordedAt - receivedAt <= unsentLeadMax
    return EffectiveTime(
      instant: isBelievable ? recordedAt : receivedAt, skew: nil,
      trust: isBelievable ? .good : .assumed)
  }
  let age = max(sentAt - recordedAt, .zero)
  let skew = receivedAt - sentAt
  let error = max(skew, .zero - skew)
  let trust: ClockTrust =
    error > clockErrorMax ? .wrong : error > .seconds(60) ? .skewed : .good
  return EffectiveTime(instant: receivedAt - age, skew: skew, trust: trust)
}
