import GuardRules
import ShiftDomain

/// A shift's coverage.
package struct ShiftCoverage: Hashable, Sendable {
  /// The shift.
  package var shift: ShiftID
  /// When it began.
  package var startedAt: Instant
  /// When it ended; `nil` while it is open.
  package var endedAt: Instant?
  /// The end of this coverage: the shift's end, or now.
  package var asOf: Instant
  /// Sorted, without gaps; their sum is exactly the span from `startedAt` to `asOf`.
  package var segments: [CoverageSegment]
  /// Tracked per thousand of the time that counts; `nil` if no time counts.
  package var trackingPermille: Int?

  /// Whether the shift is still open, so that this may still change.
  package var isProvisional: Bool { endedAt == nil }

  package init(
    shift: ShiftID, startedAt: Instant, endedAt: Instant?, asOf: Instant,
    segments: [CoverageSegment], trackingPermille: Int?
  ) {
    (self.shift, self.startedAt, self.endedAt) = (shift, startedAt, endedAt)
    (self.asOf, self.segments, self.trackingPermille) = (asOf, segments, trackingPermille)
  }
}
