import IngestPipeline
import OperationCore
import Postgres
import ShiftDomain
import ShiftStore

/// The use cases of phones. Each method is one transaction, or one read.
package struct DeviceOperations: Sendable {
  let core: OperationCore
  let pings: PingPipeline
  let lastSeen: LastSeenBuffer
  let dirtyShifts: DirtyShifts
  let detectionSamples: DetectionSamples
  let latencies: LatencyTracker
  let statusKeys: StatusKeyRounds

  package init(
    core: OperationCore, pings: PingPipeline, lastSeen: LastSeenBuffer, dirtyShifts: DirtyShifts,
    detectionSamples: DetectionSamples, latencies: LatencyTracker
  ) {
    self.core = core
    self.pings = pings
    self.lastSeen = lastSeen
    self.dirtyShifts = dirtyShifts
    self.detectionSamples = detectionSamples
    self.latencies = latencies
    statusKeys = StatusKeyRounds(core: core)
  }

  /// The same through other connections, except for pings.
  package func using(_ pool: Pool) -> DeviceOperations {
    DeviceOperations(
      core: core.using(pool), pings: pings, lastSeen: lastSeen, dirtyShifts: dirtyShifts,
      detectionSamples: detectionSamples, latencies: latencies)
  }
}

extension DeviceOperations {
  /// Reads what a decision about the credential's device needs, and records the contact; `nil` if
  /// the device is unknown or revoked.
  func admit(_ credential: DeviceCredential, at receivedAt: Instant, on session: inout Session)
    throws(PostgresError) -> DecisionInputs?
  {
    admit(credential, try gather(credential.device, on: &session), at: receivedAt)
  }

  /// The same for `inputs` as read.
  func admit(_ credential: DeviceCredential, _ inputs: DecisionInputs?, at receivedAt: Instant)
    -> DecisionInputs?
  {
    guard var inputs, credential.opens(inputs) else { return nil }
    inputs.employee = inputs.employee.withDeadlines(ahead: core.clockAhead)
    lastSeen.note(Pulse(device: credential.device, receivedAt: receivedAt))
    if let fixAt = lastSeen.lastFix(of: credential.device) {
      inputs.device.lastFixAt = max(inputs.device.lastFixAt ?? fixAt, fixAt)
    }
    return inputs
  }
}
