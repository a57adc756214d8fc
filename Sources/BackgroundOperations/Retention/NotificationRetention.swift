import NotificationQueue
import OperationCore
import Postgres
import ShiftDomain
import ShiftStore

package struct NotificationMaintenance: Hashable, Sendable {
  /// Weekly partitions created ahead.
  package var weeksMade = 0
  /// Weekly partitions dropped.
  package var weeksDropped = 0

  package var isSomething: Bool { weeksMade + weeksDropped > 0 }
}

extension BackgroundOperations {
  /// Creates the weekly partitions of delivery attempts and history from last week to eight weeks
  /// ahead, and deletes those older than the retention of coverage. Any number of instances may do
  /// this at once.
  /// - Throws: `.unavailable`, also while the table is locked; what was done until then is done.
  package func maintainNotifications() async throws(OperationError) -> NotificationMaintenance {
    let present = core.now()
    var result = NotificationMaintenance()
    result.weeksMade = try await core.transact(within: .seconds(60)) {
      (session) throws(PostgresError) in
      .done(
        Int(try makeNotificationWeeks(from: present - .hours(7 * 24), count: 10, on: &session)))
    }
    let cutoff = try await core.retention().cutoff(of: .coverage, now: present)
    while try await dropNotificationWeek(before: cutoff) { result.weeksDropped += 1 }
    try await core.transact { (session) throws(PostgresError) in
      try session.pipeline(deleteNotifications(before: cutoff))
      return .done(())
    }
    return result
  }

  /// In its own transaction, because it locks the table.
  private func dropNotificationWeek(before cutoff: Instant) async throws(OperationError) -> Bool {
    try await core.transact { (session) throws(PostgresError) in
      .done(try NotificationQueue.dropNotificationWeek(before: cutoff, on: &session) != nil)
    }
  }
}
