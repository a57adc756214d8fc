import Lifecycle
import ShiftOperations
import Telemetry

/// Makes the partitions of the weeks to come, at the start and once a day. One that is missing
/// costs nobody a ping, only the ease of dropping its week later.
struct PingWeeks: Service {
  let operations: Operations
  let log: Log

  private static let day = Duration.seconds(86_400)
  private static let pauseAfterFailure = Duration.seconds(60)

  func run() async throws {
    while true {
      var pause = Self.day
      do throws(OperationError) {
        let made = try await operations.makePingWeeks()
        if made > 0 { log.info("ping weeks made", ["count": made]) }
      } catch {
        log.warning("no ping weeks made", ["reason": "\(error)"])
        pause = Self.pauseAfterFailure
      }
      try await Task.sleep(for: pause)
    }
  }
}
