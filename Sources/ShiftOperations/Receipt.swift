public import ShiftDomain

/// When a request reached us, on both clocks.
public struct Receipt: Sendable {
  /// Wall clock: what facts are dated by.
  public var at: Instant
  /// When the request's last byte was read: what detection is measured from.
  public var monotonic: ContinuousClock.Instant

  /// A receipt.
  public init(at: Instant, monotonic: ContinuousClock.Instant) {
    self.at = at
    self.monotonic = monotonic
  }
}
