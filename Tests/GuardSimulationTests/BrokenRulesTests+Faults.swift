import GuardRules
import GuardSimulation
import ShiftDomain

// Faults that the rules once had.

extension BrokenRulesTests {
  /// All-clears while an incident is left.
  static let endings: [Row] = [
    Row(
      "says that tracking resumed while another dimension still cannot be located",
      caughtAs: "an all-clear though"
    ) { result, state, event, _, _ in
      guard case .report = event else { return }
      result.effects = result.effects.map { effect in
        guard case .notify(var notification) = effect, notification.topic == .restored,
          let left = notification.kind,
          let closed = state.incidents.first(where: { $0.episode == notification.subject }),
          closed.kind != .noContact, closed.kind.dimension != left.dimension, left.cannotLocate
        else { return effect }
        notification.kind = nil
        return .notify(notification)
      }
    },
    Row(
      "says that tracking resumed when a silence ends in a denial",
      caughtAs: "an all-clear though denied"
    ) { result, state, event, _, _ in
      guard case .report = event else { return }
      result.effects = result.effects.map { effect in
        guard case .notify(var notification) = effect, notification.topic == .restored,
          notification.kind == .denied,
          state.incidents.contains(where: {
            $0.episode == notification.subject && $0.kind == .noContact
          })
        else { return effect }
        notification.kind = nil
        return .notify(notification)
      }
    },
    Row(
      "delivers the all-clear that was due when nothing else was known",
      caughtAs: "an all-clear is delivered though",
      RulesUnderTest(cause: { notification, state, now in
        guard notification.topic == .restored, state.shift?.isOnBreak == false else {
          return cause(of: notification, in: state, isReviewed: false, at: now)
        }
        return .holds(nil)
      })),
    Row(
      "does not know, when a break ends, what was reported during it",
      caughtAs: "is reported as left",
      RulesUnderTest(cause: { notification, state, now in
        let cause = cause(of: notification, in: state, isReviewed: false, at: now)
        guard notification.topic == .restored, case .holds(.servicesOff) = cause else {
          return cause
        }
        return .holds(.denied)
      })),
  ]

  /// Episodes that do not hang together.
  static let episodes: [Row] = [
    Row("begins an episode with each kind", caughtAs: "an episode changes its number") {
      result, _, _, _, _ in
      result.effects = result.effects.map {
        guard case .incidentOpened(var incident, let kind?) = $0 else { return $0 }
        incident.episode = incident.number
        return .incidentOpened(incident, after: kind)
      }
    },
    Row("leaves a gap between two kinds", caughtAs: "a gap within an episode") {
      result, _, _, _, _ in
      result.effects = result.effects.map {
        guard case .incidentOpened(var incident, let kind?) = $0 else { return $0 }
        incident.openedAt = incident.openedAt + .milliseconds(1)
        return .incidentOpened(incident, after: kind)
      }
    },
    Row("says nothing when a better kind is left", caughtAs: "no end is reported") {
      result, _, _, _, _ in
      let changes = result.effects.contains {
        if case .incidentOpened(_, .some) = $0 { true } else { false }
      }
      if changes { result.effects.removeAll { $0.isNotification(of: .restored) } }
    },
  ]

  /// Settings of an open shift that follow a later policy.
  static let laterPolicies: [Row] = [
    Row(
      "advises an open shift by a later policy", caughtAs: "gets other settings",
      RulesUnderTest(settings: { shift, _, policy in
        TrackingSettings(of: policy, version: shift.settings.policyVersion)
      })),
    Row(
      "advises the ping interval of a later policy, with the old maximum age of a fix",
      caughtAs: "gets other settings",
      RulesUnderTest(settings: { shift, instant, policy in
        var settings = shift.settings(at: instant)
        settings.pingInterval = policy.pingInterval
        return settings
      })),
    Row(
      "judges the silence of an open shift by a later policy", caughtAs: "due at another time",
      RulesUnderTest(contactDue: { shift, contactRuns, policy in
        var contactRuns = contactRuns
        contactRuns.fixAgeMax = policy.fixAgeMax
        return contactRuns.contactDue(in: shift)
      })),
    Row(
      "computes the coverage of an open shift by a later policy", caughtAs: "coverage says",
      RulesUnderTest(coverage: { facts, policy in
        var facts = facts
        facts.frame.fixAgeMax = policy.fixAgeMax
        return coverage(of: facts)
      })),
  ]

