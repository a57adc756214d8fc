import Cryptography
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package enum AccountOutcome: Hashable, RefusableAnswer {
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
  package var tag: String {
    let teams = settings.teams.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\($0.key.rawValue):\($0.value.rawValue)" }
    let employee = settings.employee.map { String($0.rawValue) } ?? ""
    let state = disabledAt == nil ? "" : "disabled"
    return contentTag([settings.name, settings.role.code, employee, state] + teams)
  }
}

extension InstallationOperations {
  package func accounts() async throws(OperationError) -> [AccountRow] {
    try await core.read { (session) throws(PostgresError) in
      try ShiftStore.accounts(on: &session).map(\.row)
    }
  }

  package func account(_ number: AccountID) async throws(OperationError) -> AccountRow {
    let rows = try await core.read { (session) throws(PostgresError) in
      try ShiftStore.accounts(number: number, on: &session)
    }
    guard let row = rows.first?.row else { throw .accountNotFound(number) }
    return row
  }

  /// - Parameters:
  ///   - email: 3…254 characters with one `@` and no white space; its case does not matter.
  ///   - principal: Their right to add it is not checked here.
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
      var row = AccountRow(AccountID(0), email: email, settings, createdAt: at)
      row.account = try ShiftStore.addAccount(
        AccountRecord(row: row, password: hash.text), on: &session)
      try audit(.accountAdded, by: principal, at: at, target: row.account.rawValue, on: &session)
      return .done(.kept(row))
    }
  }

  /// Changes an account, all or nothing. The rights of its sessions change with their next
  /// request, and so do their secrets. Disabling it or setting a new password logs it out
  /// everywhere.
  /// - Parameters:
  ///   - tags: The tags that the caller may have read; `nil`: no check.
  ///   - isDisabled, password: `nil`: as before.
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
      (row) throws(OperationError) in
      row.settings = edit(row.settings)
      try row.settings.check()
      if let isDisabled { row.disabledAt = isDisabled ? row.disabledAt ?? at : nil }
    }
  }

  /// Disables an account and ends its sessions, or enables it again.
  package func setAccount(_ number: AccountID, isDisabled: Bool, by principal: Principal)
    async throws(OperationError) -> AccountOutcome
  {
    try await changeAccount(number, isDisabled: isDisabled, by: principal)
  }

  /// Sets a new password for an account, and ends its sessions.
  package func resetPassword(of number: AccountID, to password: Password, by principal: Principal)
    async throws(OperationError) -> AccountOutcome
  {
    try await changeAccount(number, password: password, by: principal)
  }

  private func change(
    _ number: AccountID, matching tags: Set<String>?, password: PasswordHash?,
    by principal: Principal,
    _ alter: @Sendable (inout AccountRow) throws(OperationError) -> Void
  ) async throws(OperationError) -> AccountOutcome {
    let (at, fixedNow) = (core.now(), core.deadlines?())
    return try await core.transact { (session) throws(PostgresError) in
      try session.execute(holdAccounts)
      let records = try ShiftStore.accounts(on: &session)
      guard let stored = records.first(where: { $0.row.account == number }) else {
        return .refused(.accountNotFound(number))
      }
      let old = stored.row
      if let tags, !tags.contains(old.tag) { return .done(.changedMeanwhile(old)) }
      var new = old
      do throws(OperationError) { try alter(&new) } catch { return .refused(error) }
      guard new != old || password != nil else { return .done(.kept(old)) }
      // This also checks a disabled account; but unchanged settings do not prevent disabling.
      let isOtherwise = new.settings != old.settings
      let mayLogInAgain = new.disabledAt == nil && old.disabledAt != nil
      if isOtherwise || mayLogInAgain,
        let refused = try refusal(of: new.settings, on: &session)
      {
        return .done(refused)
      }
      let others = records.map(\.row).filter { $0.account != number }
      guard new.mayAdminister || !old.mayAdminister || others.contains(where: \.mayAdminister)
      else { return .done(.lastAdministrator) }
      try session.pipeline(update(new))
      if let password {
        try session.execute(setPassword(password.text, of: number, insteadOf: stored.password))
      }
      try session.execute(
        new.disabledAt == nil && password == nil
          ? renewSoon(of: number, now: fixedNow) : endSessions(of: number, now: fixedNow))
      if new.disabledAt != nil || password != nil {
        try session.execute(deleteBrowsers(of: number))
      }
      for (team, contact) in try endContacts(of: old, now: new, on: &session) {
        try audit(
          .contactRemoved, by: principal, at: at, target: team.rawValue,
          reason: TeamContact.named(contact, by: .email), on: &session)
      }
      for action in AuditAction.changes(from: old, to: new, hasPassword: password != nil) {
        try audit(action, by: principal, at: at, target: number.rawValue, on: &session)
      }
      return .done(.kept(new))
    }
  }

  private func refusal(of settings: AccountSettings, on session: inout Session)
    throws(PostgresError)
    -> AccountOutcome?
  {
    if let team = try unknownTeam(among: settings.teams, on: &session) { return .noSuchTeam(team) }
    // Held, so that an erasure at the same time finds the account and parts it from the employee.
    if let employee = settings.employee,
      try session.execute(lockAgainstErasure(of: employee)) == 0
    {
      return .noSuchEmployee(employee)
    }
    return nil
  }
}

/// Who may not see a team any more is no contact of it any more.
private func endContacts(of old: AccountRow, now new: AccountRow, on session: inout Session)
  throws(PostgresError) -> [(team: TeamID, number: Int16)]
{
  let kept = new.disabledAt == nil ? new.settings.seenTeams : []
  guard let kept else { return [] }
  return try deleteContacts(
    ofMailbox: old.email, in: old.settings.seenTeams, besides: kept, on: &session)
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
  fileprivate var mayAdminister: Bool { settings.role == .administrator && disabledAt == nil }

  var principal: Principal {
    Principal(
      actor: AuditActor(name: settings.name, employee: settings.employee), role: settings.role,
      teams: settings.teams, account: account)
  }
}

extension OperationError {
  static func accountNotFound(_ account: AccountID) -> OperationError {
    .notFound("account \(account.rawValue)")
  }
}

extension AuditAction {
  fileprivate static func changes(
    from old: AccountRow, to new: AccountRow, hasPassword: Bool
  ) -> [AuditAction] {
    var actions: [AuditAction] = []
    if old.settings != new.settings { actions.append(.accountChanged) }
    if (old.disabledAt == nil) != (new.disabledAt == nil) {
      actions.append(new.disabledAt == nil ? .accountEnabled : .accountDisabled)
    }
    if hasPassword { actions.append(.passwordReset) }
    return actions
  }
}
