import GuardRules
import HTTPAPI
import HTTPServing
import JSONText
import ManagerOperations
import OperationCore
import ReadModels
import ShiftDomain

// Responses to overrides, reviews and corrections.

extension ManagerStatus {
  static func overrides(_ rows: [OverrideRow]) -> HTTPResponse {
    .object(
      ["overrides": JSONValue(rows) { $0.json }],
      headers: HTTPHeaders(tag: overrideTag(newest: rows.first)))
  }

  static func answer(to outcome: OverrideOutcome) -> HTTPResponse {
    switch outcome {
    case .given(let row):
      .object(row.json, status: 201, headers: HTTPHeaders(tag: overrideTag(newest: row)))
    case .unchanged(let row): .object(row.json)
    case .selfOverrideForbidden: selfOverrideForbidden
    case .changedMeanwhile(let row):
      Problem.changedMeanwhile(
        ["override": row.map { .object($0.json) }], tag: overrideTag(newest: row)
      ).response()
    }
  }

  static func answer(to outcome: WithdrawalOutcome) -> HTTPResponse {
    switch outcome {
    case .withdrawn(let row): .object(row.json)
    case .used(let row):
      Problem.conflict("override_used", "the override has already been used")
        .adding(row.json).response()
    }
  }

  static func clockActions(_ rows: [ClockActionRow]) -> HTTPResponse {
    .object(["clockActions": JSONValue(rows) { $0.json }])
  }

  static func clockAction(_ row: ClockActionRow) -> HTTPResponse { .object(row.json) }

  static func answer(to outcome: ReviewOutcome) -> HTTPResponse {
    switch outcome {
    case .reviewed(let row): return .object(row.json)
    case .alreadyReviewed(let row): return alreadyReviewed(row)
    case .nothingToReview: return nothingToReview
    case .needsCorrection:
      return Problem.conflict(
        "needs_correction",
        "this clock action opens no shift; correct the shift it is about and name this action"
      ).response()
    case .selfOverrideForbidden: return selfOverrideForbidden
    case .deviceRevoked:
      return Problem.conflict(
        "device_revoked", "the device was revoked and cannot track; give the end of the shift"
      ).response()
    case .impossible(let fault): return impossible(fault)
    case .laterShiftOpen(let shift):
      return Problem.conflict(
        "later_shift_open",
        "a shift that began later is open; correct its start, or give an end before it"
      ).adding(["shift": .object(JSONObject(shift))]).response()
    case .overlaps(let shift): return overlaps(shift)
    }
  }

  static func answer(to outcome: CorrectionOutcome) -> HTTPResponse {
    switch outcome {
    case .corrected(let row): .object(JSONObject(row), status: 201)
    case .unchanged(let row): .object(JSONObject(row))
    case .impossible(let fault): impossible(fault)
    case .tooMany:
      Problem.conflict(
        "too_many_corrections", "a shift can be corrected at most \(correctionsMax) times"
      ).response()
    case .outOfOrder:
      Problem.conflict(
        "out_of_order", "the shift would begin after its newest break or take-over"
      ).response()
    case .overlaps(let shift): overlaps(shift)
    case .clockActionNotWaiting(let row):
      row.review == nil ? nothingToReview : alreadyReviewed(row)
    case .changedMeanwhile(let row):
      Problem.changedMeanwhile(["shift": .object(row.json)], tag: row.tag).response()
    }
  }

  static func answer(to outcome: UndoOutcome) -> HTTPResponse {
    switch outcome {
    case .undone(let row): .object(JSONObject(row), status: 201)
    case .unchanged(let row): .object(JSONObject(row))
    case .notNewest:
      Problem.conflict(
        "not_newest_correction", "only the newest correction of a shift can be undone"
      ).response()
    case .tooLate:
      Problem.conflict(
        "too_late_to_undo",
        "a correction can be undone within 7 days, for an open shift only before its time limit"
      ).response()
    case .outOfOrder:
      Problem.conflict(
        "out_of_order", "the shift would begin after its newest break or take-over"
      ).response()
    case .overlaps(let shift): overlaps(shift)
    }
  }

  private static let nothingToReview =
    Problem.conflict(
      "nothing_to_review", "the clock action was accepted; there is nothing to review"
    ).response()

  private static let selfOverrideForbidden = Problem(
    status: 403, code: "own_override", detail: "you cannot override your own block"
  ).response()

  private static func alreadyReviewed(_ row: ClockActionRow) -> HTTPResponse {
    Problem.conflict(
      "already_reviewed", "the clock action was already reviewed with another result"
    ).adding(["clockAction": .object(row.json)]).response()
  }

  private static func overlaps(_ shift: ShiftID) -> HTTPResponse {
    Problem.conflict("overlaps_shift", "it overlaps another shift")
      .adding(["shift": .object(JSONObject(shift))]).response()
  }

  private static func impossible(_ fault: SpanFault) -> HTTPResponse {
    Problem.conflict(fault.code, fault.sentence).response()
  }
}

extension SpanFault {
  fileprivate var sentence: String {
    switch self {
    case .endsBeforeStart: "the shift must end after its start"
    case .inFuture: "the shift must not start or end in the future"
    case .tooLong: "the shift would exceed its maximum length; give an end within it"
    case .unchanged: "the shift already has these times"
    }
  }
}
