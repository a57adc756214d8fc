import Cryptography
import Postgres
public import ShiftDomain
import ShiftStore

/// Where somebody logs in from, as far as we know.
public struct LoginOrigin: Hashable, Sendable {
  /// The network address; `nil` when not known.
  public var address: String?
  /// What the browser calls itself.
  public var userAgent: String

  /// An origin; what is too long is cut.
  public init(address: String?, userAgent: String) {
    self.address = address.map { String($0.prefix(45)) }
    self.userAgent = String(
      String.UnicodeScalarView(userAgent.unicodeScalars.filter { $0 != "\0" }.prefix(300)))
  }

  /// Who may be one guesser: an address, or the network that gives a customer of IPv6 theirs.
  fileprivate var guesser: String {
    guard let address, address.contains(":"), !address.contains(".") else { return address ?? "" }
    let halves = address.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
    let groups = halves[0].split(separator: ":").prefix(4)
    return groups.joined(separator: ":") + "::/64"
  }
}

/// A session that began or goes on with a new secret.
public struct NewSession: Hashable, Sendable {
  /// Which.
  public var session: SessionID
  /// What opens it: `sgs_<id>_<secret>`; shown this once.
  public var secret: String
  /// Who logged in.
  public var viewer: Viewer
}

/// What became of a log-in.
public enum LoginOutcome: Hashable, Sendable {
  /// They are in.
  case loggedIn(NewSession)
  /// No such account, another password, or disabled: which, nobody is told.
  case refused
  /// Too many tries: to be tried again after this long.
  case throttled(TimeSpan)
}

extension Operations {
  /// Logs somebody in. Always begins a new session; the one of `former` ends.
  ///
  /// A try is counted before its password is looked at, so that a thousand at once are no more than
  /// one after the other. An address may try 20 times, then every 10 s; an account may be tried 10
  /// times, then every minute. Addresses that have logged in to the account within 30 days are
  /// counted by themselves, so strangers who guess do not keep the owner out.
  /// - Parameter former: What opened a session before.
  /// - Throws: `.unavailable`, also when too many log in at once, `.outcomeUnknown`, `.broken`.
  public func logIn(
    email: String, password: Password, from origin: LoginOrigin, replacing former: String? = nil
  ) async throws(OperationError) -> LoginOutcome {
    try passwords.enter()
    defer { passwords.leave() }
    let moved = deadlines?()
    let email = String(email.lowercased().prefix(255))
    let isPossible = isAddress(email) && password.isPossible
    let (record, isKnown) = try await read { (session) throws(PostgresError) in
      let found = isPossible ? try ShiftStore.accounts(email: email, on: &session).first : nil
      let isKnown = try found.map { (record) throws(PostgresError) in
        try ShiftStore.isKnown(
          address: origin.address ?? "", of: record.account, now: moved, on: &session)
      }
      return (found, isKnown ?? false)
    }
    let rules = LoginRules(email: email, origin, isKnown: isKnown)
    if let wait = try await press(rules.all, now: moved) { return .throttled(wait) }
    let hash = record.flatMap { $0.disabledAt == nil ? PasswordHash(text: $0.password) : nil }
    let isRight = try await passwords.matches(isPossible ? password.bytes : [], hash)
    guard isRight, let record, let hash else { return .refused }
    let costsEnough = hash.cost == passwords.cost
    let better = costsEnough ? nil : try await passwords.hash(password.bytes).text
    let ended = former.flatMap { SessionCredential(text: $0) }
    return try await transact { (session) throws(PostgresError) in
      // What was true when the password was read may not be any more, and what is stays so until
      // the session is there for whoever ends all of them.
      try session.execute(holdAccount(record.account))
      let present = try ShiftStore.accounts(number: record.account, on: &session).first
      guard let present, present.password == record.password, present.disabledAt == nil else {
        return .done(.refused)
      }
      if let better {
        try session.execute(
          setPassword(better, of: record.account, insteadOf: record.password))
      }
      try session.pipeline(
        rules.all.map { $0 == rules.address ? relieve($0) : forgive($0) }
          + [deleteOldPressure(now: moved), deleteOldSessions(now: moved)])
      if let ended { try end(ended, now: moved, on: &session) }
      return .done(.loggedIn(try begin(of: present.viewer, origin, now: moved, on: &session)))
    }
  }

  /// Counts a try against every rule, or against none.
  /// - Returns: How long to wait; `nil`: it was counted.
  func press(_ rules: [PressureRule], now moved: Instant?) async throws(OperationError)
    -> TimeSpan?
  {
    // Whoever must wait writes nothing, and waits for nobody who writes.
    let known = try await read { (session) throws(PostgresError) in
      try rules.map { (rule) throws(PostgresError) in
        try pressure(rule, now: moved, on: &session)
      }
    }
    if let wait = known.compactMap({ $0 }).max() { return wait }
    return try await transact { (session) throws(PostgresError) in
      for rule in rules {
        if let wait = try ShiftStore.press(rule, now: moved, on: &session) {
          session.rollbackOnly()
          return .done(wait)
        }
      }
      return .done(nil)
    }
  }

  private func begin(
    of viewer: Viewer, _ origin: LoginOrigin, now moved: Instant?, on session: inout Session
  ) throws(PostgresError) -> NewSession {
    let at = now()
    guard let account = viewer.account else { throw .broken(nil, detail: "nobody logs in") }
    let credential = SessionCredential.random(SessionID(newID(at: at)))
    try session.execute(
      insertSession(
        credential.session, of: account, secretHash: credential.hash,
        address: origin.address ?? "", userAgent: origin.userAgent, now: moved))
    try audit(.loggedIn, by: viewer, at: at, on: &session)
    return NewSession(session: credential.session, secret: credential.text, viewer: viewer)
  }

  private func end(
    _ credential: SessionCredential, now moved: Instant?, on session: inout Session
  ) throws(PostgresError) {
    guard let live = try liveSession(credential.session, now: moved, on: &session),
      credential.opens(live)
    else { return }
    try session.execute(
      endSessions(of: live.account.account, only: credential.session, now: moved))
  }
}

/// How tries to log in are counted.
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

  /// In an order, so that two log-ins cannot wait for each other.
  var all: [PressureRule] {
    [address, account].sorted { $0.subject.lexicographicallyPrecedes($1.subject) }
  }
}
