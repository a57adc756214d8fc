import GuardRules
import Postgres
import ReadModels
import ShiftDomain

@testable import ShiftStore

/// The statements about breaks that corrections change.
enum CorrectedBreakStatements {
  private static let now = Instant(milliseconds: 1_772_438_400_000)
  private static let shift = ShiftID(employee: EmployeeID(7), number: 1)
  private static let hour = ShiftSpan(from: now, to: now + .hours(1))
  private static let lasting = ShiftSpan(from: now, to: nil)

  private static func correction(_ breaks: CorrectedBreaks?) -> CorrectionRow {
    CorrectionRow(
      shift: shift, number: 1, old: lasting, new: lasting, breaks: breaks, correctedBy: "Mira",
      correctedAt: now, reason: "why")
  }

  private static let clipping = correction(nil)
  private static let replacing = correction(CorrectedBreaks(from: [lasting], to: [hour]))
  private static let pause = ShiftBreak(number: 1, startedAt: now)

  static let all: [(String, [SQL])] = [
    ("keepBreaks", [keepBreaks(of: clipping), keepBreaks(of: replacing)]),
    ("clipBreaks", clipBreaks(of: shift, to: hour)),
    ("replaceBreaks", replaceBreaks(by: [pause], in: replacing)),
    ("removeBreaks", removeBreaks(changedBy: clipping)),
    ("removeBreaks of a correction of breaks", removeBreaks(changedBy: replacing)),
    ("restoreBreaks", [restoreBreaks(of: replacing, to: nil)]),
    ("insert breaks", insert([hour], of: shift)),
    ("insert correction of breaks", [insert(replacing)]),
    (
      "apply to breaks",
      apply(
        replacing, wasEndedByManager: false, setsEnd: false, breaks: [pause],
        added: IntervalSet(from: now, to: now + .hours(1)))
    ),
  ]
}
