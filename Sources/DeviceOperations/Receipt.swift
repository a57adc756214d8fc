import ShiftDomain

package struct Receipt: Sendable {
  /// Wall clock, used to date facts.
  package var at: Instant
  /// When the request's last byte was read; detection latency counts from here.
  package var monotonic: ContinuousClock.Instant

  package init(at: Instant, monotonic: ContinuousClock.Instant) {
    self.at = at
    self.monotonic = monotonic
  }
}
