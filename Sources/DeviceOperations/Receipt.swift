public import ShiftDomain

/// The receipt of a request, on two clocks.
public struct Receipt: Sendable {
  /// Wall clock, used to date facts.
  public var at: Instant
  /// When the request's last byte was read; detection latency counts from here.
  public var monotonic: ContinuousClock.Instant

  /// A receipt.
  public init(at: Instant, monotonic: ContinuousClock.Instant) {
    self.at = at
    self.monotonic = monotonic
  }
}
