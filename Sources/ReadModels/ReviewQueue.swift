import ShiftDomain

/// What waits for a manager's decision, the newest first.
package struct ReviewQueue: Hashable, Sendable {
  /// Clock actions that were blocked or kept.
  package var clockActions: [ClockActionRow] = []
  /// Shifts that ended automatically, or that the employee declined or did not confirm.
  package var shifts: [ShiftRow] = []
  /// Overrides that the next clock-in may use. They need no decision, but can be withdrawn.
  package var overrides: [OverrideRow] = []
  /// The employees in these lists.
  package var employees: [EmployeeID: EmployeeProfile] = [:]

  package init() {}
}
