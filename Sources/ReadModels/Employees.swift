import GuardRules
import ShiftDomain

/// An employee with all settings.
package struct EmployeeProfile: Hashable, Sendable {
  package var employee: EmployeeID
  package var name: String
  /// Where their notifications are also sent; `nil`: nowhere.
  package var email: String?
  /// Where a manager can call them, as entered; `nil`: unknown.
  package var phoneNumber: String?
  package var team: TeamID
  /// The open shift's number; `nil` off shift.
  package var openShift: Int32?
  /// Since when they cannot clock in, because they have left; `nil`: they are active.
  package var deactivatedAt: Instant?
  /// When the rehearsal of a practice employee is over, who is erased then; `nil`: no practice.
  package var practiceUntil: Instant?

  package init(
    _ employee: EmployeeID, name: String, email: String?, phoneNumber: String? = nil,
    team: TeamID, openShift: Int32? = nil, deactivatedAt: Instant? = nil,
    practiceUntil: Instant? = nil
  ) {
    self.employee = employee
    self.name = name
    self.email = email
    self.phoneNumber = phoneNumber
    self.team = team
    self.openShift = openShift
    self.deactivatedAt = deactivatedAt
    self.practiceUntil = practiceUntil
  }
}

/// A phone number for a `tel:` or `sms:` address: without what people write for readers, such as
/// the `(0)` in `+44 (0)20 7946 0000`.
package func dialled(_ phoneNumber: String) -> String {
  let isInternational = phoneNumber.hasPrefix("+") || phoneNumber.hasPrefix("00")
  let text = isInternational ? phoneNumber.replacing("(0)", with: "") : phoneNumber
  return text.filter { $0.isNumber || $0 == "+" }
}

/// A planned shift.
package struct PlannedShift: Hashable, Sendable {
  /// Its id, which sorts by time (`Instant.firstID`); unique within the employee.
  package var id: Int64
  package var employee: EmployeeID
  /// Its planned span.
  package var span: Interval
  /// The name of its author.
  package var createdBy: String
  /// The numbers of the team's sites that it names, in order; none: all of them are meant.
  package var sites: [Int16]

  /// How long it may last.
  package static let lengthMax = TimeSpan.hours(24)

  /// How many sites it may name.
  package static let sitesMax = 20

  package init(
    id: Int64, employee: EmployeeID, span: Interval, createdBy: String, sites: [Int16] = []
  ) {
    self.id = id
    self.employee = employee
    self.span = span
    self.createdBy = createdBy
    self.sites = sites
  }
}

/// An employee for whom time alone causes a change.
package struct DueEmployee: Hashable, Sendable {
  package var employee: EmployeeID
  /// Since when it is due.
  package var dueAt: Instant

  package init(employee: EmployeeID, dueAt: Instant) {
    (self.employee, self.dueAt) = (employee, dueAt)
  }
}

/// An override as stored and listed.
package struct OverrideRow: Hashable, Sendable {
  /// The employee it is for.
  package var employee: EmployeeID
  /// Its number within the employee, from 1.
  package var number: Int32
  /// The findings that it allows.
  package var findings: FindingSet
  /// Its author: a manager, or the employee.
  package var author: OverrideAuthor
  /// Their name; 1…100 characters.
  package var givenBy: String
  /// The reason; 1…500 characters.
  package var reason: String
  package var createdAt: Instant
  package var expiresAt: Instant
  /// When it was withdrawn; `nil` if it was not.
  package var withdrawnAt: Instant?
  /// The shift that used it; `nil` while unused.
  package var usedShift: Int32?
  /// What it allowed there: the findings that would have blocked; empty while unused.
  package var overridden: FindingSet

  /// An override; by default unused and not withdrawn.
  package init(
    employee: EmployeeID, number: Int32, findings: FindingSet, author: OverrideAuthor,
    givenBy: String, reason: String, createdAt: Instant, expiresAt: Instant,
    withdrawnAt: Instant? = nil, usedShift: Int32? = nil, overridden: FindingSet = []
  ) {
    self.employee = employee
    self.number = number
    self.findings = findings
    self.author = author
    self.givenBy = givenBy
    self.reason = reason
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.withdrawnAt = withdrawnAt
    self.usedShift = usedShift
    self.overridden = overridden
  }

  /// Whether a clock-in at `now` may use it. Its creation time does not matter: the clock of the
  /// instance that created it may be ahead.
  package func serves(at now: Instant) -> Bool {
    usedShift == nil && withdrawnAt == nil && expiresAt > now
  }

  /// What the rules need to know of it.
  package var asOverride: Override { Override(number: number, findings: findings, author: author) }
}

/// A version of the text that tells employees what data about them is stored.
package struct PrivacyNotice: Hashable, Sendable {
  /// The version, from 1.
  package var version: Int32
  package var text: String
  package var createdAt: Instant

  package init(version: Int32, text: String, createdAt: Instant) {
    self.version = version
    self.text = text
    self.createdAt = createdAt
  }
}

/// An employee in a list that shows only these.
package struct NamedEmployee: Hashable, Sendable {
  package var name: String
  package var team: TeamID

  package init(name: String, team: TeamID) { (self.name, self.team) = (name, team) }
}
