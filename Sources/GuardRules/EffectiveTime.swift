public import ShiftDomain

/// How far a phone's clock can be believed.
public enum ClockTrust: UInt8, Coded {
  /// Within a minute of ours.
  case good = 0
  /// More than a minute off: corrected, marked, and the employee is told.
  case skewed = 1
  /// More than ten minutes off: corrected, and a finding.
  case wrong = 2
  /// The phone told no `sentAt` and its record lies ahead of the receipt, which was taken.
  case assumed = 3

  /// Its word in JSON.
  public var code: String {
    switch self {
    case .good: "good"
    case .skewed: "skewed"
    case .wrong: "wrong"
    case .assumed: "assumed"
    }
  }
}

/// When something on a phone happened, by the server's clock.
public struct EffectiveTime: Hashable, Sendable {
  /// When it happened.
  public var instant: Instant
  /// Receipt minus `sentAt`; `nil` without a `sentAt`.
  public var skew: TimeSpan?
  /// How far the phone's clock can be believed.
  public var trust: ClockTrust
}

/// A record from a phone without `sentAt` is taken as it stands when at most this far ahead of the
/// receipt.
public let unsentLeadMax = TimeSpan.seconds(60)

/// What is older than this is never taken for the present: a ping is refused as too late, a report
/// goes to history.
public let recordAgeMax = TimeSpan.hours(7 * 24)

/// Places a phone's record on the server's time line: receipt minus age, where the age comes from
/// the phone's one clock. A phone in 2001 or next year is thus corrected, not refused.
/// - Parameters:
///   - recordedAt: The phone's clock when it happened.
///   - sentAt: The phone's clock when it was sent; `nil` from apps that do not tell.
///   - receivedAt: The server's clock at receipt.
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
