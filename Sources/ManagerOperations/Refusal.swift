import OperationCore
import ReadModels
import ShiftDomain

/// Why a use case refused a request. The API, the pages and the command line show the same words.
package struct Refusal: Error, Hashable, Sendable {
  /// The API maps it to a status, the command line to an exit status.
  package enum Kind: Hashable, Sendable {
    /// The value at this JSON Pointer into the API's body is not acceptable; `nil`: several are.
    case invalid(at: String?)
    /// The value at this JSON Pointer names something that does not exist.
    case unknown(at: String)
    /// The object of the request does not exist, or the principal may not see it.
    case notFound
    case conflict
    /// The object has changed since the client read it.
    case changed
    case forbidden
    case loginRefused
    case throttled(TimeSpan)
  }

  /// What the refusal is about; the API adds it to the response.
  package enum Subject: Hashable, Sendable {
    case team(TeamRow)
    case employee(EmployeeProfile)
    case account(AccountRow)
    case policy(PolicyRow)
    case retention(Retention)
    case payroll(PayrollSettings)
    case override(OverrideRow)
    /// `nil`: the employee has none.
    case newestOverride(OverrideRow?)
    case clockAction(ClockActionRow)
    case plannedShift(PlannedShift)
    case shift(ShiftID)
    case changedShift(ShiftRow)
  }

  package var kind: Kind
  /// Stable, for programs; openapi.yaml lists it.
  package var code: String
  /// Lower case, no full stop.
  package var sentence: String
  package var subject: Subject?

  package init(_ kind: Kind, _ code: String, _ sentence: String, _ subject: Subject? = nil) {
    self.kind = kind
    self.code = code
    self.sentence = sentence
    self.subject = subject
  }

  /// The refusal that `error` stands for; `nil`: the request failed for another reason.
  package init?(_ error: any Error) {
    switch error {
    case let refusal as Refusal: self = refusal
    case OperationError.invalid(let sentence, at: ""):
      self.init(.invalid(at: nil), "invalid_request", sentence)
    case OperationError.inactive(let employee): self = .inactive(employee)
    case OperationError.notFound(let what):
      self.init(.notFound, "not_found", "\(what) does not exist")
    default: return nil
    }
  }
}

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

  package static func inactive(_ employee: EmployeeID) -> Refusal {
    .conflict(
      "employee_inactive",
      "employee \(employee.rawValue) is inactive; reactivate the employee first")
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

extension TimeSpan {
  /// Whole seconds, so that nobody waits too short.
  package var roundedUpSeconds: Int64 { (milliseconds + 999) / 1_000 }
}
