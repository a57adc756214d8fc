import Cryptography
import OperationCore
import Postgres
import ShiftDomain
import ShiftStore

/// The role of a manager, administrator or API token.
package typealias AccessRole = ShiftStore.AccessRole

/// The settings of an account.
package struct AccountSettings: Hashable, Sendable {
  /// The name shown for their actions; 1…100 characters.
  package var name: String
  /// Their role.
  package var role: AccessRole
  /// What a manager may see; empty for an administrator.
  package var teams: [TeamID: TeamRights]
  /// Their own employee number; `nil`: none.
  package var employee: EmployeeID?

  /// An account's settings.
  package init(
    name: String, role: AccessRole, teams: [TeamID: TeamRights] = [:],
    employee: EmployeeID? = nil
  ) {
    self.name = name
    self.role = role
    self.teams = teams
    self.employee = employee
  }
}

/// An account as listed, without its password.
package struct AccountRow: Hashable, Sendable {
  /// Its number.
  package var account: AccountID
  /// The e-mail address used to log in.
  package var email: String
  /// Its settings.
  package var settings: AccountSettings
  /// When it was created.
  package var createdAt: Instant
  /// When it was disabled; `nil` while login is allowed.
  package var disabledAt: Instant?
}

package enum AccountOutcome: Hashable, Sendable {
  case kept(AccountRow)
  case emailTaken
  case weak(PasswordFault)
  case noSuchTeam(TeamID)
  case noSuchEmployee(EmployeeID)
  case lastAdministrator
  /// This is the current value.
  case changedMeanwhile(AccountRow)

  package func get() throws(Refusal) -> AccountRow {
    switch self {
    case .kept(let row): row
    case .emailTaken: throw .conflict("email_taken", "another account has this e-mail address")
    case .weak(let fault): throw fault.refusal(at: "/password")
    case .noSuchTeam(let team): throw .unknown("/teams", "team \(team.rawValue)")
    case .noSuchEmployee(let employee):
      throw .unknown("/employee", "employee \(employee.rawValue)")
    case .lastAdministrator:
      throw .conflict(
        "last_administrator",
        "this is the last active administrator; add another administrator first")
    case .changedMeanwhile(let row): throw .changed("account", .account(row))
    }
  }
}

extension AccountRow {
  /// Identifies this content, for `If-Match`.
  package var tag: String {
    let teams = settings.teams.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\($0.key.rawValue):\($0.value.rawValue)" }
    let employee = settings.employee.map { String($0.rawValue) } ?? ""
    let state = disabledAt == nil ? "" : "disabled"
    return contentTag([settings.name, settings.role.code, employee, state] + teams)
  }
}

extension ManagerOperations {
  /// Every account, by number.
  /// - Throws: `.unavailable`, `.broken`.
  package func accounts() async throws(OperationError) -> [AccountRow] {
    try await core.read { (session) throws(PostgresError) in
      try ShiftStore.accounts(on: &session).map { AccountRow($0) }
    }
  }

  /// One account.
  /// - Throws: `.notFound`, `.unavailable`, `.broken`.
  package func account(_ number: AccountID) async throws(OperationError) -> AccountRow {
    let rows = try await core.read { (session) throws(PostgresError) in
      try ShiftStore.accounts(number: number, on: &session)
    }
    guard let row = rows.first else { throw .accountNotFound(number) }
    return AccountRow(row)
  }

