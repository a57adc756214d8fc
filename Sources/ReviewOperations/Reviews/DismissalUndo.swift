import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package enum DismissalUndoOutcome: Hashable, RefusableAnswer {
  /// It has no review, by this request or by the same one sent before.
  case undone(ClockActionRow)
  /// It was accepted.
  case alreadyReviewed(ClockActionRow)
  /// It was dismissed over 7 days ago.
  case tooLate

  package func get() throws(Refusal) -> ClockActionRow {
    switch self {
    case .undone(let row): row
    case .alreadyReviewed(let row): throw .alreadyReviewed(row)
    case .tooLate:
      throw .conflict("too_late_to_undo", "the clock action was dismissed over 7 days ago")
    }
  }
}

extension ReviewOperations {
  /// Undoes the dismissal of a clock action. It waits for a decision again, if it would without
  /// the dismissal.
  package func undoDismissal(
    ofClockAction number: Int32, of employee: EmployeeID, by principal: Principal
  ) async throws(OperationError) -> DismissalUndoOutcome {
    let at = core.now()
    return try await core.transact { (session) throws(PostgresError) in
      guard let old = try readClockAction(number, of: employee, at: at, on: &session) else {
        return .refused(.clockActionNotFound(number, of: employee))
      }
      guard let review = old.review else { return .done(.undone(old)) }
      guard review.decision == .dismissed else { return .done(.alreadyReviewed(old)) }
      guard at - review.at < undoMax else { return .done(.tooLate) }
      // Boards compare versions to find changed lines.
      guard try bumpVersion(of: employee, on: &session),
        try session.execute(deleteReview(of: old, from: review.at)) == 1
      else { return .lost }
      try session.execute(
        auditEntry(.dismissalUndone, by: principal, at: at, about: employee, target: number))
      guard let new = try readClockAction(number, of: employee, at: at, on: &session) else {
        return .lost
      }
      return .done(.undone(new))
    }
  }
}
