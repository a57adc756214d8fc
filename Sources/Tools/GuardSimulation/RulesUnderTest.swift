import GuardRules
import ShiftDomain

/// The rules as a world calls them; tests replace them by broken ones.
package struct RulesUnderTest: Sendable {
  /// The step for an event.
  package var step: @Sendable (GuardState, GuardEvent, Policy, Instant) -> GuardStep
  /// A shift's coverage segments. The current policy is passed too, and must not be used.
  package var coverage: @Sendable (CoverageFacts, Policy) -> [CoverageSegment]

  /// Whether the phone is asked for a fix at once.
  package var wantsFixNow: @Sendable (GuardStep) -> Bool

  /// The settings of the device that tracks at an instant. The policy then in force is passed too,
  /// and must not be used.
  package var settings: @Sendable (TrackedShift, Instant, Policy) -> TrackingSettings

  /// When contact has been missing for too long. The current policy is passed too, and must not be
  /// used.
  package var contactDue: @Sendable (OpenShift, SilenceEvidence, Policy) -> Instant

  /// The placement of a fix: by its time, its device, the shifts and the current time.
  package var placement: @Sendable (Instant, Int16, [TrackedShift], Instant) -> PingPlacement

  /// The pings that a shift counts. The last argument says whether the shift is still open.
  package var counted: @Sendable ([ReceivedPing], CoverageFrame, Bool) -> [ReceivedPing]

  /// Whether the cause of a notification still holds at an instant.
  package var cause: @Sendable (ShiftNotification, GuardState, Instant) -> Cause

  /// The next step for a notification at an instant.
  package var delivery:
    @Sendable (ShiftNotification, DeliverySituation, EscalationPolicy, Instant) -> DeliveryDecision

  /// The real rules, except for the given functions.
  package init(
    step: @escaping @Sendable (GuardState, GuardEvent, Policy, Instant) -> GuardStep = {
      GuardRules.step($0, $1, policy: $2, now: $3)
    },
    coverage: @escaping @Sendable (CoverageFacts, Policy) -> [CoverageSegment] = { facts, _ in
      GuardRules.coverage(of: facts)
    },
    wantsFixNow: @escaping @Sendable (GuardStep) -> Bool = { $0.wantsFixNow },
    settings: @escaping @Sendable (TrackedShift, Instant, Policy) -> TrackingSettings = {
      shift, instant, _ in shift.settings(at: instant)
    },
    contactDue: @escaping @Sendable (OpenShift, SilenceEvidence, Policy) -> Instant = {
      shift, evidence, _ in evidence.contactDue(in: shift)
    },
    placement: @escaping @Sendable (Instant, Int16, [TrackedShift], Instant) -> PingPlacement = {
      place(effectiveAt: $0, device: $1, among: $2, now: $3)
    },
    counted: @escaping @Sendable ([ReceivedPing], CoverageFrame, Bool) -> [ReceivedPing] = {
      $0.counted(in: $1, isOpen: $2)
    },
    cause: @escaping @Sendable (ShiftNotification, GuardState, Instant) -> Cause = {
      GuardRules.cause(of: $0, in: $1, isReviewed: false, at: $2)
    },
    delivery:
      @escaping @Sendable (ShiftNotification, DeliverySituation, EscalationPolicy, Instant) ->
      DeliveryDecision = {
        decideDelivery($0, in: $1, by: $2, now: $3)
      }
  ) {
    self.step = step
    self.coverage = coverage
    self.wantsFixNow = wantsFixNow
    self.settings = settings
    self.contactDue = contactDue
    self.placement = placement
    self.counted = counted
    self.cause = cause
    self.delivery = delivery
  }
}
