import OperationCore
import ReadModels
import ShiftDomain

// Refusals that several use cases have.

extension Refusal {
  static func invalid(_ pointer: String, _ sentence: String) -> Refusal {
    Refusal(.invalid(at: pointer), "invalid_body", sentence)
  }

  static func unknown(_ pointer: String, _ what: String) -> Refusal {
    Refusal(.unknown(at: pointer), "invalid_body", "\(what) does not exist")
  }

  static func conflict(_ code: String, _ sentence: String, _ subject: Subject? = nil) -> Refusal {
    Refusal(.conflict, code, sentence, subject)
  }

  /// `subject` is the current object.
  package static func changed(_ what: String, _ subject: Subject) -> Refusal {
    Refusal(
      .changed, "changed_meanwhile",
      "the \(what) has changed since you read it; check the current values and try again", subject)
  }

  static let selfOverride = Refusal(
    .forbidden, "own_override", "you cannot override your own block; ask another manager")

  static let nothingToReview = conflict(
    "nothing_to_review", "this clock action does not need a review")

  static let startsTooLate = conflict(
    "out_of_order", "the start would be after the shift's newest break or take-over")

  static func alreadyReviewed(_ row: ClockActionRow) -> Refusal {
    conflict(
      "already_reviewed", "the clock action was already reviewed with another result",
      .clockAction(row))
  }

  static func overlaps(_ shift: ShiftID) -> Refusal {
    conflict("overlaps_shift", "the shift would overlap shift \(shift.number)", .shift(shift))
  }

  static func throttled(_ wait: TimeSpan) -> Refusal {
    Refusal(
      .throttled(wait), "too_many_attempts",
      "too many attempts; try again in \(wait.roundedUpSeconds) s")
  }
}
