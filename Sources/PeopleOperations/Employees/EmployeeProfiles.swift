import Cryptography
import ManagerCore
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package struct EmployeeDetails: Hashable, Sendable {
  /// Their name; 1…100 characters, not blank.
  package var name: String
  /// Where their notifications are also sent; `nil`: nowhere.
  package var email: String?
  /// Where a manager can call them: at least 3 digits, and up to 31 digits, spaces and signs.
  package var phoneNumber: String?
  package var team: TeamID

  package init(name: String, email: String? = nil, phoneNumber: String? = nil, team: TeamID) {
    self.name = name
    self.email = email
    self.phoneNumber = phoneNumber
    self.team = team
  }
}

package enum EmployeeOutcome: Hashable, RefusableAnswer {
  case kept(EmployeeProfile)
  case noSuchTeam(TeamID)
  case noAddress
  case noPhoneNumber
  case numberTaken
  /// An employee who was erased had it, and the caller did not allow to reuse it.
  case numberUsed(EmployeeID)
  /// A practice employee stays in the practice team, which everybody else may not join.
  case staysInPractice
  /// The open shift is under the policy of the old team.
  case onShift(ShiftID)
  /// This is the current value.
  case changedMeanwhile(EmployeeProfile)

  package func get() throws(Refusal) -> EmployeeProfile {
    switch self {
    case .kept(let row): row
    case .noSuchTeam(let team): throw .unknown("/team", "team \(team.rawValue)")
    case .noAddress: throw .invalid("/email", "the e-mail address is not valid")
    case .noPhoneNumber:
      throw .invalid(
        "/phoneNumber",
        """
        a phone number may begin with `+`, has 3 digits or more, and at most 31 characters: \
        digits, spaces and `( ) . / -`
        """)
    case .staysInPractice:
      throw .conflict("practice_employee", "a practice employee stays in the practice team")
    case .numberTaken: throw .conflict("number_taken", "another employee has this number")
    case .numberUsed(let employee):
      throw .conflict(
        numberUsedCode,
        """
        number \(employee.rawValue) belonged to an employee who was erased; leave the number out, \
        or allow to reuse it
        """)
    case .onShift(let shift):
      throw .conflict(
        "on_shift", "the team cannot be changed until the open shift ends", .shift(shift))
    case .changedMeanwhile(let row): throw .changed("employee", .employee(row))
    }
  }
}

/// The code of a refusal that reusing the number would avoid.
package let numberUsedCode = "number_used"

extension EmployeeProfile {
  package var tag: String {
    contentTag([name, email ?? "", phoneNumber ?? "", String(team.rawValue)])
  }

  package var openShiftID: ShiftID? { openShift.map { ShiftID(employee: employee, number: $0) } }

  var details: EmployeeDetails {
    EmployeeDetails(name: name, email: email, phoneNumber: phoneNumber, team: team)
  }
}

extension PeopleOperations {
  /// Employees by number, one page at a time.
  /// - Parameters:
  ///   - text: Only names that contain this, ignoring case.
  ///   - isActive: Only active or only inactive ones; `nil`: all.
  ///   - after: Only higher numbers: the last of the previous page.
  package func employees(
    of team: TeamID? = nil, named text: String? = nil, isActive: Bool? = nil,
    after: EmployeeID? = nil, limit: Int
  ) async throws(OperationError) -> [EmployeeProfile] {
    try await core.read { (session) throws(PostgresError) in
      try ShiftStore.employeeProfiles(
        of: team, named: text, isActive: isActive, after: after,
        limit: Int32(clamping: limit), on: &session)
    }
  }

  package func employee(_ employee: EmployeeID) async throws(OperationError)
    -> EmployeeProfile
  {
    let rows = try await core.read { (session) throws(PostgresError) in
      try ShiftStore.employeeProfiles([employee], on: &session)
    }
    guard let row = rows.first else { throw .employeeNotFound(employee) }
    return row
  }

