import GuardRules
import ShiftDomain
import ShiftStore

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
}

/// A shift in a list.
package struct ShiftRow: Hashable, Sendable {
  /// The shift.
  package var shift: ShiftID
  /// The employee's name.
  package var name: String
  /// When it began.
  package var startedAt: Instant
  /// When it ended; `nil` while it is open.
  package var endedAt: Instant?
  /// The tracking device's number.
  package var device: Int16
  /// The verdict it began under.
  package var verdict: Verdict
  /// Who or what ended it; `nil` while open, and for shifts that ended before this was stored.
  package var ending: ShiftEnding?
  /// Whether it needs review, because it ended automatically.
  package var needsReview = false
}

/// An incident in a list.
package typealias IncidentRow = ShiftStore.IncidentRow

extension ShiftRow {
  package init(_ record: ShiftRecord) {
    self.init(
      shift: record.shift, name: record.name, startedAt: record.startedAt,
      endedAt: record.endedAt, device: record.device, verdict: record.verdict,
      ending: record.ending, needsReview: record.needsReview)
  }
}

/// An override as listed.
package typealias OverrideRow = ShiftStore.OverrideRow

/// A correction as listed.
package typealias CorrectionRow = ShiftStore.CorrectionRow

/// A note in a list.
package typealias ShiftNote = ShiftStore.ShiftNote

/// Why a clock action is kept for review.
package typealias KeptReason = ShiftStore.KeptReason

/// The result of a review.
package typealias ReviewDecision = ShiftStore.ReviewDecision

/// An entry of the audit log.
package typealias AuditEntry = ShiftStore.AuditEntry

/// What was done.
package typealias AuditAction = ShiftStore.AuditAction

/// The text that tells employees what data about them is stored.
package typealias PrivacyNotice = ShiftStore.PrivacyNotice
