import ShiftDomain

/// What happens in a rehearsal, in order.
package enum RehearsalStep: CaseIterable, Hashable, Sendable {
  case phoneEnrolled
  case clockedIn
  /// A report in the shift said that the phone cannot be located.
  case locationLost
  /// The phone showed the notification about that, or its push service took it.
  case notified
  case locationRestored
  case clockedOut
}

/// A working day in minutes with a practice employee, who is erased at its end.
package struct Rehearsal: Hashable, Sendable {
  package var employee: EmployeeProfile
  package var endsAt: Instant
  /// When each step that has happened did.
  package var happened: [RehearsalStep: Instant]

  package init(
    _ employee: EmployeeProfile, endsAt: Instant, happened: [RehearsalStep: Instant] = [:]
  ) {
    self.employee = employee
    self.endsAt = endsAt
    self.happened = happened
  }
}
