import OperationCore
import ReadModels

extension Refusal {
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
}