  /// Adds an account.
  /// - Parameters:
  ///   - email: 3…254 characters with one `@` and no white space; its case does not matter.
  ///   - principal: Who adds it; their right to do so is not checked here.
  /// - Throws: `.invalid`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  package func addAccount(
    email: String, _ settings: AccountSettings, password: Password, by principal: Principal
  ) async throws(OperationError) -> AccountOutcome {
    let email = email.lowercased()
    guard isAddress(email) else { throw .invalid("the e-mail address is not valid") }
    try settings.check()
    if let fault = password.fault(email: email, name: settings.name) { return .weak(fault) }
    let hash = try await passwords.hash(password.bytes)
    let at = core.now()
    return try await core.transact { (session) throws(PostgresError) in
      guard try ShiftStore.accounts(email: email, on: &session).isEmpty else {
        return .done(.emailTaken)
      }
      if let refusal = try refusal(of: settings, on: &session) { return .done(refusal) }
      var record = AccountRecord(
        AccountID(0), email: email, name: settings.name, role: settings.role, password: hash.text,
        teams: settings.teams, employee: settings.employee, createdAt: at)
      record.account = try ShiftStore.addAccount(record, on: &session)
      try audit(
        .accountAdded, by: principal, at: at, target: record.account.rawValue, on: &session)
      return .done(.kept(AccountRow(record)))
    }
  }

  /// Changes an account, all or nothing. The rights of its sessions change with their next request,
  /// and so do their secrets. Disabling it or setting a new password logs it out everywhere.
  /// - Parameters:
  ///   - tags: The tags that the caller may have read; `nil`: no check.
  ///   - isDisabled: Whether login is disabled; `nil`: as before.
  ///   - password: A new one; `nil`: as before.
  ///   - edit: The new settings, made from the current ones.
  /// - Throws: `.invalid`, `.notFound`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  package func changeAccount(
    _ number: AccountID, matching tags: Set<String>? = nil, isDisabled: Bool? = nil,
    password: Password? = nil, by principal: Principal,
    to edit: @Sendable (AccountSettings) -> AccountSettings = { $0 }
  ) async throws(OperationError) -> AccountOutcome {
    var hash: PasswordHash?
    if let password {
      let row = try await account(number)
      let name = edit(row.settings).name
      if let fault = password.fault(email: row.email, name: name) { return .weak(fault) }
      hash = try await passwords.hash(password.bytes)
    }
    let at = core.now()
    return try await change(number, matching: tags, password: hash, by: principal) {
      (record) throws(OperationError) in
      let edited = edit(AccountRow(record).settings)
      try edited.check()
      record.name = edited.name
      record.role = edited.role
      record.teams = edited.teams
      record.employee = edited.employee
      if let isDisabled { record.disabledAt = isDisabled ? record.disabledAt ?? at : nil }
    }
  }

  /// Disables an account and ends its sessions, or enables it again.
  /// - Throws: `.notFound`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  package func setAccount(_ number: AccountID, isDisabled: Bool, by principal: Principal)
    async throws(OperationError) -> AccountOutcome
  {
    try await changeAccount(number, isDisabled: isDisabled, by: principal)
  }

  /// Sets a new password for an account, and ends its sessions.
  /// - Throws: `.notFound`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  package func resetPassword(of number: AccountID, to password: Password, by principal: Principal)
    async throws(OperationError) -> AccountOutcome
  {
    try await changeAccount(number, password: password, by: principal)
  }

  private func change(
    _ number: AccountID, matching tags: Set<String>?, password: PasswordHash?,
    by principal: Principal,
    _ alter: @Sendable (inout AccountRecord) throws(OperationError) -> Void
  ) async throws(OperationError) -> AccountOutcome {
    let (at, fixedNow) = (core.now(), core.deadlines?())
    return try await core.transact { (session) throws(PostgresError) in
      try session.execute(holdAccounts)
      let records = try ShiftStore.accounts(on: &session)
      guard let old = records.first(where: { $0.account == number }) else {
        return .refused(.accountNotFound(number))
      }
      if let tags, !tags.contains(AccountRow(old).tag) {
        return .done(.changedMeanwhile(AccountRow(old)))
      }
      var new = old
      do throws(OperationError) { try alter(&new) } catch { return .refused(error) }
      guard new != old || password != nil else { return .done(.kept(AccountRow(old))) }
      // This also checks a disabled account; but unchanged settings do not prevent disabling.
      let isOtherwise = AccountRow(new).settings != AccountRow(old).settings
      let mayLogInAgain = new.disabledAt == nil && old.disabledAt != nil
      if isOtherwise || mayLogInAgain,
        let refused = try refusal(of: AccountRow(new).settings, on: &session)
      {
        return .done(refused)
      }
      let others = records.filter { $0.account != number }
      guard new.mayAdminister || !old.mayAdminister || others.contains(where: \.mayAdminister)
      else { return .done(.lastAdministrator) }
      try session.pipeline(update(new))
      if let password {
        try session.execute(setPassword(password.text, of: number, insteadOf: old.password))
      }
      try session.execute(
        new.disabledAt == nil && password == nil
          ? renewSoon(of: number, now: fixedNow) : endSessions(of: number, now: fixedNow))
      for action in AuditAction.changes(from: old, to: new, hasPassword: password != nil) {
        try audit(action, by: principal, at: at, target: number.rawValue, on: &session)
      }
      return .done(.kept(AccountRow(new)))
    }
  }

  private func refusal(of settings: AccountSettings, on session: inout Session)
    throws(PostgresError)
    -> AccountOutcome?
  {
    if let team = try unknownTeam(among: settings.teams, on: &session) { return .noSuchTeam(team) }
    if let employee = settings.employee, try ShiftStore.team(of: employee, on: &session) == nil {
      return .noSuchEmployee(employee)
    }
    return nil
  }
}

extension AccountSettings {
  fileprivate func check() throws(OperationError) {
    try checkName(name)
    guard role == .manager || teams.isEmpty else {
      throw .invalid("an administrator sees every team; do not list teams")
    }
    guard teams.values.allSatisfy({ !$0.isEmpty && TeamRights.all.isSuperset(of: $0) }) else {
      throw .invalid("each team needs at least one right: `coverage` or `track`")
    }
  }
}

extension AccountRow {
  init(_ record: AccountRecord) {
    self.init(
      account: record.account, email: record.email,
      settings: AccountSettings(
        name: record.name, role: record.role, teams: record.teams, employee: record.employee),
      createdAt: record.createdAt, disabledAt: record.disabledAt)
  }
}

extension AccountRecord {
  fileprivate var mayAdminister: Bool { role == .administrator && disabledAt == nil }

  /// The principal when logged in.
  var principal: Principal {
    Principal(
      actor: AuditActor(name: name, employee: employee), role: role, teams: teams,
      account: account)
  }
}

extension OperationError {
  static func accountNotFound(_ account: AccountID) -> OperationError {
    .notFound("account \(account.rawValue)")
  }
}

extension AuditAction {
  /// The changes to an account, for the audit log.
  fileprivate static func changes(
    from old: AccountRecord, to new: AccountRecord, hasPassword: Bool
  ) -> [AuditAction] {
    var actions: [AuditAction] = []
    if AccountRow(old).settings != AccountRow(new).settings { actions.append(.accountChanged) }
    if (old.disabledAt == nil) != (new.disabledAt == nil) {
      actions.append(new.disabledAt == nil ? .accountEnabled : .accountDisabled)
    }
    if hasPassword { actions.append(.passwordReset) }
    return actions
  }
}
