import BackgroundOperations
import OperationCore
import Telemetry

/// Creates the partitions of the coming weeks, drops those with expired pings or notifications, and
/// deletes other expired data. Rows without a partition of their own are stored too; they only cost
/// more to delete.
func applyRetention(_ operations: BackgroundOperations, _ log: Log) async throws(OperationError) {
  let pings = try await operations.maintainPings()
  if pings.isSomething {
    log.info(
      "ping retention run",
      [
        "weeksMade": pings.weeksMade, "weeksDropped": pings.weeksDropped,
        "pingsDeleted": pings.pingsDeleted, "visitsDeleted": pings.visitsDeleted,
        "outagesDeleted": pings.outagesDeleted,
      ])
  }
  let deleted = try await operations.deleteOldData()
  if deleted.isSomething {
    log.info("data deleted", ["shifts": deleted.shifts, "rows": deleted.rows])
  }
  let notifications = try await operations.maintainNotifications()
  if notifications.isSomething {
    log.info(
      "notification retention run",
      ["weeksMade": notifications.weeksMade, "weeksDropped": notifications.weeksDropped])
  }
}
