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
    let inputs = try await core.read { (session) throws(PostgresError) in
      try gather(device, on: &session)
    }
    guard let inputs, inputs.device.revokedAt == nil, let arrivedAt = inputs.device.arrivedAt,
      receipt.at - arrivedAt > onlineAgeMax
    else { return }
    _ = try await decide(
      arrivalAt: arrivedAt, inputs, from: DeviceCredential(of: inputs), receipt)
  }
}

/// How many arrivals are decided in a row.
private let arrivalsMax: Int32 = 1_000
