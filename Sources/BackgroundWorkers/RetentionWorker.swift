import BackgroundOperations
import Lifecycle
import OperationCore
import Telemetry

/// Applies the retention at the start and once a day: creates the partitions of the coming weeks,
/// drops those with expired pings or notifications, and deletes other expired data. Rows without a
/// partition of their own are stored too; they only cost more to delete.
package struct RetentionWorker: Service {
  private let operations: BackgroundOperations
  private let log: Log
  private let meter: PollMeter

  package init(operations: BackgroundOperations, monitor: Monitor) {
    self.operations = operations
    log = monitor.log
    meter = PollMeter("retention", monitor)
  }

  /// Runs once a day until its task is cancelled; after a failure, once a minute.
  package func run() async {
    await Polling(every: .seconds(86_400)).run {
      do throws(OperationError) {
        try await applyRetention()
        meter.end(isWell: true)
        return .atInterval
      } catch {
        meter.fail("\(error)")
        meter.end(isWell: false)
        return .after(.seconds(60))
      }
    }
  }

  private func applyRetention() async throws(OperationError) {
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
}
