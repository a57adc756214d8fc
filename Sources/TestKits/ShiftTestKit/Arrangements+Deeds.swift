import GuardRules
import ManagerCore
import OperationCore
import PeopleOperations
import ReadModels
import ReviewOperations
import ShiftDomain

// What managers do in tests that are not about their accounts.

extension Principal {
  /// An administrator of this name, without an account.
  package init(_ actor: AuditActor) { self.init(actor: actor, role: .administrator) }
}

extension ReviewOperations {
  /// Allows one clock-in, as an administrator.
  package func giveOverride(
    to employee: EmployeeID, _ findings: FindingSet, reason: String,
    matching tags: Set<String>? = nil, by actor: AuditActor
  ) async throws(OperationError) -> OverrideOutcome {
    try await giveOverride(
      to: employee, findings, reason: reason, matching: tags, by: Principal(actor))
  }

  /// Withdraws an override, as the arranger.
  package func withdrawOverride(_ number: Int32, of employee: EmployeeID)
    async throws(OperationError) -> WithdrawalOutcome
  {
    try await withdrawOverride(number, of: employee, by: .arranger)
  }

  /// Corrects a shift, as an administrator.
  package func correct(
    _ shift: ShiftID, _ request: CorrectionRequest, matching tags: Set<String>? = nil,
    by actor: AuditActor
  ) async throws(OperationError) -> CorrectionOutcome {
    try await correct(shift, request, matching: tags, by: Principal(actor))
  }

  /// Undoes a correction, as an administrator.
  package func undo(
    correction number: Int16, of shift: ShiftID, reason: String, by actor: AuditActor
  )
    async throws(OperationError) -> UndoOutcome
  {
    try await undo(correction: number, of: shift, reason: reason, by: Principal(actor))
  }

  /// Accepts a clock action, as an administrator.
  package func accept(
    clockAction number: Int32, of employee: EmployeeID, endedAt: Instant? = nil, reason: String,
    by actor: AuditActor
  ) async throws(OperationError) -> ReviewOutcome {
    try await accept(
      clockAction: number, of: employee, endedAt: endedAt, reason: reason, by: Principal(actor))
  }

  /// Dismisses a clock action, as an administrator.
  package func dismiss(
    clockAction number: Int32, of employee: EmployeeID, reason: String?, by actor: AuditActor
  ) async throws(OperationError) -> ReviewOutcome {
    try await dismiss(
      clockAction: number, of: employee, reason: reason, by: Principal(actor))
  }
}

extension PeopleOperations {
  /// Removes a planned shift, as the arranger.
  @discardableResult
  package func deletePlannedShift(_ id: Int64, of employee: EmployeeID)
    async throws(OperationError) -> Bool
  {
    try await deletePlannedShift(id, of: employee, by: .arranger)
  }
}
