public import ShiftDomain

/// What many phones are to send.
public struct LoadShape: Hashable, Sendable {
  /// For how long they begin anything new.
  public var span: TimeSpan = .seconds(30)
  /// All phones' together; 0: each sends again as soon as it has its answer.
  public var pingsPerSecond = 0.0
  /// How many new pings an upload has.
  public var items: ClosedRange<Int> = 1...1
  /// Of 100 uploads, how many also repeat a ping sent before.
  public var duplicatePercent = 0
  /// Of 100 pings, how many are held back for a later upload.
  public var latePercent = 0
  /// Of 100 uploads, how many are in no order.
  public var shuffledPercent = 0
  /// All phones' together; each is taken back after 3 s, or half way to the next.
  public var downgradesPerMinute = 0
  /// Where chance begins: the same seed sends the same.
  public var seed: UInt64 = 1

  /// One ping after the other, and nothing else.
  public init() {}
}
