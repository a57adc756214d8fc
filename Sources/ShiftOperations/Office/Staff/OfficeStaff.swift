import Cryptography
import Postgres
public import ShiftDomain
public import ShiftStore

/// An employee with all settings.
public typealias StaffRow = ShiftStore.StaffRecord

/// The settings of an employee.
public struct StaffWish: Hashable, Sendable {
  /// Their name; 1…100 characters, not blank.
  public var name: String
  /// Where their notifications are also sent; `nil`: nowhere.
  public var email: String?
  /// Their team.
  public var team: TeamID

  /// Settings.
  public init(name: String, email: String? = nil, team: TeamID) {
    self.name = name
    self.email = email
    self.team = team
  }
}

/// The outcome of a request to add or change an employee.
public enum StaffOutcome: Hashable, Sendable {
  /// Done.
  case kept(StaffRow)
  /// The team does not exist.
  case noSuchTeam
  /// The e-mail address is invalid.
  case noAddress
  /// Another employee has the number.
  case numberTaken
  /// The team cannot be changed now: this open shift is under the policy of the old team.
  case onShift(ShiftID)
  /// It changed since the caller read it; this is the current value.
  case changedMeanwhile(StaffRow)
}

extension StaffRecord {
  /// Identifies this content, for `If-Match`.
  public var tag: String { contentTag([name, email ?? "", String(team.rawValue)]) }

  var wish: StaffWish { StaffWish(name: name, email: email, team: team) }
}

/// Identifies these texts.
func contentTag(_ texts: [String]) -> String {
  Base64URL.encode(Array(sha256(Array(texts.joined(separator: "\0").utf8)).prefix(12)))
}

extension Operations {
  /// Employees by number, one page at a time.
  /// - Parameters:
  ///   - team: Only this team.
  ///   - text: Only names that contain this, ignoring case.
  ///   - after: Only higher numbers: the last of the previous page.
  /// - Throws: `.unavailable`, `.broken`.
  public func staff(
    of team: TeamID? = nil, named text: String? = nil, after: EmployeeID? = nil, limit: Int
  ) async throws(OperationError) -> [StaffRow] {
    try await read { (session) throws(PostgresError) in
      try ShiftStore.staff(
        of: team, named: text, after: after, limit: Int32(clamping: limit), on: &session)
    }
  }

  /// One employee.
  /// - Throws: `.notFound`, `.unavailable`, `.broken`.
  public func staffMember(_ employee: EmployeeID) async throws(OperationError) -> StaffRow {
    let rows = try await read { (session) throws(PostgresError) in
      try ShiftStore.staff([employee], on: &session)
    }
    guard let row = rows.first else { throw .employeeNotFound(employee) }
    return row
  }

  /// Adds an employee under `number`, or under the next free one.
  /// - Throws: `.invalid`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func addStaff(_ number: EmployeeID?, _ wish: StaffWish, by viewer: Viewer)
    async throws(OperationError) -> StaffOutcome
  {
    try check(name: wish.name)
    if let number, number.rawValue < 1 { throw .invalid("an employee number must be positive") }
    let at = now()
    return try await transact { (session) throws(PostgresError) in
      if let fault = try fault(of: wish, on: &session) { return .done(fault) }
      if let number, try !ShiftStore.staff([number], on: &session).isEmpty {
        return .done(.numberTaken)
      }
      let employee = try ShiftStore.addEmployee(
        number, name: wish.name, team: wish.team, on: &session)
      let bare = StaffRecord(employee, name: wish.name, email: nil, team: wish.team)
      let row = StaffRecord(employee, name: wish.name, email: wish.email, team: wish.team)
      if row != bare { try session.execute(change(bare, to: row)) }
      try audit(.employeeAdded, by: viewer, at: at, about: employee, on: &session)
      return .done(.kept(row))
    }
  }

  /// Changes an employee. The policy of a new team counts from the next decision on; while a shift
  /// is open, the team cannot be changed.
  /// - Parameter tags: The tags that the caller may have read; `nil`: no check.
  /// - Throws: `.invalid`, `.notFound`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func changeStaff(
    _ employee: EmployeeID, matching tags: Set<String>? = nil, by viewer: Viewer,
    to wish: @Sendable (StaffWish) -> StaffWish
  ) async throws(OperationError) -> StaffOutcome {
    let at = now()
    return try await transact { (session) throws(PostgresError) in
      guard let old = try ShiftStore.staff([employee], on: &session).first else {
        return .refused(.employeeNotFound(employee))
      }
      if let tags, !tags.contains(old.tag) { return .done(.changedMeanwhile(old)) }
      let wished = wish(old.wish)
      guard wished != old.wish else { return .done(.kept(old)) }
      if let fault = try fault(of: wished, on: &session) { return .done(fault) }
      let new = StaffRecord(
        employee, name: wished.name, email: wished.email, team: wished.team,
        openShift: old.openShift)
      if new.team != old.team {
        if let shift = old.openShift {
          return .done(.onShift(ShiftID(employee: employee, number: shift)))
        }
        guard try session.execute(moveVersionOffShift(of: employee)) == 1 else { return .lost }
      }
      guard try session.execute(change(old, to: new)) == 1 else { return .lost }
      try audit(.employeeChanged, by: viewer, at: at, about: employee, on: &session)
      return .done(.kept(new))
    }
  }

  private func fault(of wish: StaffWish, on session: inout Session) throws(PostgresError)
    -> StaffOutcome?
  {
    if let email = wish.email, !isAddress(email) { return .noAddress }
    let isTeam = try unknownTeam(among: [wish.team: .all], on: &session) == nil
    return isTeam ? nil : .noSuchTeam
  }
}
