import ManagerCore
import OperationCore
import ReadModels
import ShiftDomain

/// A clock action that is decided on together with others.
package struct SelectedClockAction: Hashable, Sendable {
  package var employee: EmployeeID
  package var number: Int32
  /// When the shift ended that an acceptance opens; `nil`: it stays open.
  package var endedAt: Instant?

  package init(employee: EmployeeID, number: Int32, endedAt: Instant?) {
    (self.employee, self.number, self.endedAt) = (employee, number, endedAt)
  }
}

/// How many clock actions can be decided on at once.
package let selectedReviewsMax = 100

extension ReviewOperations {
  /// Reviews each of `selected` as if it were alone: what one is refused for leaves the others
  /// decided. Done again, nothing changes.
  /// - Parameters:
  ///   - selected: At most `selectedReviewsMax`.
  ///   - reason: 1…500 characters; `nil` only for a dismissal.
  /// - Returns: Why each was refused, in the order of `selected`; `nil`: it was reviewed.
  package func decide(
    on selected: [SelectedClockAction], _ decision: ReviewDecision, reason: String?,
    by principal: Principal
  ) async throws(OperationError) -> [Refusal?] {
    guard (1...selectedReviewsMax).contains(selected.count) else {
      throw .invalid("1 to \(selectedReviewsMax) clock actions can be reviewed at once")
    }
    try principal.actor.check(reason: decision == .accepted ? reason ?? "" : reason)
    var refusals: [Refusal?] = []
    for one in selected {
      do throws(OperationError) {
        refusals.append(try await refusal(of: one, decision, reason: reason, by: principal))
      } catch {
        // What was decided before stays decided, and the caller must learn of it.
        guard let refusal = Refusal(error) ?? (refusals.isEmpty ? nil : .tryAgain) else {
          throw error
        }
        refusals.append(refusal)
      }
    }
    return refusals
  }

  private func refusal(
    of one: SelectedClockAction, _ decision: ReviewDecision, reason: String?,
    by principal: Principal
  ) async throws(OperationError) -> Refusal? {
    guard principal.may(.coverage, of: try await core.team(of: one.employee)) else {
      throw .clockActionNotFound(one.number, of: one.employee)
    }
    let outcome =
      switch decision {
      case .accepted:
        try await accept(
          clockAction: one.number, of: one.employee, endedAt: one.endedAt, reason: reason ?? "",
          by: principal)
      case .dismissed:
        try await dismiss(
          clockAction: one.number, of: one.employee, reason: reason, by: principal)
      }
    do throws(Refusal) {
      _ = try outcome.get()
      return nil
    } catch {
      return error
    }
  }
}

extension Refusal {
  fileprivate static let tryAgain = conflict("try_again", "the service is busy; decide again")
}
