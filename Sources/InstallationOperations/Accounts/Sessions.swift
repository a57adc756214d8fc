import Cryptography
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// A principal authenticated by a session.
package struct Admission: Hashable, Sendable {
  package var principal: Principal
  /// The new credential, if it was renewed; `nil`: unchanged.
  package var renewed: String?
}

package enum PasswordOutcome: Hashable, RefusableAnswer {
  /// The password was changed, all other sessions have ended, and this one has a new secret.
  case changed(NewSession)
  /// The current password is wrong.
  case wrong
  /// The new password is not acceptable.
  case weak(PasswordFault)
  /// Try again after this time.
  case throttled(TimeSpan)

  package func get() throws(Refusal) -> NewSession {
    switch self {
    case .changed(let session): session
    case .wrong: throw Refusal(.forbidden, "wrong_password", "the current password is wrong")
    case .weak(let fault): throw fault.refusal(at: "/wanted")
    case .throttled(let wait): throw .throttled(wait)
    }
  }
}

extension InstallationOperations {
  /// - Parameter renewing: Whether the caller can deliver a new secret, so that one may be issued.
  /// - Throws: `.unauthorized` when it is malformed, unknown, has ended, or its account is
  ///   disabled.
  package func authenticate(session text: String, renewing: Bool = false)
    async throws(OperationError) -> Admission
  {
    guard let credential = SessionCredential(text: text) else { throw .unauthorized }
    let fixedNow = core.deadlines?()
    let found = try await core.read { (session) throws(PostgresError) in
      try liveSession(credential.session, now: fixedNow, on: &session)
    }
    guard let found, credential.opens(found) else { throw .unauthorized }
    var admission = Admission(principal: found.account.principal)
    admission.principal.session = credential.session
    if renewing, found.wantsRenewal {
      let new = SessionCredential.random(credential.session)
      let renewed: Bool = try await core.transact { (session) throws(PostgresError) in
        .done(
          try session.execute(
            renew(
              credential.session, insteadOf: found.secretHash, former: credential.hash,
              secretHash: new.hash, now: fixedNow)) == 1)
      }
      admission.renewed = renewed ? new.text : nil
    } else if found.wantsNote || credential.endsFormer(of: found) {
      let endsFormer = credential.endsFormer(of: found)
      let _: Bool = try await core.transact { (session) throws(PostgresError) in
        try session.execute(
          noteUse(of: credential.session, endsFormer: endsFormer, now: fixedNow))
        return .done(true)
      }
    }
    return admission
  }

  /// The active sessions of `account`, or of all accounts, newest first.
  package func sessions(of account: AccountID?, limit: Int = 1_000)
    async throws(OperationError) -> [LoginSession]
  {
    let fixedNow = core.deadlines?()
    return try await core.read { (session) throws(PostgresError) in
      try liveSessions(of: account, limit: Int32(clamping: limit), now: fixedNow, on: &session)
    }
  }

  /// - Parameter account: The account it must belong to; `nil`: any.
  package func endSession(
    _ id: SessionID, of account: AccountID?, isLogOut: Bool = false, by principal: Principal
  ) async throws(OperationError) {
    let (at, fixedNow) = (core.now(), core.deadlines?())
    let _: Bool = try await core.transact { (session) throws(PostgresError) in
      guard let live = try liveSession(id, now: fixedNow, on: &session)?.account.account,
        account == nil || account == live,
        // Alerts that are being switched on in it are on by then, or are refused.
        try session.execute(holdAccount(live)) == 1,
        try session.execute(endSessions(of: live, only: id, now: fixedNow)) == 1
      else { return .refused(.notFound("session \(id.rawValue)")) }
      try session.execute(deleteBrowsers(of: live, only: id))
      try audit(
        isLogOut ? .loggedOut : .sessionRevoked, by: principal, at: at, target: live.rawValue,
        on: &session)
      return .done(true)
    }
  }

