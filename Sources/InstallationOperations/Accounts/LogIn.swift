import Cryptography
import ManagerCore
import OperationCore
import Postgres
import ShiftDomain
import ShiftStore

package struct LoginOrigin: Hashable, Sendable {
  package var address: String?
  package var userAgent: String

  /// An origin; long texts are cut.
  package init(address: String?, userAgent: String) {
    self.address = address.map { String($0.prefix(45)) }
    self.userAgent = String(
      String.UnicodeScalarView(userAgent.unicodeScalars.filter { $0 != "\0" }.prefix(300)))
  }

  /// The unit that counts as one guesser: an IPv4 address, or an IPv6 customer network.
  fileprivate var guesser: String {
    guard let address, address.contains(":"), !address.contains(".") else { return address ?? "" }
    let halves = address.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
    let groups = halves[0].split(separator: ":").prefix(4)
    return groups.joined(separator: ":") + "::/64"
  }
}

package struct NewSession: Hashable, Sendable {
  package var session: SessionID
  /// Its credential: `sgs_<id>_<secret>`; shown only here.
  package var secret: String
  package var principal: Principal
}

package enum LoginOutcome: Hashable, RefusableAnswer {
  case loggedIn(NewSession)
  /// Unknown account, wrong password, or disabled account; the answer does not say which.
  case refused
  /// Try again after this time.
  case throttled(TimeSpan)

  package func get() throws(Refusal) -> NewSession {
    switch self {
    case .loggedIn(let session): session
    case .refused:
      throw Refusal(
        .loginRefused, "login_refused", "the e-mail address or the password is wrong")
    case .throttled(let wait): throw .throttled(wait)
    }
  }
}

extension InstallationOperations {
  /// Logs in to an account. Always starts a new session; the session of `former` ends.
  ///
  /// An attempt is counted before its password is checked, so that a thousand at once are no better
  /// than one after the other. An address may try 20 times, then every 10 s; an account may be
  /// tried 10 times, then every minute. Addresses that have logged in to the account within 30 days
  /// are counted separately, so that guessing strangers cannot lock out the owner.
  /// - Throws: `.unavailable` also when too many log in at once.
  package func logIn(
    email: String, password: Password, from origin: LoginOrigin, replacing former: String? = nil
  ) async throws(OperationError) -> LoginOutcome {
    try passwords.enter()
    defer { passwords.leave() }
    let fixedNow = core.deadlines?()
    let email = String(email.lowercased().prefix(255))
    let isPossible = isAddress(email) && password.isPossible
    let (record, isKnown) = try await core.readSnapshot { (session) throws(PostgresError) in
      let found = isPossible ? try ShiftStore.accounts(email: email, on: &session).first : nil
      let isKnown = try found.map { (record) throws(PostgresError) in
        try ShiftStore.isKnown(
          address: origin.address ?? "", of: record.row.account, now: fixedNow, on: &session)
      }
      return (found, isKnown ?? false)
    }
    let rules = LoginRules(email: email, origin, isKnown: isKnown)
    if let wait = try await press(rules.all, now: fixedNow) { return .throttled(wait) }
    let hash = record.flatMap { $0.row.disabledAt == nil ? PasswordHash(text: $0.password) : nil }
    let isRight = try await passwords.matches(isPossible ? password.bytes : [], hash)
    guard isRight, let record, let hash else { return .refused }
    let costsEnough = hash.cost == passwords.cost
    let better = costsEnough ? nil : try await passwords.hash(password.bytes).text
    let ended = former.flatMap { SessionCredential(text: $0) }
    return try await core.transact { (session) throws(PostgresError) in
      // What held when the password was read may have changed. The lock keeps it stable until the
      // session is visible to a request that ends all sessions.
      try session.execute(holdAccount(record.row.account))
      let present = try ShiftStore.accounts(number: record.row.account, on: &session).first
      guard let present, present.password == record.password, present.row.disabledAt == nil else {
        return .done(.refused)
      }
      if let better {
        try session.execute(
          setPassword(better, of: record.row.account, insteadOf: record.password))
      }
      try session.pipeline(
        rules.all.map { $0 == rules.address ? relieve($0) : forgive($0) }
          + [deleteOldPressure(now: fixedNow), deleteOldSessions(now: fixedNow)])
      let new = try begin(of: present.row.principal, origin, now: fixedNow, on: &session)
      if let ended { try end(ended, insteadOf: new, now: fixedNow, on: &session) }
      return .done(.loggedIn(new))
    }
  }

  /// Counts an attempt against every rule, or against none.
  /// - Returns: How long to wait; `nil`: it was counted.
  func press(_ rules: [PressureRule], now fixedNow: Instant?) async throws(OperationError)
    -> TimeSpan?
  {
    // A throttled request writes nothing, and does not wait for writers.
    let known = try await core.readSnapshot { (session) throws(PostgresError) in
      try rules.map { (rule) throws(PostgresError) in
        try pressure(rule, now: fixedNow, on: &session)
      }
    }
    if let wait = known.compactMap({ $0 }).max() { return wait }
    return try await core.transact { (session) throws(PostgresError) in
      for rule in rules {
        if let wait = try ShiftStore.press(rule, now: fixedNow, on: &session) {
          session.rollbackOnly()
          return .done(wait)
        }
      }
      return .done(nil)
    }
  }

  private func begin(
    of principal: Principal, _ origin: LoginOrigin, now fixedNow: Instant?,
    on session: inout Session
  ) throws(PostgresError) -> NewSession {
    let at = core.now()
    guard let account = principal.account else {
      throw .broken(nil, detail: "login without account")
    }
    let credential = SessionCredential.random(SessionID(newID(at: at)))
    try session.execute(
      insertSession(
        credential.session, of: account, secretHash: credential.hash,
        address: origin.address ?? "", userAgent: origin.userAgent, now: fixedNow))
    try audit(.loggedIn, by: principal, at: at, on: &session)
    return NewSession(session: credential.session, secret: credential.text, principal: principal)
  }

  /// Ends the session of before in the browser of `new`. Its alerts stay on for the same account.
  private func end(
    _ credential: SessionCredential, insteadOf new: NewSession, now fixedNow: Instant?,
    on session: inout Session
  ) throws(PostgresError) {
    guard let live = try liveSession(credential.session, now: fixedNow, on: &session),
      credential.opens(live)
    else { return }
    let (former, account) = (credential.session, live.account.account)
    try session.execute(holdAccount(account))
    try session.execute(endSessions(of: account, only: former, now: fixedNow))
    try session.execute(
      account == new.principal.account
        ? moveBrowsers(from: former, to: new.session) : deleteBrowsers(of: account, only: former))
  }
}

private struct LoginRules {
  let address: PressureRule
  let account: PressureRule

  init(email: String, _ origin: LoginOrigin, isKnown: Bool) {
    let (guesser, own) = (origin.guesser, isKnown ? " from \(origin.address ?? "")" : "")
    address = PressureRule(
      subject: sha256(Array("address \(guesser)".utf8)), free: 20, cost: .seconds(10))
    account = PressureRule(
      subject: sha256(Array("account \(email)\(own)".utf8)), free: 10, cost: .minutes(1))
  }

  /// In a fixed order, so that two logins cannot deadlock.
  var all: [PressureRule] {
    [address, account].sorted { $0.subject.lexicographicallyPrecedes($1.subject) }
  }
}

extension Refusal {
  static func throttled(_ wait: TimeSpan) -> Refusal {
    Refusal(
      .throttled(wait), "too_many_attempts",
      "too many attempts; try again in \(wait.roundedUpSeconds) s")
  }
}
