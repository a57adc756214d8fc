import ShiftDomain

/// The load that many phones send.
package struct LoadShape: Hashable, Sendable {
  /// The time during which new requests begin.
  package var span: TimeSpan = .seconds(30)
  /// Pings per second of all phones; 0: each phone sends as soon as it has a response.
  package var pingsPerSecond = 0.0
  /// The number of new pings per upload.
  package var items: ClosedRange<Int> = 1...1
  /// The percentage of uploads that also repeat an earlier ping.
  package var duplicatePercent = 0
  /// The percentage of pings that are held back for a later upload.
  package var latePercent = 0
  /// The percentage of uploads in random order.
  package var shuffledPercent = 0
  /// Downgrades per minute of all phones; each is restored after 3 s, or half way to the next.
  package var downgradesPerMinute = 0
  /// The random seed: the same seed sends the same.
  package var seed: UInt64 = 1

  /// The default load: one ping after the other, and nothing else.
  package init() {}
}
