import InsightOperations
import OperationCore
import PolicyOperations
import Postgres
import ShiftDomain

/// The use cases of the workers: what is due by time, deliveries, rollups, retention. Any number of
/// instances may run them at once.
package struct BackgroundOperations: Sendable {
  let core: OperationCore
  /// Computes the coverage in the weekly digest.
  let insight: InsightOperations
  /// Ends rehearsals.
  let policies: PolicyOperations
  let lastSeen: LastSeenBuffer
  package let availability: Availability
  let pingObstacle: @Sendable () async -> String?
  let dirtyShifts: DirtyShifts
  let detectionSamples: DetectionSamples
  let massSilence: MassSilenceView
  /// How long a worker leases notifications; then others may take them over.
  package let notificationLease: TimeSpan
  let inboxFilled: @Sendable () -> Void

  /// - Parameters:
  ///   - pingObstacle: Tries to write as for a ping; why that failed, or `nil`.
  ///   - notificationLease: At least a second.
  ///   - inboxFilled: Called when there is a new message for an open app, after its COMMIT; must
  ///     return quickly.
  package init(
    core: OperationCore, insight: InsightOperations, policies: PolicyOperations,
    lastSeen: LastSeenBuffer, availability: Availability,
    pingObstacle: @escaping @Sendable () async -> String?,
    dirtyShifts: DirtyShifts, detectionSamples: DetectionSamples, massSilence: MassSilenceView,
    notificationLease: TimeSpan, inboxFilled: @escaping @Sendable () -> Void
  ) {
    self.core = core
    self.insight = insight
    self.policies = policies
    self.lastSeen = lastSeen
    self.availability = availability
    self.pingObstacle = pingObstacle
    self.dirtyShifts = dirtyShifts
    self.detectionSamples = detectionSamples
    self.massSilence = massSilence
    self.notificationLease = notificationLease
    self.inboxFilled = inboxFilled
  }

  package func using(_ pool: Pool) -> BackgroundOperations {
    BackgroundOperations(
      core: core.using(pool), insight: insight, policies: policies, lastSeen: lastSeen,
      availability: availability, pingObstacle: pingObstacle, dirtyShifts: dirtyShifts,
      detectionSamples: detectionSamples,
      massSilence: massSilence, notificationLease: notificationLease,
      inboxFilled: inboxFilled)
  }
}
