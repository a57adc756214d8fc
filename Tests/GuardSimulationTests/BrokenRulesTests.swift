import GuardRules
import GuardSimulation
import ShiftDomain
import Testing

/// Rules that were broken on purpose: each must be caught, or a simulation without violations
/// proves nothing.
@Suite("Broken rules") struct BrokenRulesTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// What the violation's message must contain.
    var caughtAs: String
    var rules: RulesUnderTest

    init(_ name: String, caughtAs: String, _ rules: RulesUnderTest) {
      testDescription = name
      self.caughtAs = caughtAs
      self.rules = rules
    }

    /// The right step with a spoiled result.
    init(
      _ name: String, caughtAs: String,
      spoiling spoil:
        @escaping @Sendable (inout GuardStep, GuardState, GuardEvent, Policy, Instant) -> Void
    ) {
      self.init(
        name, caughtAs: caughtAs,
        RulesUnderTest(step: { state, event, policy, now in
          var result = step(state, event, policy: policy, now: now)
          spoil(&result, state, event, policy, now)
          return result
        }))
    }

    /// The right step of another event.
    init(
      _ name: String, caughtAs: String,
      mistaking mistake: @escaping @Sendable (GuardState, GuardEvent) -> GuardEvent
    ) {
      self.init(
        name, caughtAs: caughtAs,
        RulesUnderTest(step: { state, event, policy, now in
          step(state, mistake(state, event), policy: policy, now: now)
        }))
    }
  }

  static let rows: [Row] = [
    Row("blocks always", caughtAs: "a false block") { result, state, event, policy, _ in
      guard case .clockedIn(_, var decision) = result.answer else { return }
      decision.verdict = .block
      result = GuardStep(state: state, effects: [], answer: .blocked(decision))
    },
    Row("never blocks", caughtAs: "an unseen impairment") { result, state, event, _, now in
      guard case .blocked = result.answer else { return }
      result = step(state, event, policy: .policy(of: .advisory), now: now)
    },
    Row("warns of nothing", caughtAs: "clockedIn") { result, _, _, _, _ in
      guard case .clockedIn(let shift, _) = result.answer else { return }
      result.answer = .clockedIn(shift: shift, Decision([], under: .standard))
    },
    Row("closes no incident", caughtAs: "no fix is asked for") {
      result, state, event, _, _ in
      guard case .report = event, state.incidents.count > result.state.incidents.count
      else { return }
      result.state.incidents = state.incidents
      result.effects = []
    },
    Row("closes incidents only in the state", caughtAs: "no end is reported") {
      result, _, _, _, _ in
      result.effects.removeAll {
        if case .incidentClosed(_, _, .restored) = $0 {
          true
        } else {
          $0.isNotification(of: .restored)
        }
      }
    },
    Row("reports an end too early", caughtAs: "an end is reported of what did not end") {
      result, _, _, _, now in
      guard let incident = result.state.incidents.first else { return }
      result.effects.append(
        .notify(
          ShiftNotification(.restored, subject: incident.number, kind: incident.kind, dueAt: now)))
    },
    Row("gives the all-clear while something is left", caughtAs: "an all-clear though") {
      result, _, _, _, _ in
      result.effects = result.effects.map { effect in
        guard case .notify(var notification) = effect, notification.topic == .restored else {
          return effect
        }
        notification.kind = nil
        return .notify(notification)
      }
    },
    Row("never reports an end", caughtAs: "no end is reported") {
      result, _, _, _, _ in
      result.effects.removeAll { $0.isNotification(of: .restored) }
    },
    Row("notifies of a silence that a denial caused", caughtAs: "notification") {
      result, _, event, policy, now in
      guard case .silence(.noContact, _, _) = event,
        case .incidentOpened(let incident, _)? = result.effects.first, result.effects.count == 1
      else { return }
      result.effects.append(
        .notify(
          ShiftNotification(
            .incident, subject: incident.number, kind: .noContact, dueAt: now + policy.debounce)))
    },
    Row("calls the end of a silence a flicker", caughtAs: "flickers") { result, _, event, _, _ in
      guard case .signOfLife = event,
        !result.effects.contains(where: { $0.isNotification(of: .restored) })
      else { return }
      result.effects = result.effects.map {
        guard case .incidentClosed(let number, let at, .resumed) = $0 else { return $0 }
        return .incidentClosed(number, at: at, .flicker)
      }
    },
    Row("reports the end of an unnotified incident", caughtAs: "an end is reported") {
      result, state, _, _, now in
      for case .incidentClosed(let number, _, .restored) in result.effects {
        let closed = state.incidents.first { $0.number == number }
        guard let closed, closed.notificationCount == 0 else { continue }
        let end = ShiftNotification(
          .restored, subject: closed.episode, kind: closed.kind, dueAt: now)
        result.effects.append(.notify(end))
      }
    },
    Row("opens no incident", caughtAs: "a missed impairment") { result, state, event, _, _ in
      guard case .report = event, state.lastIncident < result.state.lastIncident,
        !result.effects.contains(where: { $0.isNotification(of: .restored) })
      else { return }
      result.state.incidents = state.incidents
      result.state.lastIncident = state.lastIncident
      result.effects.removeAll { if case .silenceExplained = $0 { false } else { true } }
    },
    Row("opens nothing at clock-in", caughtAs: "a missed impairment") {
      result, state, event, _, _ in
      guard case .clockIn = event else { return }
      result.state.incidents = []
      result.state.lastIncident = state.lastIncident
      result.effects.removeAll { if case .incidentOpened = $0 { true } else { false } }
    },
    Row("opens a second incident", caughtAs: "a second incident") { result, _, _, _, _ in
      guard case .incidentOpened(var incident, _)? = result.effects.last(where: \.isOpening)
      else { return }
      incident.number += 1
      result.effects.append(.incidentOpened(incident))
    },
    Row("notifies twice", caughtAs: "number is not the next") { result, _, _, _, _ in
      guard let notification = result.effects.first(where: \.isNotification) else { return }
      result.effects.append(notification)
    },
    Row("never notifies", caughtAs: "notification") { result, _, _, _, _ in
      result.effects.removeAll(where: \.isNotification)
    },
    Row("notifies at clock-in", caughtAs: "notification") { result, _, _, policy, now in
      guard case .incidentOpened(let incident, _)? = result.effects.last,
        incident.origin == .atClockIn
      else { return }
      result.effects.append(
        .notify(
          ShiftNotification(
            .incident, subject: incident.number, kind: incident.kind,
            dueAt: now + policy.debounce)))
    },
    Row("cancels nothing", caughtAs: "a notification is pending") { result, _, _, _, _ in
      result.effects.removeAll { if case .cancelNotification = $0 { true } else { false } }
    },
    Row("never amends a notification", caughtAs: "a notification is about") {
      result, _, _, _, _ in
      result.effects.removeAll { if case .amendNotification = $0 { true } else { false } }
    },
    Row("notifies of flickers", caughtAs: "a notification is pending") { result, _, _, _, _ in
      let isFlicker = result.effects.contains {
        if case .incidentClosed(_, _, .flicker) = $0 { true } else { false }
      }
      guard isFlicker else { return }
      result.effects.removeAll { if case .cancelNotification = $0 { true } else { false } }
    },
    Row("calls a flicker a restoration", caughtAs: "flickers") { result, _, _, _, _ in
      result.effects = result.effects.map {
        guard case .incidentClosed(let number, let at, .flicker) = $0 else { return $0 }
        return .incidentClosed(number, at: at, .restored)
      }
    },
    Row("notifies without a debounce", caughtAs: "notification") { result, _, _, _, now in
      result.effects = result.effects.map {
        guard case .notify(var notification) = $0 else { return $0 }
        notification.dueAt = now
        return .notify(notification)
      }
    },
    Row("calls everything urgent", caughtAs: "urgency") { result, _, _, _, _ in
      result.effects = result.effects.map {
        guard case .notify(var notification) = $0 else { return $0 }
        notification.isUrgent = true
        return .notify(notification)
      }
    },
    Row("leaves incidents open after a shift", caughtAs: "with an incident open") {
      result, _, event, _, _ in
      guard case .clockOut = event else { return }
      result.effects.removeAll { if case .incidentClosed = $0 { true } else { false } }
    },
    Row("never calls a phone unstable", caughtAs: "announced []") { result, _, _, _, _ in
      result.effects.removeAll { $0.isNotification(of: .unstable) }
    },
    Row("calls a phone unstable at every flicker", caughtAs: "announced") {
      result, state, event, policy, now in
      var forgetful = state
      forgetful.shift?.flickers.notifiedAt = nil
      result = step(forgetful, event, policy: policy, now: now)
    },
    Row("does not explain a silence", caughtAs: "a silence is not explained") {
      result, _, _, _, _ in
      result.effects.removeAll { if case .silenceExplained = $0 { true } else { false } }
    },
    Row("never notifies of a long break", caughtAs: "announced []") {
      result, _, _, _, _ in
      result.effects.removeAll { $0.isNotification(of: .longBreak) }
    },
    Row("repeats the clock-out reminder", caughtAs: "due at another time") {
      result, state, event, policy, now in
      var forgetful = state
      forgetful.shift?.isReminded = false
      result = step(forgetful, event, policy: policy, now: now)
    },
    Row(
      "treats an unreadable permission as all clear", caughtAs: "is left"
    ) {
      result, state, event, policy, now in
      result = step(state, event, policy: policy, now: now)
      guard case .report(let report, _) = event, result.answer == .reportInForce else { return }
      result.state.shift?.known = KnownState(report.state)
    },
    Row("ignores the limit of a shift", caughtAs: "announced []") {
      result, state, event, policy, now in
      guard let shift = state.shift else { return }
      var endless = state
      endless.shift?.shiftMax = .hours(100_000)
      result = step(endless, event, policy: policy, now: now)
      result.state.shift?.shiftMax = shift.shiftMax
    },
    Row("gives an open shift the limit of a later policy", caughtAs: "due at another time") {
      result, _, _, policy, _ in
      result.state.shift?.shiftMax = policy.shiftMax
    },
    Row("ignores that it is a break", caughtAs: "though all is well") {
      result, state, event, policy, now in
      guard case .report = event, let pause = state.shift?.latestBreak, pause.endedAt == nil
      else { return }
      var working = state
      working.shift?.latestBreak?.endedAt = pause.startedAt
      result = step(working, event, policy: policy, now: now)
      result.state.shift?.latestBreak = pause
    },
    Row("forgets after a break what was reported during it", caughtAs: "a fix is asked for") {
      result, state, event, _, _ in
      guard case .breakEnd = event else { return }
      result.state.incidents = state.incidents
      result.state.lastIncident = state.lastIncident
      result.effects.removeAll {
        if case .breakEnded = $0 { false } else { true }
      }
    },
    Row("lets incidents last on a break", caughtAs: "an incident on a break") {
      result, state, event, _, _ in
      guard case .breakStart = event else { return }
      result.state.incidents = state.incidents
      result.effects.removeAll { if case .breakStarted = $0 { false } else { true } }
    },
    Row("keeps the old device's incidents", caughtAs: "of the previous device") {
      result, state, event, _, _ in
      guard case .takeOver = event else { return }
      result.effects.removeAll { if case .incidentClosed = $0 { true } else { false } }
    },
    Row("lets an override excuse everything", caughtAs: "instead of blocked") { _, event in
      guard case .clockIn(let device, let at, let evidence, var override?, let given) = event
      else { return event }
      override.findings = .all
      return .clockIn(device: device, at: at, evidence, override, given: given)
    },
    Row("lets employees override as they like", caughtAs: "instead of blocked") { _, event in
      guard case .clockIn(let device, let at, let evidence, var override?, let given) = event
      else { return event }
      override.author = .manager
      return .clockIn(device: device, at: at, evidence, override, given: given)
    },
    Row("ignores when the app ended", caughtAs: "too late") { _, event in
      guard case .report(var report, let device) = event else { return event }
      report.appExit = nil
      return .report(report, device: device)
    },
    Row("ignores the order of reports", caughtAs: "inForce instead of late") { _, event in
      guard case .report(var report, let device) = event else { return event }
      report.sequence = nil
      return .report(report, device: device)
    },
    Row("orders reports by the phone's clock", caughtAs: "instead of") { state, event in
      guard case .report(var report, let device) = event, let before = state.shift?.report
      else { return event }
      report.sequence = report.effectiveAt < before.effectiveAt ? -1 : report.sequence
      return .report(report, device: device)
    },
    Row("accepts reports of every device", caughtAs: "instead of aside") { state, event in
      guard case .report(let report, _) = event, let device = state.shift?.device
      else { return event }
      return .report(report, device: device)
    },
    Row("takes unknown for a refusal", caughtAs: "explained wrongly: denied") { _, event in
      event.replacing(.unknown, by: .denied)
    },
    Row("takes unknown for a grant", caughtAs: "a fix is asked for") { _, event in
      event.replacing(.unknown, by: .always)
    },
    Row("takes while in use for always", caughtAs: "instead of clockedIn") { _, event in
      event.replacing(.whenInUse, by: .always)
    },
    Row(
      "requests a fix as soon as anything is restored", caughtAs: "a fix is asked for",
      RulesUnderTest(wantsFixNow: { result in
        result.effects.contains {
          guard case .incidentClosed(_, _, let closing) = $0 else { return false }
          return [.restored, .resumed].contains(closing)
        }
      })),
    Row(
      "never requests a fix", caughtAs: "no fix is asked for",
      RulesUnderTest(wantsFixNow: { _ in false })),
    Row(
      "loses a millisecond of coverage", caughtAs: "coverage",
      RulesUnderTest(coverage: { facts, _ in
        var segments = coverage(of: facts)
        guard let last = segments.indices.last else { return segments }
        segments[last].interval.end = segments[last].interval.end - .milliseconds(1)
        return segments
      })),
    Row(
      "calls everything tracked", caughtAs: "coverage says tracked",
      RulesUnderTest(coverage: { facts, _ in
        [CoverageSegment(interval: facts.frame.shift, reason: .tracked, isAtRisk: false)]
      })),
    Row(
      "forgets what the phone could not do", caughtAs: "coverage says",
      RulesUnderTest(coverage: { facts, _ in
        var facts = facts
        facts.frame.reports = []
        return coverage(of: facts)
      })),
  ]

  @Test("are caught", arguments: rows + endings + episodes + laterPolicies + cooldowns + breaks)
  func caught(_ row: Row) async throws {
    let violation = try await #require(throws: Violation.self) {
      var simulation = Simulation(of: row.rules)
      for seed in 1...200 as ClosedRange<UInt64> {
        try simulation.run(seed: seed)
        await Task.yield()  // other tests wait for this thread
      }
    }
    #expect(violation.message.contains(row.caughtAs))
    // The same world, alone, breaks the same promise at the same step.
    var world = World(seed: violation.seed, rules: row.rules)
    #expect(world.live(until: violation.step) == violation)
  }
}

extension GuardEffect {
  fileprivate var isOpening: Bool { if case .incidentOpened = self { true } else { false } }
  fileprivate var isNotification: Bool { isNotification(of: .incident) }
  func isNotification(of topic: NotificationTopic) -> Bool {
    if case .notify(let notification) = self { notification.topic == topic } else { false }
  }
}

extension GuardEvent {
  /// A copy with another authorization.
  fileprivate func replacing(_ one: Authorization, by other: Authorization) -> GuardEvent {
    switch self {
    case .report(var report, let device) where report.state.authorization == one:
      report.state.authorization = other
      return .report(report, device: device)
    case .clockIn(let device, let at, .report(var report, let platform), let override, let given)
    where report.state.authorization == one:
      report.state.authorization = other
      return .clockIn(device: device, at: at, .report(report, platform), override, given: given)
    default:
      return self
    }
  }
}
