import Cryptography
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// The result of switching on alerts in a browser.
package enum BrowserOutcome: Hashable, RefusableAnswer {
  case added
  /// What the browser sent is no subscription to its push service.
  case notASubscription
  case tooMany

  package func get() throws(Refusal) {
    switch self {
    case .added: return
    case .notASubscription:
      throw .invalid("/endpoint", "this browser gave no usable address for alerts")
    case .tooMany:
      throw .conflict(
        "too_many_browsers",
        "alerts are on in \(browsersMax) browsers already; switch them off in one first")
    }
  }
}

/// How many browsers an account may have: each alert goes to all.
package let browsersMax = 20

extension PushTarget {
  /// A browser's subscription, with its keys in base64url; `nil` for anything else.
  package init?(endpoint: String, p256dh: String, auth: String, at now: Instant) {
    guard endpoint.hasPrefix("https://"), (9...2_048).contains(endpoint.utf8.count),
      endpoint.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      let key = Base64URL.decode(p256dh), key.count == 65, EllipticPublicKey(point: key) != nil,
      let secret = Base64URL.decode(auth), secret.count == 16
    else { return nil }
    self.init(.webPush, address: endpoint, publicKey: key, secret: secret, registeredAt: now)
  }
}

extension NotificationOperations {
  /// The browsers in which `account` has switched alerts on, the newest first.
  package func browsers(of account: AccountID) async throws(OperationError) -> [AccountBrowser] {
    try await core.read { (session) throws(PostgresError) in
      try ShiftStore.browsers(of: account, on: &session)
    }
  }

  /// Switches alerts on in the browser of `id`. Repeating moves them to that session.
  /// - Parameter target: `nil`: what was sent is no subscription.
  package func addBrowser(
    _ target: PushTarget?, named userAgent: String, of account: AccountID, in id: SessionID,
    by principal: Principal
  ) async throws(OperationError) -> BrowserOutcome {
    guard let target else { return .notASubscription }
    let (at, fixedNow) = (core.now(), core.deadlines?())
    // A NUL cannot be stored.
    let name = String(userAgent.filter { $0 != "\0" }.unicodeScalars.prefix(300))
    return try await core.transact { (session) throws(PostgresError) in
      // An end of the session waits for this, and then removes what is added here.
      try session.execute(holdAccount(account))
      guard try liveSession(id, now: fixedNow, on: &session)?.account.account == account else {
        return .refused(.unauthorized)
      }
      let known = try ShiftStore.browsers(of: account, on: &session)
      if let same = known.first(where: { $0.address == target.address }) {
        try session.execute(move(browser: same.number, to: id))
      } else {
        guard known.count < browsersMax else { return .done(.tooMany) }
        // Another account that used this browser before gets no more alerts in it.
        try session.execute(deleteBrowser(withAddress: target.address))
        let browser = AccountBrowser(
          number: .random(in: 1 ... .max), session: id, addedAt: at, address: target.address,
          userAgent: name)
        guard try session.execute(insertBrowser(browser, target, of: account)) == 1 else {
          return .lost
        }
      }
      try audit(.browserAdded, by: principal, at: at, target: account.rawValue, on: &session)
      return .done(.added)
    }
  }

  /// Switches alerts off in a browser. Repeating changes nothing.
  package func removeBrowser(_ number: Int16, of account: AccountID, by principal: Principal)
    async throws(OperationError)
  {
    let at = core.now()
    try await core.transact { (session) throws(PostgresError) in
      if try session.execute(deleteBrowser(number, of: account)) > 0 {
        try audit(.browserRemoved, by: principal, at: at, target: account.rawValue, on: &session)
      }
      return .done(())
    }
  }
}
