import GuardRules
import ShiftDomain

/// How a device must send its positions; part of every response to it.
package struct TrackingAdvice: Hashable, Sendable {
  package var isTracking: Bool
  package var settings: TrackingSettings
  /// Its clock, when it is wrong.
  package var clock: DeviceClock?

  package init(isTracking: Bool, settings: TrackingSettings, clock: DeviceClock? = nil) {
    self.isTracking = isTracking
    self.settings = settings
    self.clock = clock
  }
}

/// A wrong phone clock, whose times were corrected.
package struct DeviceClock: Hashable, Sendable {
  /// The server's clock minus the phone's; `nil` without a time of sending.
  package var skew: TimeSpan?
  /// How far off it is.
  package var trust: ClockTrust

  /// `nil` when the clock is right.
  /// - Parameter latest: The latest time of what was recorded; `nil`: nothing has a time.
  package init?(latest: Instant?, sentAt: Instant?, receivedAt: Instant) {
    let time = effectiveTime(
      recordedAt: latest ?? sentAt ?? receivedAt, sentAt: sentAt, receivedAt: receivedAt)
    guard time.trust != .good else { return nil }
    (skew, trust) = (time.skew, time.trust)
  }
}
