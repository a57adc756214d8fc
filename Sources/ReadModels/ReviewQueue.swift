import ShiftDomain

/// A page of what waits for a manager's decision: of each list, the newest first.
package struct ReviewQueue: Hashable, Sendable {
  /// Clock actions that were blocked or kept.
  package var clockActions: ListPage<ClockActionRow>
  /// All of the same kind of the employees in `clockActions`, on whichever page they are: what a
  /// clock-in proposes depends on the clock-out that follows it.
  package var waiting: [ClockActionRow]
  /// Shifts that ended automatically, or that the employee declined or did not confirm.
  package var shifts: ListPage<ShiftRow>
  /// Overrides that the next clock-in may use. They need no decision, but can be withdrawn.
  package var overrides: ListPage<OverrideRow>
  /// The employees in these lists.
  package var employees: [EmployeeID: EmployeeProfile] = [:]

  package init(
    clockActions: [ClockActionRow], shifts: [ShiftRow], overrides: [OverrideRow], limit: Int
  ) {
    self.clockActions = ListPage(clockActions, limit: limit)
    waiting = self.clockActions.rows
    self.shifts = ListPage(shifts, limit: limit)
    self.overrides = ListPage(overrides, limit: limit)
  }

  /// Whether nothing is left of a list from its place in `places` on.
  package func isOver(after places: Places) -> Bool {
    places.clockActions != nil && clockActions.rows.isEmpty
      || places.shifts != nil && shifts.rows.isEmpty
      || places.overrides != nil && overrides.rows.isEmpty
  }

  /// The `next` of the previous page of each list; `nil`: from the newest.
  package struct Places: Hashable, Sendable {
    package var clockActions: ListPlace?
    package var shifts: ListPlace?
    package var overrides: ListPlace?

    package init(
      clockActions: ListPlace? = nil, shifts: ListPlace? = nil, overrides: ListPlace? = nil
    ) {
      (self.clockActions, self.shifts, self.overrides) = (clockActions, shifts, overrides)
    }
  }
}
