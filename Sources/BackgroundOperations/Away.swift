import GuardRules
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension BackgroundOperations {
  /// Employees on shift whose positions are to be compared with the sites in force; first those
  /// whose last comparison is oldest.
  /// - Parameter last: The last one of the previous page; `nil`: from the beginning.
  package func awayDue(after last: DueEmployee? = nil, limit: Int)
    async throws(OperationError) -> [DueEmployee]
  {
    let fixedNow = core.deadlines?()
    return try await core.read { (session) throws(PostgresError) in
      try dueAway(at: fixedNow, after: last, limit: Int32(clamping: limit), on: &session)
    }
  }

  /// Stores when the employee has been away from all sites in the open shift, and notifies them of
  /// a time away that lasts, once. Whether it still lasts is checked again before each delivery.
  ///
  /// Any number of callers may try at once: one of them does it.
  package func findAway(of employee: EmployeeID) async throws(OperationError) {
    let (fixedNow, asOf) = (core.deadlines?(), core.now())
    try await core.transact { (session) throws(PostgresError) in
      let now = try outboxTime(at: fixedNow, on: &session)
      guard let (kept, version) = try awayToFind(of: employee, at: now, on: &session),
        let look = try AwayLook(kept, asOf: asOf, on: &session)
      else { return .done(()) }
      guard look.rows != look.former else {
        // Another instance that was first has found the same.
        try session.execute(noteLook(at: now, version, after: kept, lastAway: kept.lastAway))
        return .done(())
      }
      // The state first, as in every other transaction; open boards and apps show it too.
      try session.pipeline(pollNow(at: [employee], now: fixedNow))
      let lastAway = max(kept.lastAway, look.rows.map(\.number).max() ?? 0)
      guard
        try session.execute(noteLook(at: now, version, after: kept, lastAway: lastAway)) == 1
      else { return .lost }
      let notifications = look.begun(after: kept.lastAway).map { number in
        ShiftNotification(.away, subject: kept.shift.number, ordinal: number, dueAt: now)
      }
      try session.pipeline(
        put(look.rows, of: kept.shift) + [review(notificationsOf: employee, at: now)]
          + notifications.map { enqueueOnce($0, for: employee) })
      return .done((), queued: notifications, at: now)
    }
  }
}

/// The times away in a shift: those stored, and those found now.
private struct AwayLook {
  let former: [AwayRow]
  let rows: [AwayRow]

  /// `nil` if the shift does not exist.
  init?(_ kept: SitesInForce, asOf: Instant, on session: inout Session) throws(PostgresError) {
    guard let record = try shift(kept.shift, on: &session) else { return nil }
    former = try away(in: [kept.shift], on: &session)[kept.shift] ?? []
    let around = try surroundings(of: [kept.shift], on: &session)[0]
    let found = try foundAway(
      in: record, CoverageFrame(record, around, asOf: asOf), from: kept.sites,
      after: kept.awayAfter, on: &session)
    rows = former.renewed(by: found, after: kept.lastAway)
  }

  /// The number of the one that is new and lasts, if there is one.
  func begun(after last: Int16) -> [Int16] {
    rows.filter { $0.number > last && $0.span.end == nil }.map(\.number)
  }
}
