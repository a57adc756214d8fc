import GuardRules

/// Receives what routes report for log and metrics. Called within the request; must return
/// quickly.
package struct RouteObserver: Sendable {
  /// A report opened or worsened an incident; the time since its last byte was read.
  package var detected: @Sendable (Duration) -> Void
  /// A report was stored whose permission came as raw values of this source and quality.
  package var rawValues: @Sendable (RawSource, RawQuality) -> Void
  /// A request was answered with 5xx; the text says why and is safe to log.
  package var failed: @Sendable (String) -> Void

  package init(
    detected: @escaping @Sendable (Duration) -> Void = { _ in },
    rawValues: @escaping @Sendable (RawSource, RawQuality) -> Void = { _, _ in },
    failed: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.detected = detected
    self.rawValues = rawValues
    self.failed = failed
  }
}