  package func endOtherSessions(than id: SessionID, of account: AccountID, by principal: Principal)
    async throws(OperationError)
  {
    let (at, fixedNow) = (core.now(), core.deadlines?())
    let _: Bool = try await core.transact { (session) throws(PostgresError) in
      try session.execute(holdAccount(account))
      if try session.execute(endSessions(of: account, besides: id, now: fixedNow)) > 0 {
        try audit(.sessionRevoked, by: principal, at: at, target: account.rawValue, on: &session)
      }
      try session.execute(deleteBrowsers(of: account, besides: id))
      return .done(true)
    }
  }

  /// - Throws: `.unauthorized` when the session has ended meanwhile.
  package func changePassword(
    from current: Password, to wanted: Password, in id: SessionID, of account: AccountID
  ) async throws(OperationError) -> PasswordOutcome {
    try passwords.enter()
    defer { passwords.leave() }
    let (at, fixedNow) = (core.now(), core.deadlines?())
    let rule = PressureRule(
      subject: sha256(Array("password \(account.rawValue)".utf8)), free: 10, cost: .minutes(1))
    if let wait = try await press([rule], now: fixedNow) { return .throttled(wait) }
    let record = try await core.read { (session) throws(PostgresError) in
      try ShiftStore.accounts(number: account, on: &session).first
    }
    guard let record, current.isPossible else { return .wrong }
    let isRight = try await passwords.matches(current.bytes, PasswordHash(text: record.password))
    guard isRight else { return .wrong }
    let row = record.row
    if let fault = wanted.fault(email: row.email, name: row.settings.name) { return .weak(fault) }
    let hash = try await passwords.hash(wanted.bytes)
    let new = SessionCredential.random(id)
    return try await core.transact { (session) throws(PostgresError) in
      guard let live = try liveSession(id, now: fixedNow, on: &session),
        live.account.account == account
      else { return .refused(.unauthorized) }
      let isSet = try session.execute(
        setPassword(hash.text, of: account, insteadOf: record.password))
      guard isSet == 1 else { return .done(.wrong) }
      try session.execute(endSessions(of: account, besides: id, now: fixedNow))
      try session.execute(deleteBrowsers(of: account, besides: id))
      let isRenewed = try session.execute(
        renew(
          id, insteadOf: live.secretHash, former: new.hash, secretHash: new.hash, now: fixedNow))
      guard isRenewed == 1 else { return .lost }
      try session.execute(forgive(rule))
      try audit(.passwordChanged, by: live.account.principal, at: at, on: &session)
      return .done(
        .changed(NewSession(session: id, secret: new.text, principal: live.account.principal)))
    }
  }
}

/// `sgs_<id>_<secret>`.
struct SessionCredential: Sendable {
  private static let secretBytes = 32
  let session: SessionID
  let hash: [UInt8]
  let text: String

  init?(text: String) {
    let parts = text.split(separator: "_", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "sgs", let id = Int64(parts[1]), id > 0,
      let secret = Base64URL.decode(String(parts[2])), secret.count == Self.secretBytes
    else { return nil }
    session = SessionID(id)
    hash = sha256(secret)
    self.text = text
  }

  private init(_ session: SessionID, secret: [UInt8]) {
    self.session = session
    hash = sha256(secret)
    text = "sgs_\(session.rawValue)_\(Base64URL.encode(secret))"
  }

  static func random(_ session: SessionID) -> SessionCredential {
    SessionCredential(session, secret: randomBytes(secretBytes))
  }

  /// Whether it is the session's secret, or its previous secret while that is still valid.
  func opens(_ candidate: SessionCandidate) -> Bool {
    let isCurrent = constantTimeEqual(candidate.secretHash, hash)
    return isCurrent || candidate.formerHash.map { constantTimeEqual($0, hash) } ?? false
  }

  /// Whether the client has received the new secret, so that the previous one must end.
  func endsFormer(of candidate: SessionCandidate) -> Bool {
    candidate.formerHash != nil && !candidate.formerIsEnding
      && constantTimeEqual(candidate.secretHash, hash)
  }
}
