import OperationCore
import ReadModels
import ShiftDomain

// Refusals that several use cases have.

extension Refusal {
  package static func invalid(_ pointer: String, _ sentence: String) -> Refusal {
    Refusal(.invalid(at: pointer), "invalid_body", sentence)
  }

  package static func unknown(_ pointer: String, _ what: String) -> Refusal {
    Refusal(.unknown(at: pointer), "invalid_body", "\(what) does not exist")
  }

  package static func conflict(_ code: String, _ sentence: String, _ subject: Subject? = nil)
    -> Refusal
  {
    Refusal(.conflict, code, sentence, subject)
  }

  /// `subject` is the current object.
  package static func changed(_ what: String, _ subject: Subject) -> Refusal {
    Refusal(
      .changed, "changed_meanwhile",
      "the \(what) has changed since you read it; check the current values and try again", subject)
  }

  package static func overlaps(_ shift: ShiftID) -> Refusal {
    conflict("overlaps_shift", "the shift would overlap shift \(shift.number)", .shift(shift))
  }
}
