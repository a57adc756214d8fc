public import ShiftDomain

/// What became of something that was sent. What is known for sure ranks above what is not.
public enum Fate: UInt8, Comparable, Sendable {
  /// It never was: held back to the end.
  case unsent
  /// No answer came: it may be stored or not.
  case unanswered
  /// The server refused it: it must not be stored.
  case refused
  /// The server has it, as it says.
  case acknowledged

  /// Whether less is known of `left`.
  public static func < (left: Fate, right: Fate) -> Bool { left.rawValue < right.rawValue }
}

/// Everything that one phone sent, and what the server said to it.
public struct PhoneRecord: Sendable {
  /// The phone.
  public var device: DeviceID
  /// When its first ping was recorded.
  public var start: Instant
  /// From one ping to the next.
  public var spacing: TimeSpan
  /// By the ping's number.
  public private(set) var pings: [Fate] = []
  /// By the report's sequence.
  public internal(set) var reports: [Int64: Fate] = [:]

  /// A phone that has sent nothing yet.
  public init(device: DeviceID, start: Instant, spacing: TimeSpan) {
    self.device = device
    self.start = start
    self.spacing = spacing
  }

  /// When ping `number` was recorded.
  public func recordedAt(_ number: Int) -> Instant {
    Instant(milliseconds: start.milliseconds + spacing.milliseconds * Int64(number))
  }

  /// Notes what is now known of a ping.
  public mutating func note(_ fate: Fate, ofPing number: Int) {
    if number >= pings.count {
      pings += Array(repeating: .unsent, count: number + 1 - pings.count)
    }
    pings[number] = max(pings[number], fate)
  }

  /// Notes what is now known of a report.
  public mutating func note(_ fate: Fate, ofReport sequence: Int64) {
    reports[sequence] = max(reports[sequence] ?? .unsent, fate)
  }
}
