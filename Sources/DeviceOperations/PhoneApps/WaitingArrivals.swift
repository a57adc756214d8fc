import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension DeviceOperations {
  /// Decides on arrivals whose app was asked for its permission a minute ago and has said nothing
  /// since. Any number of instances may do so at once: an arrival is one clock action.
  package func decideWaitingArrivals() async throws(OperationError) {
    let cutoff = core.now() - onlineAgeMax
    let waiting = try await core.read { (session) throws(PostgresError) in
      try waitingArrivals(before: cutoff, limit: arrivalsMax, on: &session)
    }
    var failure: OperationError?
    // In any order, so that several instances seldom wait for each other.
    for device in waiting.shuffled() {
      do throws(OperationError) { try await decideWaitingArrival(of: device) } catch {
        // One arrival must not keep the others waiting.
        failure = error
      }
    }
    if let failure { throw failure }
  }

  private func decideWaitingArrival(of device: DeviceID) async throws(OperationError) {
    let receipt = Receipt(at: core.now(), monotonic: .now)
    do throws(OperationError) {
      _ = try await decide(MessageEvents(of: device, receipt), by: nil)
    } catch {
      // Revoked or erased a moment ago.
      guard error == .unauthorized else { throw error }
    }
  }
}

/// How many arrivals are decided in a row.
private let arrivalsMax: Int32 = 1_000
