import BackgroundOperations
import DeviceOperations
import IngestPipeline
import InsightOperations
import InstallationOperations
import ManagerCore
import ManagerOperations
import OperationCore
import Postgres
import ShiftDomain

/// All use cases of this instance. What they keep in memory exists once, whatever connections they
/// use.
struct Operations {
  let clock = ClockWatch()
  let availability = Availability()
  let device: DeviceOperations
  let manager: ManagerOperations
  let background: BackgroundOperations

  /// - Parameter instance: The name of this instance.
  init(
    pool: Pool, heavyReads: HeavyReads, pings: PingPipeline, now: @escaping @Sendable () -> Instant,
    instance: String, notificationLease: TimeSpan, inboxFilled: @escaping @Sendable () -> Void,
    outboxFilled: @escaping @Sendable () -> Void
  ) {
    let core = OperationCore(
      pool: pool, now: now, deadlines: nil, clock: clock, outboxFilled: outboxFilled)
    let lastSeen = LastSeenBuffer()
    let dirtyShifts = DirtyShifts()
    let detectionSamples = DetectionSamples()
    let refusedRequests = RefusedRequests(instance: instance, since: now())
    device = DeviceOperations(
      core: core, pings: pings, lastSeen: lastSeen, availability: availability,
      dirtyShifts: dirtyShifts, detectionSamples: detectionSamples, latencies: LatencyTracker(),
      refusedRequests: refusedRequests)
    manager = ManagerOperations(
      core: core, passwords: PasswordWork(), coverageCache: CoverageCache(),
      dirtyShifts: dirtyShifts, refusedRequests: refusedRequests, heavyReads: heavyReads)
    background = BackgroundOperations(
      core: core, insight: manager.insight, policies: manager.policies, lastSeen: lastSeen,
      availability: availability,
      pingObstacle: pings.tryWriting,
      dirtyShifts: dirtyShifts, detectionSamples: detectionSamples, massSilence: MassSilenceView(),
      notificationLease: notificationLease, inboxFilled: inboxFilled)
  }
}
