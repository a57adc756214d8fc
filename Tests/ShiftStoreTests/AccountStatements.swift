import GuardRules
import Postgres
import ReadModels
import ShiftDomain

@testable import ShiftStore

/// The statements about accounts, sessions, login attempts and the audit log.
enum AccountStatements {
  private static let now = Instant(milliseconds: 1_772_438_400_000)
  private static let hash = [UInt8](repeating: 7, count: 32)
  private static let number = AccountID(1)
  private static let account = AccountRow(
    number, email: "mira@example.org",
    AccountSettings(name: "Mira", role: .manager, teams: [TeamID(1): .all]), createdAt: now)
  private static let rule = PressureRule(subject: hash, free: 2, cost: .seconds(1))

  static let writes: [(String, SQL)] =
    [
      ("insertTeams", insertTeams([TeamID(1): .all], of: number)),
      ("setPassword", setPassword("y", of: number, insteadOf: "x")),
      ("holdAccount", holdAccount(number)),
      (
        "insertSession",
        insertSession(
          SessionID(1), of: number, secretHash: hash, address: "", userAgent: "", now: nil)
      ),
      ("noteUse", noteUse(of: SessionID(1), endsFormer: true, now: nil)),
      (
        "renew",
        renew(SessionID(1), insteadOf: hash, former: hash, secretHash: hash, now: nil)
      ),
      ("renewSoon", renewSoon(of: number, now: nil)),
      ("endSessions", endSessions(of: number, besides: SessionID(1), now: nil)),
      ("deleteOldSessions", deleteOldSessions(now: nil)),
      ("relieve", relieve(rule)), ("forgive", forgive(rule)),
      ("deleteOldPressure", deleteOldPressure(now: nil)),
      ("deleteContacts", deleteContacts(ofMailbox: "m@example.org", in: nil, besides: [])),
      ("selectBrowsers", selectBrowsers(of: number)),
      (
        "insertBrowser",
        insertBrowser(
          AccountBrowser(
            number: 1, session: SessionID(1), addedAt: now, address: "x", userAgent: ""),
          PushTarget(
            .webPush, address: "x", publicKey: [4], secret: [5], registeredAt: now), of: number)
      ),
      ("move", move(browser: 1, to: SessionID(1))),
      ("moveBrowsers", moveBrowsers(from: SessionID(1), to: SessionID(2))),
      ("deleteBrowser", deleteBrowser(1, of: number)),
      ("deleteBrowser withAddress", deleteBrowser(withAddress: "x")),
      ("deleteBrowsers", deleteBrowsers(of: number, besides: SessionID(1))),
      (
        "insert audit entry",
        insert(AuditEntry(id: 1, .trackViewed, at: now, actor: "Mira", employee: EmployeeID(7)))
      ),
      ("selectAuditEntries", selectAuditEntries(filter(about: nil), limit: 1)),
      (
        "selectShiftsOnMap",
        selectShiftsOnMap(of: [EmployeeID(7)], since: now, by: "Mira", number, for: "Storm")
      ),
      (
        "selectAuditEntries of an employee",
        selectAuditEntries(filter(about: EmployeeID(7)), limit: 1)
      ),
    ] + update(account).map { ("update account", $0) }

  private static func filter(about employee: EmployeeID?) -> AuditFilter {
    var filter = AuditFilter(about: employee, before: 1)
    (filter.account, filter.actor, filter.actions) = (number, "Mira", [.trackViewed])
    (filter.from, filter.to) = (now, now)
    return filter
  }

  /// What was found in an empty database: `nil` if nothing, as expected.
  static func found(on session: inout Session) throws(PostgresError) -> String? {
    if try !accounts(on: &session).isEmpty { return "accounts" }
    if try team(of: EmployeeID(7), on: &session) != nil { return "team" }
    if try liveSession(SessionID(1), now: nil, on: &session) != nil { return "liveSession" }
    if try !liveAccounts(of: [SessionID(1)], now: nil, on: &session).isEmpty {
      return "liveAccounts"
    }
    if try !liveSessions(of: nil, limit: 1, now: nil, on: &session).isEmpty {
      return "liveSessions"
    }
    if try isKnown(address: "192.0.2.1", of: number, now: nil, on: &session) { return "isKnown" }
    if try pressure(rule, now: nil, on: &session) != nil { return "pressure" }
    let entries = try auditEntries(filter(about: nil), limit: 1, on: &session)
    return entries.isEmpty ? nil : "auditEntries"
  }
}
