import IngestPipeline
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// The use cases of phones. Each method is one transaction, or one read.
package struct DeviceOperations: Sendable {
  let core: OperationCore
  let pings: PingPipeline
  let lastSeen: LastSeenBuffer
  let availability: Availability
  let dirtyShifts: DirtyShifts
  let detectionSamples: DetectionSamples
  let latencies: LatencyTracker
  let refusedRequests: RefusedRequests
  let admission: Admission
  let statusKeys: StatusKeyRounds
  let reportRounds: ReportRounds

  /// - Parameter reportsTogetherWithin: How long reports of several employees may take together.
  ///   One employee whose rows are locked delays the others for no longer.
  package init(
    core: OperationCore, pings: PingPipeline, lastSeen: LastSeenBuffer, availability: Availability,
    dirtyShifts: DirtyShifts, detectionSamples: DetectionSamples, latencies: LatencyTracker,
    refusedRequests: RefusedRequests, reportsTogetherWithin: Duration = .seconds(1)
  ) {
    self.core = core
    self.pings = pings
    self.lastSeen = lastSeen
    self.availability = availability
    self.dirtyShifts = dirtyShifts
    self.detectionSamples = detectionSamples
    self.latencies = latencies
    self.refusedRequests = refusedRequests
    admission = Admission(core: core, lastSeen: lastSeen)
    statusKeys = StatusKeyRounds(core: core)
    reportRounds = ReportRounds(
      core: core, admission: admission, sharedDeadline: reportsTogetherWithin)
  }

  /// Calls `observe` with how long each detection by a report took, from its last byte to COMMIT.
  package func tellDetections(_ observe: @escaping @Sendable (Duration) -> Void) {
    detectionSamples.tell(observe)
  }

  /// The same through other connections, except for pings.
  package func using(_ pool: Pool) -> DeviceOperations {
    DeviceOperations(
      core: core.using(pool), pings: pings, lastSeen: lastSeen, availability: availability,
      dirtyShifts: dirtyShifts, detectionSamples: detectionSamples, latencies: latencies,
      refusedRequests: refusedRequests)
  }
}

extension DeviceOperations {
  /// Remembers a refused request for support, by the token that it was sent with.
  package func note(_ request: RefusedRequest, of credential: DeviceCredential) {
    refusedRequests.add(request, of: credential.device, secretHash: credential.secretHash)
  }

  /// How many uploads of reports wait for others to be written.
  package var reportsWaiting: Int { reportRounds.waiting }

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
    admission.admit(credential, inputs, at: receivedAt)
  }
}
