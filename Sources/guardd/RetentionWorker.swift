import Lifecycle
import ShiftOperations
import Telemetry

/// Applies the retention at the start and once a day: creates the partitions of the coming weeks,
/// drops those with expired pings or notifications, and deletes other expired data. Rows without a
/// partition of their own are stored too; they only cost more to delete.
struct RetentionWorker: Service {
  let operations: Operations
  let log: Log

  private static let day = Duration.seconds(86_400)
  private static let pauseAfterFailure = Duration.seconds(60)

  func run() async throws {
    while true {
      var pause = Self.day
      do throws(OperationError) {
        let care = try await operations.maintainPings()
        if care.isSomething {
          log.info(
            "ping retention run",
            [
              "weeksMade": care.weeksMade, "weeksDropped": care.weeksDropped,
              "pingsDeleted": care.pingsDeleted, "outagesDeleted": care.outagesDeleted,
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
      } catch {
        log.warning("retention run failed", ["reason": "\(error)"])
        pause = Self.pauseAfterFailure
      }
      try await Task.sleep(for: pause)
    }
  }
}
