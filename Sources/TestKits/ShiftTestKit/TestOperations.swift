import BackgroundOperations
import DeviceOperations
import IngestPipeline
import InsightOperations
import InstallationOperations
import ManagerCore
import ManagerOperations
import NotificationOperations
import OperationCore
import PeopleOperations
import PolicyOperations
import Postgres
import ReviewOperations
import ShiftDomain
import TestKit

/// All use cases, which share what they keep in memory, as in one instance of the service.
package struct TestOperations: Sendable {
  /// What the use cases share.
  package let core: OperationCore
  /// The use cases of phones.
  package let device: DeviceOperations
  /// The use cases of managers, administrators and operators.
  package let manager: ManagerOperations
  /// The use cases of the workers.
  package let background: BackgroundOperations

  /// Where pings are stored.
  package let pings: PingPipeline
  /// The last contacts of phones, until they are stored.
  package let lastSeen: LastSeenBuffer
  /// Pings that are stored but not yet rolled up.
  package let dirtyShifts: DirtyShifts
  /// The difference between `now` and the database's time.
  package let clock: ClockWatch
  /// When the evidence behind notifications was read.
  package let latencies: LatencyTracker
  /// The refused requests of phones.
  package let refusedRequests: RefusedRequests
  /// When this instance could answer phones.
  package let availability: Availability

  /// - Parameters:
  ///   - pool: Connections to a migrated database.
  ///   - pings: Where pings are stored; `nil`: through the same connections.
  ///   - now: The server's clock.
  ///   - deadlines: The clock that decides what is due; `nil`: the database's.
  ///   - lastSeen: Shared with the operations of another pool, if the test has some; so are the
  ///     clock and the latencies.
  package init(
    pool: Pool, pings: PingPipeline? = nil, now: @escaping @Sendable () -> Instant,
    deadlines: (@Sendable () -> Instant)? = nil, lastSeen: LastSeenBuffer = LastSeenBuffer(),
    clock: ClockWatch = ClockWatch(), latencies: LatencyTracker = LatencyTracker(),
    reportsTogetherWithin: Duration = TestDatabase.patience,
    notificationLease: TimeSpan = .seconds(30),
    passwords: PasswordWork = PasswordWork(), heavyReads: HeavyReads? = nil,
    inboxFilled: @escaping @Sendable () -> Void = {},
    outboxFilled: @escaping @Sendable () -> Void = {}
  ) {
    self.pings = pings ?? PingPipeline(pool: pool)
    self.lastSeen = lastSeen
    self.clock = clock
    self.latencies = latencies
    availability = Availability(now: deadlines ?? now)
    dirtyShifts = DirtyShifts()
    let detectionSamples = DetectionSamples()
    refusedRequests = RefusedRequests(instance: "test", since: Instant(milliseconds: 0))
    core = OperationCore(
      pool: pool, now: now, deadlines: deadlines, clock: clock, outboxFilled: outboxFilled)
    device = DeviceOperations(
      core: core, pings: self.pings, lastSeen: lastSeen, availability: availability,
      dirtyShifts: dirtyShifts, detectionSamples: detectionSamples, latencies: latencies,
      refusedRequests: refusedRequests, reportsTogetherWithin: reportsTogetherWithin)
    manager = ManagerOperations(
      core: core, passwords: passwords, coverageCache: CoverageCache(), dirtyShifts: dirtyShifts,
      refusedRequests: refusedRequests, heavyReads: heavyReads ?? HeavyReads(pool: pool))
    background = BackgroundOperations(
      core: core, insight: manager.insight, policies: manager.policies, lastSeen: lastSeen,
      availability: availability,
      pingObstacle: self.pings.tryWriting, dirtyShifts: dirtyShifts,
      detectionSamples: detectionSamples, massSilence: MassSilenceView(),
      notificationLease: notificationLease, inboxFilled: inboxFilled)
  }
}

extension TestOperations {
  /// Employees, teams, phones, sites and planned shifts.
  package var people: PeopleOperations { manager.people }
  /// Policies and rehearsals.
  package var policies: PolicyOperations { manager.policies }
  /// Decisions of managers, and time sheets.
  package var reviews: ReviewOperations { manager.reviews }
  /// The board, coverage, lists and tracks.
  package var insight: InsightOperations { manager.insight }
  /// Notifications, contacts and channels.
  package var notifications: NotificationOperations { manager.notifications }
  /// Accounts, the audit log and retention.
  package var installation: InstallationOperations { manager.installation }
}
