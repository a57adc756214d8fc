import GuardRules
import ShiftDomain

/// The result of a review. Raw values are stored; append-only.
package enum ReviewDecision: UInt8, Coded {
  /// Accepted: a shift was opened or corrected.
  case accepted = 0
  /// Dismissed without a change.
  case dismissed = 1

  /// Its code in JSON.
  package var code: String {
    switch self {
    case .accepted: "accepted"
    case .dismissed: "dismissed"
    }
  }
}

/// A review with its author and reason.
package struct ClockActionReview: Hashable, Sendable {
  package var decision: ReviewDecision
  /// The time of the review.
  package var at: Instant
  /// The reviewer's name; 1…100 characters.
  package var by: String
  /// The reason; up to 500 characters, `nil` if none was given.
  package var reason: String?
  /// The shift that was opened or corrected, if any.
  package var shift: Int32?
  /// When that shift ended, as given with an acceptance, if at all.
  package var endedAt: Instant?

  package init(
    _ reviewDecision: ReviewDecision, at: Instant, by: String, reason: String?, shift: Int32? = nil,
    endedAt: Instant? = nil
  ) {
    self.decision = reviewDecision
    self.at = at
    self.by = by
    self.reason = reason
    self.shift = shift
    self.endedAt = endedAt
  }
}

/// What a phone decided about a clock-in before the server did, by the same rules.
package struct LocalDecision: Hashable, Sendable {
  package var decision: Decision
  /// The version of the team's policy that the phone knew.
  package var policyVersion: Int32

  package init(_ decision: Decision, policyVersion: Int32) {
    self.decision = decision
    self.policyVersion = policyVersion
  }
}

/// A clock action as managers see it.
package struct ClockActionRow: Hashable, Sendable {
  /// The device that sent it.
  package var device: DeviceID
  /// Its number within the employee, from 1.
  package var number: Int32
  /// Its time by the server's clock.
  package var at: Instant
  package var receivedAt: Instant
  package var outcome: ClockActionResult
  /// The shift begun, ended or in conflict, as in the answer to the phone; a review does not change
  /// that, and has its own shift.
  package var shift: Int32?
  /// The report it was decided on, which may have been deleted.
  package var report: ReportID?
  package var decision: Decision
  /// The version of the policy it was decided under.
  package var policyVersion: Int32
  /// What the phone decided; `nil` if it sent nothing.
  package var localDecision: LocalDecision?
  /// Whether it was kept for review.
  package var needsReview: Bool
  /// Why it was kept; `nil` if it was answered at once.
  package var kept: KeptReason?
  /// The working time that the employee claims by it until it is reviewed; `nil` if it claims none.
  package var claimed: ShiftSpan?
  /// Whether it left the review queue automatically, because the employee has clocked in since or
  /// the shift is over; `false` after a review.
  package var isOvertaken: Bool
  /// When the next shift began after a blocked clock-in that nobody has reviewed.
  package var supersededAt: Instant?
  /// The review; `nil` before it.
  package var review: ClockActionReview?

  package init(
    device: DeviceID, number: Int32, at: Instant, receivedAt: Instant, outcome: ClockActionResult,
    shift: Int32? = nil, report: ReportID? = nil, decision: Decision, policyVersion: Int32,
    localDecision: LocalDecision? = nil, needsReview: Bool,
    kept: KeptReason? = nil, claimed: ShiftSpan? = nil, isOvertaken: Bool = false,
    review: ClockActionReview? = nil
  ) {
    self.device = device
    self.number = number
    self.at = at
    self.receivedAt = receivedAt
    self.outcome = outcome
    self.shift = shift
    self.report = report
    self.decision = decision
    self.policyVersion = policyVersion
    self.localDecision = localDecision
    self.needsReview = needsReview
    self.kept = kept
    self.claimed = claimed
    self.isOvertaken = isOvertaken
    self.review = review
  }

  /// Whether it needs review: it was blocked or kept, and is not reviewed yet.
  package var awaitsManager: Bool { review == nil && canBeReviewed }

  /// Whether it is of a kind that managers review.
  package var canBeReviewed: Bool { needsReview || outcome == .blocked }
}

/// The result of one ping.
package enum PingResult: Hashable, Sendable {
  /// It is on disk.
  case stored
  /// It was already on disk.
  case duplicate
  /// It is not stored, and sending it again will not help.
  case refused(PingRefusal)
}
