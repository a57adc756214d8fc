import ShiftDomain

/// What a new installation needs before it is in use, derived from what is stored.
package struct Checklist: Hashable, Sendable {
  /// In the order in which they are done.
  package enum Step: CaseIterable, Hashable, Sendable {
    case team, employee, phone
    /// A phone has sent a position on shift.
    case position
    case contact
    /// Push or e-mail; known to the program that sends them, and not stored.
    case channels
    case privacyNotice, rehearsal
  }

  package var done: Set<Step> = []
  /// The first team and the first employee, to whose pages the next steps lead.
  package var team: TeamID?
  package var employee: EmployeeID?

  package init() {}
}
