import Lifecycle
import ShiftOperations
import Telemetry

/// Applies the retention at the start and once a day: creates the partitions of the coming weeks,
/// drops those with expired pings or notifications, and deletes other expired data. Rows without a
/// partition of their own are stored too; they only cost more to delete.
struct PingWeeks: Service {
  let operations: Operations
  let log: Log

  private static let day = Duration.seconds(86_400)
  private static let pauseAfterFailure = Duration.seconds(60)

  func run() async throws {
    while true {
      var pause = Self.day
      do throws(OperationError) {
        let care = try await operations.careForPings()
        if care.isSomething {
          log.info(
            "pings cared for",
            [
              "weeksMade": care.weeksMade, "weeksDropped": care.weeksDropped,
              "pingsDeleted": care.pingsDeleted, "outagesDeleted": care.outagesDeleted,
            ])
        }
        let forgotten = try await operations.forget()
        if forgotten.isSomething {
          log.info("forgotten", ["shifts": forgotten.shifts, "rows": forgotten.rows])
        }
        let messages = try await operations.careForMessages()
        if messages.isSomething {
          log.info(
            "messages cared for",
            ["weeksMade": messages.weeksMade, "weeksDropped": messages.weeksDropped])
        }
      } catch {
        log.warning("pings and messages not cared for", ["reason": "\(error)"])
        pause = Self.pauseAfterFailure
      }
      try await Task.sleep(for: pause)
    }
  }
}
