import Cryptography
import Postgres
public import ShiftDomain
public import ShiftStore

/// What somebody of the office may do.
public typealias AccessRole = ShiftStore.AccessRole

/// What is to be kept of somebody who logs in.
public struct AccountWish: Hashable, Sendable {
  /// How they are named in what they do; 1…100 characters.
  public var name: String
  /// What they may do.
  public var role: AccessRole
  /// What a manager may see; empty for an administrator.
  public var teams: [TeamID: TeamRights]
  /// The employee that they are themselves; `nil`: none.
  public var employee: EmployeeID?

  /// An account's settings.
  public init(
    name: String, role: AccessRole, teams: [TeamID: TeamRights] = [:],
    employee: EmployeeID? = nil
  ) {
    self.name = name
    self.role = role
    self.teams = teams
    self.employee = employee
  }
}

/// An account as listed; nothing of its password.
public struct AccountRow: Hashable, Sendable {
  /// Its number.
  public var account: AccountID
  /// Whereby they log in.
  public var email: String
  /// Its settings.
  public var settings: AccountWish
  /// When it was made.
  public var createdAt: Instant
  /// When it was disabled; `nil` while it may log in.
  public var disabledAt: Instant?
}

/// What became of the wish to add or change an account.
public enum AccountOutcome: Hashable, Sendable {
  /// It is so.
  case kept(AccountRow)
  /// Another account has that address.
  case emailTaken
  /// The password may not be set.
  case weak(PasswordFault)
  /// There is no such team.
  case noSuchTeam(TeamID)
  /// There is no such employee.
  case noSuchEmployee(EmployeeID)
  /// Without it nobody could administer.
  case lastAdministrator
}

extension Operations {
  /// Every account, by number.
  /// - Throws: `.unavailable`, `.broken`.
  public func accounts() async throws(OperationError) -> [AccountRow] {
    try await read { (session) throws(PostgresError) in
      try ShiftStore.accounts(on: &session).map { AccountRow($0) }
    }
  }

  /// One account.
  /// - Throws: `.notFound`, `.unavailable`, `.broken`.
  public func account(_ number: AccountID) async throws(OperationError) -> AccountRow {
    let rows = try await read { (session) throws(PostgresError) in
      try ShiftStore.accounts(number: number, on: &session)
    }
    guard let row = rows.first else { throw .accountNotFound(number) }
    return AccountRow(row)
  }