  /// - Parameters:
  ///   - number: `nil`: the next one that was never used.
  ///   - mayReuse: Whether `number` may be one that an erased employee had.
  package func addEmployee(
    _ number: EmployeeID?, mayReuse: Bool = false, _ details: EmployeeDetails,
    by principal: Principal
  ) async throws(OperationError) -> EmployeeOutcome {
    try checkName(details.name)
    if let number, number.rawValue < 1 { throw .invalid("an employee number must be positive") }
    let at = core.now()
    return try await core.transact { (session) throws(PostgresError) in
      if let fault = try fault(of: details, from: nil, on: &session) { return .done(fault) }
      // From here on nobody else takes a number, so that what is read of it stays true.
      try session.execute(holdNumbers)
      if let number, try !ShiftStore.employeeProfiles([number], on: &session).isEmpty {
        return .done(.numberTaken)
      }
      if let number, !mayReuse, try !erasedNumbers(among: [number], on: &session).isEmpty {
        return .done(.numberUsed(number))
      }
      let employee = try ShiftStore.addEmployee(
        number, name: details.name, team: details.team, on: &session)
      let bare = EmployeeProfile(employee, name: details.name, email: nil, team: details.team)
      let row = EmployeeProfile(
        employee, name: details.name, email: details.email, phoneNumber: details.phoneNumber,
        team: details.team)
      if row != bare { try session.execute(change(bare, to: row)) }
      try audit(.employeeAdded, by: principal, at: at, about: employee, on: &session)
      return .done(.kept(row))
    }
  }

  /// Changes an employee. The policy of a new team counts from the next decision on; while a shift
  /// is open, the team cannot be changed. Notifications that wait are sent to a new address at
  /// once.
  /// - Parameter tags: The tags that the caller may have read; `nil`: no check.
  package func changeEmployee(
    _ employee: EmployeeID, matching tags: Set<String>? = nil, by principal: Principal,
    _ edit: @Sendable (inout EmployeeDetails) -> Void
  ) async throws(OperationError) -> EmployeeOutcome {
    let (at, fixedNow) = (core.now(), core.deadlines?())
    return try await core.transact { (session) throws(PostgresError) in
      guard let old = try ShiftStore.employeeProfiles([employee], on: &session).first else {
        return .refused(.employeeNotFound(employee))
      }
      if let tags, !tags.contains(old.tag) { return .done(.changedMeanwhile(old)) }
      var edited = old.details
      edit(&edited)
      guard edited != old.details else { return .done(.kept(old)) }
      do throws(OperationError) { try checkName(edited.name) } catch { return .refused(error) }
      if let fault = try fault(of: edited, from: old, on: &session) { return .done(fault) }
      let new = EmployeeProfile(
        employee, name: edited.name, email: edited.email, phoneNumber: edited.phoneNumber,
        team: edited.team, openShift: old.openShift, deactivatedAt: old.deactivatedAt,
        practiceUntil: old.practiceUntil)
      if new.team != old.team {
        if let shift = old.openShift {
          return .done(.onShift(ShiftID(employee: employee, number: shift)))
        }
        guard try bumpVersionOffShift(of: employee, on: &session) else { return .lost }
        try session.execute(unnameSites(of: [employee]))
      }
      guard try session.execute(change(old, to: new)) == 1 else { return .lost }
      if new.team != old.team {
        let digests = try takeDigests(waitingWith: [employee], on: &session)
        try passOn(digests[employee] ?? [], of: old.team, on: &session)
      }
      try audit(.employeeChanged, by: principal, at: at, about: employee, on: &session)
      guard let email = new.email, email != old.email else { return .done(.kept(new)) }
      let waiting = try session.execute(deliverNow(notificationsOf: employee, at: fixedNow))
      return waiting > 0 ? .queued(.kept(new)) : .done(.kept(new))
    }
  }

  /// Why an employee cannot be added with these details, or changed from `old` to them.
  private func fault(
    of details: EmployeeDetails, from old: EmployeeProfile?, on session: inout Session
  ) throws(PostgresError) -> EmployeeOutcome? {
    if let email = details.email, !isAddress(email) { return .noAddress }
    if let number = details.phoneNumber, !isPhoneNumber(number) { return .noPhoneNumber }
    guard details.team != old?.team else { return nil }
    if old?.practiceUntil != nil { return .staysInPractice }
    let isTeam = try unknownTeam(among: [details.team: .all], on: &session) == nil
    return isTeam ? nil : .noSuchTeam(details.team)
  }
}

/// The database has the same rule.
func isPhoneNumber(_ text: String) -> Bool {
  text.utf8.count <= 31
    && text.wholeMatch(of: /[+]?([ ().\/\-]*[0-9]){3}[0-9 ().\/\-]*/) != nil
}
