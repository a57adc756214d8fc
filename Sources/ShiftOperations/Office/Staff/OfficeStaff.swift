import Cryptography
import Postgres
public import ShiftDomain
public import ShiftStore

/// An employee with all that an administrator sets.
public typealias StaffRow = ShiftStore.StaffRecord

/// What is to be kept of an employee.
public struct StaffWish: Hashable, Sendable {
  /// Their name; 1…100 characters, not only spaces.
  public var name: String
  /// Where their messages are repeated; `nil`: nowhere.
  public var email: String?
  /// Their team.
  public var team: TeamID

  /// What is to be kept.
  public init(name: String, email: String? = nil, team: TeamID) {
    self.name = name
    self.email = email
    self.team = team
  }
}

/// What became of the wish to add or change an employee.
public enum StaffOutcome: Hashable, Sendable {
  /// It is so.
  case kept(StaffRow)
  /// There is no such team.
  case noSuchTeam
  /// The address is none.
  case noAddress
  /// Somebody else has the number.
  case numberTaken
  /// The team cannot change now: this shift, open, is under the policy of the old one.
  case onShift(ShiftID)
  /// It is no longer as the caller read it, but so.
  case changedMeanwhile(StaffRow)
}

extension StaffRecord {
  /// Tells this content from any other: what `If-Match` compares.
  public var tag: String { contentTag([name, email ?? "", String(team.rawValue)]) }

  var wish: StaffWish { StaffWish(name: name, email: email, team: team) }
}

/// Tells these texts from others.
func contentTag(_ texts: [String]) -> String {
  Base64URL.encode(Array(sha256(Array(texts.joined(separator: "\0").utf8)).prefix(12)))
}

extension Operations {
  /// Employees by number, so many at once.
  /// - Parameters:
  ///   - team: Only this team's.
  ///   - text: Only those whose name holds this, in either case.
  ///   - after: Only those whose number is higher: the last of the page before.
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
    if let number, number.rawValue < 1 { throw .invalid("an employee's number is above zero") }
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

  /// Changes an employee. Another team's policy holds from the next decision on; while a shift is
  /// open the team cannot change.
  /// - Parameter tags: What the caller read, one of them; `nil`: whatever it is now.
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
