import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension DeviceOperations {
  /// Decides on arrivals whose app was asked for its permission a minute ago and has said nothing
  /// since, and on departures that no arrival has followed. Any number of instances may do so at
  /// once: a crossing is one clock action.
  package func decideWaitingCrossings() async throws(OperationError) {
    let now = core.now()
    let waiting = try await core.read { (session) throws(PostgresError) in
      try waitingCrossings(
        arrivedBefore: now - onlineAgeMax, leftBefore: now - departureWait, limit: crossingsMax,
        on: &session)
    }
    var failure: OperationError?
    // In any order, so that several instances seldom wait for each other.
    for device in waiting.shuffled() {
      do throws(OperationError) { try await decideWaitingCrossing(of: device) } catch {
        // One crossing must not keep the others waiting.
        failure = error
      }
    }
    if let failure { throw failure }
  }

  private func decideWaitingCrossing(of device: DeviceID) async throws(OperationError) {
    let receipt = Receipt(at: core.now(), monotonic: .now)
    do throws(OperationError) {
      _ = try await decide(MessageEvents(of: device, receipt), by: nil)
    } catch {
      // Revoked or erased a moment ago.
      guard error == .unauthorized else { throw error }
    }
  }
}

/// How many crossings are decided in a row.
private let crossingsMax: Int32 = 1_000