  /// Adds an account.
  /// - Parameters:
  ///   - email: 3…254 characters with one `@` and no white space; its case does not matter.
  ///   - viewer: Who adds it; their right to is not asked here.
  /// - Throws: `.invalid`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func addAccount(
    email: String, _ wish: AccountWish, password: Password, by viewer: Viewer
  ) async throws(OperationError) -> AccountOutcome {
    let email = email.lowercased()
    guard isAddress(email) else { throw .invalid("`\(email)` is no address") }
    try wish.check()
    if let fault = password.fault(email: email, name: wish.name) { return .weak(fault) }
    let hash = try await passwords.hash(password.bytes)
    let at = now()
    return try await transact { (session) throws(PostgresError) in
      guard try ShiftStore.accounts(email: email, on: &session).isEmpty else {
        return .done(.emailTaken)
      }
      if let refusal = try refusal(of: wish, on: &session) { return .done(refusal) }
      var record = AccountRecord(
        AccountID(0), email: email, name: wish.name, role: wish.role, password: hash.text,
        teams: wish.teams, employee: wish.employee, createdAt: at)
      record.account = try ShiftStore.addAccount(record, on: &session)
      try audit(
        .accountAdded, by: viewer, at: at, target: record.account.rawValue, on: &session)
      return .done(.kept(AccountRow(record)))
    }
  }

  /// Changes an account's settings. What its sessions may see changes with their next request, and
  /// so do their secrets.
  /// - Throws: `.invalid`, `.notFound`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func changeAccount(_ number: AccountID, to wish: AccountWish, by viewer: Viewer)
    async throws(OperationError) -> AccountOutcome
  {
    try wish.check()
    return try await change(number, .accountChanged, by: viewer) { record in
      record.name = wish.name
      record.role = wish.role
      record.teams = wish.teams
      record.employee = wish.employee
    }
  }

  /// Keeps an account from logging in, and ends its sessions; or lets it log in again.
  /// - Throws: `.notFound`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func setAccount(_ number: AccountID, isDisabled: Bool, by viewer: Viewer)
    async throws(OperationError) -> AccountOutcome
  {
    let at = now()
    let action = isDisabled ? AuditAction.accountDisabled : .accountEnabled
    return try await change(number, action, by: viewer) { record in
      record.disabledAt = isDisabled ? record.disabledAt ?? at : nil
    }
  }

  /// Gives an account a new password, and ends its sessions.
  /// - Throws: `.notFound`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func resetPassword(of number: AccountID, to password: Password, by viewer: Viewer)
    async throws(OperationError) -> AccountOutcome
  {
    let row = try await account(number)
    if let fault = password.fault(email: row.email, name: row.settings.name) {
      return .weak(fault)
    }
    let hash = try await passwords.hash(password.bytes)
    let (at, moved) = (now(), deadlines?())
    return try await transact { (session) throws(PostgresError) in
      guard let record = try ShiftStore.accounts(number: number, on: &session).first else {
        return .refused(.accountNotFound(number))
      }
      let set = setPassword(hash.text, of: number, insteadOf: record.password)
      guard try session.execute(set) == 1 else { return .lost }
      try session.execute(endSessions(of: number, now: moved))
      try audit(.passwordReset, by: viewer, at: at, target: number.rawValue, on: &session)
      return .done(.kept(AccountRow(record)))
    }
  }

  private func change(
    _ number: AccountID, _ action: AuditAction, by viewer: Viewer,
    _ alter: @Sendable (inout AccountRecord) -> Void
  ) async throws(OperationError) -> AccountOutcome {
    let (at, moved) = (now(), deadlines?())
    return try await transact { (session) throws(PostgresError) in
      let records = try ShiftStore.accounts(on: &session)
      guard let old = records.first(where: { $0.account == number }) else {
        return .refused(.accountNotFound(number))
      }
      var new = old
      alter(&new)
      guard new != old else { return .done(.kept(AccountRow(old))) }
      let refused = try refusal(of: AccountRow(new).settings, on: &session)
      if let refused, new.disabledAt == nil { return .done(refused) }
      let others = records.filter { $0.account != number }
      guard new.mayAdminister || !old.mayAdminister || others.contains(where: \.mayAdminister)
      else { return .done(.lastAdministrator) }
      try session.pipeline(update(new))
      try session.execute(
        new.disabledAt == nil
          ? hastenRenewal(of: number, now: moved) : endSessions(of: number, now: moved))
      try audit(action, by: viewer, at: at, target: number.rawValue, on: &session)
      return .done(.kept(AccountRow(new)))
    }
  }

  private func refusal(of wish: AccountWish, on session: inout Session) throws(PostgresError)
    -> AccountOutcome?
  {
    if let team = try unknownTeam(among: wish.teams, on: &session) { return .noSuchTeam(team) }
    if let employee = wish.employee, try ShiftStore.team(of: employee, on: &session) == nil {
      return .noSuchEmployee(employee)
    }
    return nil
  }
}

extension AccountWish {
  fileprivate func check() throws(OperationError) {
    try Officer(name: name).check(reason: nil)
    guard role == .manager || teams.isEmpty else {
      throw .invalid("an administrator sees every team")
    }
    guard teams.values.allSatisfy({ !$0.isEmpty && TeamRights.all.isSuperset(of: $0) }) else {
      throw .invalid("a team is seen with a right or not at all")
    }
  }
}

extension AccountRow {
  init(_ record: AccountRecord) {
    self.init(
      account: record.account, email: record.email,
      settings: AccountWish(
        name: record.name, role: record.role, teams: record.teams, employee: record.employee),
      createdAt: record.createdAt, disabledAt: record.disabledAt)
  }
}

extension AccountRecord {
  fileprivate var mayAdminister: Bool { role == .administrator && disabledAt == nil }

  /// Who they are when they are let in.
  var viewer: Viewer {
    Viewer(
      officer: Officer(name: name, employee: employee), role: role, teams: teams,
      account: account)
  }
}

extension OperationError {
  static func accountNotFound(_ account: AccountID) -> OperationError {
    .notFound("account \(account.rawValue)")
  }
}