  /// What a cooldown delays, and what it must not delay.
  static let cooldowns: [Row] = [
    Row(
      "lets the cooldown silence the open app",
      caughtAs: "instead of send(ShiftDomain.EscalationStep.inApp",
      RulesUnderTest(delivery: { notification, situation, escalation, now in
        let delivery = decideDelivery(notification, in: situation, by: escalation, now: now)
        guard delivery == .send(.inApp),
          let end = situation.lastAlarms.values.max().map({ $0 + escalation.cooldown }), now < end
        else { return delivery }
        return .wait(until: end)
      })),
    Row(
      "ignores the cooldown", caughtAs: "a notification gets",
      RulesUnderTest(delivery: { notification, situation, escalation, now in
        var situation = situation
        situation.lastAlarms = [:]
        return decideDelivery(notification, in: situation, by: escalation, now: now)
      })),
    Row(
      "lets the cooldown of one way delay another", caughtAs: "a notification gets wait",
      RulesUnderTest(delivery: { notification, situation, escalation, now in
        var situation = situation
        situation.lastAlarms[.email] = situation.lastAlarms.values.max()
        return decideDelivery(notification, in: situation, by: escalation, now: now)
      })),
    Row(
      "lets a notification's own push delay its e-mail", caughtAs: "a notification gets wait",
      RulesUnderTest(delivery: { notification, situation, escalation, now in
        var situation = situation
        if situation.steps.push == .reached {
          situation.lastAlarms[.email] = notification.dueAt + escalation.emailAfter
        }
        return decideDelivery(notification, in: situation, by: escalation, now: now)
      })),
    Row(
      "pushes although an open app shows it", caughtAs: "a notification gets send",
      RulesUnderTest(delivery: { notification, situation, escalation, now in
        var situation = situation
        if situation.steps.inApp == .reached { situation.steps.inApp = .absent }
        return decideDelivery(notification, in: situation, by: escalation, now: now)
      })),
    Row(
      "notifies the managers at once", caughtAs: "EscalationStep.managers) instead of",
      RulesUnderTest(delivery: { notification, situation, escalation, now in
        var escalation = escalation
        escalation.managersAfter = .zero
        return decideDelivery(notification, in: situation, by: escalation, now: now)
      })),
    Row(
      "pushes under `advisory`", caughtAs: "a notification gets",
      RulesUnderTest(delivery: { notification, situation, escalation, now in
        var escalation = escalation
        escalation.notifiesBeyondOpenApp = true
        return decideDelivery(notification, in: situation, by: escalation, now: now)
      })),
    Row(
      "gives up where no address is set up", caughtAs: "finish",
      RulesUnderTest(delivery: { notification, situation, escalation, now in
        let delivery = decideDelivery(notification, in: situation, by: escalation, now: now)
        guard case .wait = delivery, situation.steps == StepStates() else { return delivery }
        return .finish(.unreachable)
      })),
    Row(
      "keeps notifying of an incident that is over", caughtAs: "says nothing new",
      RulesUnderTest(cause: { notification, state, now in
        let cause = cause(of: notification, in: state, isReviewed: false, at: now)
        return notification.topic == .incident && cause == .ended(.restored)
          ? .holds(notification.kind) : cause
      })),
  ]

  /// Breaks that are received late, or out of order.
  static let breaks: [Row] = [
    Row(
      "dates a break's start by its receipt", caughtAs: "a break is dated wrongly",
      RulesUnderTest(step: { state, event, policy, now in
        guard case .breakStart = event, state.shift?.isOnBreak == false else {
          return step(state, event, policy: policy, now: now)
        }
        return step(state, .breakStart(at: now), policy: policy, now: now)
      })),
    Row(
      "dates a break's end by its receipt", caughtAs: "a break is dated wrongly",
      RulesUnderTest(step: { state, event, policy, now in
        guard case .breakEnd = event else { return step(state, event, policy: policy, now: now) }
        return step(state, .breakEnd(at: now), policy: policy, now: now)
      })),
    Row(
      "refuses fixes recorded before a late break was received", caughtAs: "refused",
      RulesUnderTest(placement: { instant, device, shifts, now in
        let placement = place(effectiveAt: instant, device: device, among: shifts, now: now)
        guard placement != .refused(.onBreak), let shift = shifts.first,
          let pause = shift.breaks.intervals.last, pause.end.milliseconds == .max,
          instant > pause.start - .seconds(60)
        else { return placement }
        return .refused(.onBreak)
      })),
    Row(
      "keeps fixes recorded during a break", caughtAs: "instead of refused",
      RulesUnderTest(placement: { instant, device, shifts, now in
        let shifts = shifts.map { shift in
          var shift = shift
          shift.breaks = IntervalSet()
          return shift
        }
        return place(effectiveAt: instant, device: device, among: shifts, now: now)
      })),
    Row(
      "loses fixes recorded after a break whose end was received late", caughtAs: "coverage says",
      RulesUnderTest(counted: { pings, frame, isOpen in
        let late = IntervalSet(
          frame.breaks.intervals.map {
            Interval(from: $0.start, to: $0.end + .seconds(60))
          })
        return pings.counted(in: frame, isOpen: isOpen).filter { !late.contains($0.effectiveAt) }
      })),
    Row(
      "counts fixes recorded during a break at its end", caughtAs: "coverage says tracked",
      RulesUnderTest(counted: { pings, frame, isOpen in
        pings.map { ping in
          var ping = ping
          let pause = frame.breaks.intervals.first {
            $0.start <= ping.effectiveAt && ping.effectiveAt < $0.end
          }
          ping.effectiveAt = pause?.end ?? ping.effectiveAt
          return ping
        }.counted(in: frame, isOpen: isOpen)
      })),
    Row(
      "counts fixes recorded before a start that was moved later", caughtAs: "coverage says",
      RulesUnderTest(
        coverage: { facts, _ in
          var facts = facts
          let start = facts.frame.shift.start
          facts.frame.shift.start = start - .hours(1)
          return coverage(of: facts).compactMap { segment in
            guard start < segment.interval.end else { return nil }
            var segment = segment
            segment.interval.start = max(segment.interval.start, start)
            return segment
          }
        },
        counted: { pings, frame, isOpen in
          var frame = frame
          frame.shift.start = frame.shift.start - .hours(1)
          return pings.counted(in: frame, isOpen: isOpen)
        })),
  ]
}
