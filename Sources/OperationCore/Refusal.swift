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
    case absence(Absence)
    case shift(ShiftID)
    case changedShift(ShiftTimes)
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
  package static func inactive(_ employee: EmployeeID) -> Refusal {
    Refusal(
      .conflict, "employee_inactive",
      "employee \(employee.rawValue) is inactive; reactivate the employee first")
  }
}

extension TimeSpan {
  /// Whole seconds, so that nobody waits too short.
  package var roundedUpSeconds: Int64 { (milliseconds + 999) / 1_000 }
}
