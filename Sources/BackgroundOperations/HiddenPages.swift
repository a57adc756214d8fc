import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension BackgroundOperations {
  /// Employees to be reminded that their page is out of view, the longest hidden first, by the
  /// clock of deadlines.
  /// - Parameter last: The last one of the previous page; `nil`: from the beginning.
  package func hiddenPagesDue(after last: DueEmployee? = nil, limit: Int)
    async throws(OperationError) -> [DueEmployee]
  {
    let fixedNow = core.deadlines?()
    return try await core.read { (session) throws(PostgresError) in
      try dueHiddenPages(at: fixedNow, after: last, limit: Int32(clamping: limit), on: &session)
    }
  }

  /// Queues the reminder, once a shift. Whether the page is still hidden is checked again before
  /// each delivery.
  package func remindOfHiddenPage(of employee: EmployeeID) async throws(OperationError) {
    let fixedNow = core.deadlines?()
    try await core.transact { (session) throws(PostgresError) in
      let now = try outboxTime(at: fixedNow, on: &session)
      guard let shift = try noteHiddenReminder(of: employee, at: now, on: &session) else {
        return .done(())
      }
      let reminder = ShiftNotification(.pageHidden, subject: shift, dueAt: now)
      try session.pipeline([enqueueOnce(reminder, for: employee)])
      return .done((), queued: [reminder], at: now)
    }
  }
}
