public import GuardRules
public import ShiftDomain
public import ShiftStore

/// A shift's coverage.
public struct ShiftCoverage: Hashable, Sendable {
  /// The shift.
  public var shift: ShiftID
  /// When it began.
  public var startedAt: Instant
  /// When it ended; `nil` while it is open.
  public var endedAt: Instant?
  /// The end of this coverage: the shift's end, or now.
  public var asOf: Instant
  /// Sorted, without gaps; their sum is exactly the span from `startedAt` to `asOf`.
  public var segments: [CoverageSegment]
  /// Tracked per thousand of the time that counts; `nil` if no time counts.
  public var trackingPermille: Int?

  /// Whether the shift is still open, so that this may still change.
  public var isProvisional: Bool { endedAt == nil }
}

/// A shift in a list.
public struct ShiftRow: Hashable, Sendable {
  /// The shift.
  public var shift: ShiftID
  /// The employee's name.
  public var name: String
  /// When it began.
  public var startedAt: Instant
  /// When it ended; `nil` while it is open.
  public var endedAt: Instant?
  /// The tracking device's number.
  public var device: Int16
  /// The verdict it began under.
  public var verdict: Verdict
  /// Who or what ended it; `nil` while open, and for shifts that ended before this was stored.
  public var ending: ShiftEnding?
  /// Whether it needs review, because it ended automatically.
  public var needsReview = false
}

/// An incident in a list.
public typealias IncidentRow = ShiftStore.IncidentRow

extension ShiftRow {
  package init(_ record: ShiftRecord) {
    self.init(
      shift: record.shift, name: record.name, startedAt: record.startedAt,
      endedAt: record.endedAt, device: record.device, verdict: record.verdict,
      ending: record.ending, needsReview: record.needsReview)
  }
}

/// An override as listed.
public typealias OverrideRow = ShiftStore.OverrideRow

/// A correction as listed.
public typealias CorrectionRow = ShiftStore.CorrectionRow

/// A note in a list.
public typealias ShiftNote = ShiftStore.ShiftNote

/// Why a clock action is kept for review.
public typealias KeptReason = ShiftStore.KeptReason

/// The result of a review.
public typealias ReviewDecision = ShiftStore.ReviewDecision

/// An entry of the audit log.
public typealias AuditEntry = ShiftStore.AuditEntry

/// What was done.
public typealias AuditAction = ShiftStore.AuditAction

/// The text that tells employees what data about them is stored.
public typealias PrivacyNotice = ShiftStore.PrivacyNotice
