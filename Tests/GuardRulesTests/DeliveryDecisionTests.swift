import GuardRules
import ShiftDomain
import Testing

@Suite("Delivery decisions") struct DeliveryDecisionTests {
  static let policy = EscalationPolicy(of: .policy(of: .standard))
  static let quiet = EscalationPolicy(of: .policy(of: .advisory))
  static let due = Instant(milliseconds: 1_772_438_400_000)

  static func after(_ seconds: Int64) -> Instant { due + .seconds(seconds) }

  static func alarm(_ kind: IncidentKind = .denied) -> ShiftNotification {
    ShiftNotification(.incident, subject: 3, kind: kind, dueAt: due, isUrgent: true)
  }

  typealias Row = (
    name: String, at: Int64, steps: StepStates, acknowledged: Bool, is: DeliveryDecision
  )

  // A step that a row does not name is absent.
  static let escalates: [Row] = [
    (
      "nothing is sent before the debounce has passed", -2, StepStates(push: .ready), false,
      .wait(until: after(0))
    ),
    (
      "an open app comes first", 0,
      StepStates(inApp: .ready, push: .ready, email: .ready, managers: .ready), false,
      .send(.inApp)
    ),
    (
      "an open app has a second to show it", 0,
      StepStates(inApp: .shown(at: after(0)), push: .ready), false, .wait(until: after(1))
    ),
    (
      "a notification that the app did not show within a second is pushed", 1,
      StepStates(inApp: .shown(at: after(0)), push: .ready), false, .send(.push)
    ),
    (
      "without an open app the phone gets a push at once", 0,
      StepStates(push: .ready, email: .ready, managers: .ready), false, .send(.push)
    ),
    (
      "a notification that the app showed is not pushed; the e-mail waits", 1,
      StepStates(inApp: .reached, push: .ready, email: .ready, managers: .ready), false,
      .wait(until: after(300))
    ),
    (
      "after five minutes an e-mail follows", 300,
      StepStates(push: .reached, email: .ready, managers: .ready), false, .send(.email)
    ),
    (
      "where no push can come, the e-mail is sent at once", 0,
      StepStates(email: .ready, managers: .ready), false, .send(.email)
    ),
    (
      "an e-mail that was sent at once does not hurry the managers", 0,
      StepStates(email: .reached, managers: .ready), false, .wait(until: after(600))
    ),
    (
      "an app that showed it counts as a push", 1,
      StepStates(inApp: .reached, email: .ready), false, .wait(until: after(300))
    ),
    (
      "after a push, an app that opens is not notified again", 10,
      StepStates(inApp: .ready, push: .reached), false, .finish(.delivered)
    ),
    (
      "after a push was refused for good, the e-mail is sent at once", 1,
      StepStates(push: .failed, email: .ready, managers: .ready), false, .send(.email)
    ),
    (
      "after a push to an address that is gone, the e-mail is sent at once, too", 1,
      StepStates(push: .gone, email: .ready, managers: .ready), false, .send(.email)
    ),
    (
      "a failed push is retried, and the e-mail waits for its time", 10,
      StepStates(push: .held(until: after(40)), email: .ready, managers: .ready), false,
      .wait(until: after(40))
    ),
    (
      "a push with a long retry delay does not delay the e-mail", 300,
      StepStates(push: .held(until: after(900)), email: .ready, managers: .ready), false,
      .send(.email)
    ),
    (
      "after ten minutes the managers are notified", 600,
      StepStates(push: .reached, email: .reached, managers: .ready), false, .send(.managers)
    ),
    (
      "after an acknowledgement no e-mail is sent, but the managers are still notified", 300,
      StepStates(push: .reached, email: .ready, managers: .ready), true, .wait(until: after(600))
    ),
    (
      "after the managers no step is left", 601,
      StepStates(push: .reached, email: .reached, managers: .reached), false, .finish(.delivered)
    ),
    (
      "a team without contacts ends at the e-mail", 301,
      StepStates(push: .reached, email: .reached), false, .finish(.delivered)
    ),
    (
      "without any address it waits for the app", 0, StepStates(), false, .wait(until: after(600))
    ),
    (
      "notifying the managers does not notify the employee", 700,
      StepStates(managers: .reached), false, .wait(until: after(1_300))
    ),
    ("and it goes to the app once open", 700, StepStates(inApp: .ready), false, .send(.inApp)),
    (
      "an acknowledged notification needs no delivery", 700, StepStates(), true, .finish(.delivered)
    ),
    (
      "refused by every address: a dead letter", 1, StepStates(push: .failed, email: .failed),
      false, .finish(.unreachable)
    ),
    (
      "the only address is gone: the notification waits for another address or the app", 1,
      StepStates(push: .gone), false, .wait(until: after(601))
    ),
    (
      "only the app, which did not show it: not delivered", 1,
      StepStates(inApp: .shown(at: after(0))), false, .wait(until: after(601))
    ),
  ]

  @Test("An incident notification escalates step by step", arguments: escalates)  // R: A11, M4
  func ascends(_ row: Row) {
    let situation = DeliverySituation(
      cause: .holds(.denied), steps: row.steps, isAcknowledged: row.acknowledged)
    let next = decideDelivery(Self.alarm(), in: situation, by: Self.policy, now: Self.after(row.at))
    #expect(next == row.is, "\(row.name)")
  }

  static let all = StepStates(
    inApp: .ready, push: .ready, email: .ready, managers: .ready)

  @Test("A notification whose cause has ended is not sent, whatever was sent before")  // R: A17
  func over() {
    for ending in NotificationEnding.allCases {
      let situation = DeliverySituation(cause: .ended(ending), steps: Self.all)
      for at in [-5, 0, 400, 10_000] as [Int64] {
        #expect(
          decideDelivery(Self.alarm(), in: situation, by: Self.policy, now: Self.after(at))
            == .finish(ending))
      }
    }
  }

  @Test("Nothing is sent on a break, and the notification is decided again a minute later")
  func rests() {
    let situation = DeliverySituation(cause: .rests, steps: Self.all)
    #expect(
      decideDelivery(Self.alarm(), in: situation, by: Self.policy, now: Self.due)
        == .wait(until: Self.after(60)))
  }

  @Test("Each way waits for the cooldown since its own last alarm of the kind, the app for none")
  func cooldown() {  // R: M3, A11
    func next(
      _ steps: StepStates, _ last: [EscalationStep: Instant], at: Int64
    ) -> DeliveryDecision {
      let situation = DeliverySituation(cause: .holds(.denied), steps: steps, lastAlarms: last)
      return decideDelivery(Self.alarm(), in: situation, by: Self.policy, now: Self.after(at))
    }
    let last = Self.after(-200)
    #expect(next(Self.all, [.push: last, .email: last], at: 0) == .send(.inApp))
    let pushes = StepStates(push: .ready, email: .ready)
    #expect(next(pushes, [:], at: 0) == .send(.push))
    #expect(next(pushes, [.email: last], at: 0) == .send(.push))
    #expect(next(pushes, [.push: last], at: 0) == .wait(until: Self.after(300)))
    #expect(next(pushes, [.push: last, .email: last], at: 300) == .wait(until: Self.after(400)))
    #expect(next(pushes, [.push: last], at: 400) == .send(.push))
    let mails = StepStates(push: .reached, email: .ready, managers: .ready)
    #expect(next(mails, [.push: Self.after(299)], at: 300) == .send(.email))
    #expect(next(mails, [.email: last, .managers: last], at: 300) == .wait(until: Self.after(400)))
  }

  @Test("Under advisory only the open app is notified")  // R: B3
  func advisory() {
    func next(_ inApp: StepState, at: Int64 = 0) -> DeliveryDecision {
      var steps = Self.all
      steps.inApp = inApp
      return decideDelivery(
        Self.alarm(), in: DeliverySituation(cause: .holds(.denied), steps: steps), by: Self.quiet,
        now: Self.after(at))
    }
    #expect(next(.ready) == .send(.inApp))
    #expect(next(.shown(at: Self.due)) == .wait(until: Self.after(1)))
    #expect(next(.shown(at: Self.due), at: 1) == .wait(until: Self.after(601)))
    #expect(next(.reached) == .finish(.delivered))
    // Without an open app nothing counts as delivered, and managers are never notified.
    for at in [0, 400, 4_000] as [Int64] {
      #expect(next(.absent, at: at) == .wait(until: Self.after(at + 600)))
      #expect(next(.ready, at: at) == .send(.inApp))
    }
  }

  @Test("Under advisory a notification shown in this session is not repeated")  // R: B3
  func advisoryOnce() {
    func next(isRepeated: Bool, at: Int64 = 0) -> DeliveryDecision {
      decideDelivery(
        Self.alarm(),
        in: DeliverySituation(
          cause: .holds(.denied), steps: Self.all, isRepeated: isRepeated),
        by: Self.quiet, now: Self.after(at))
    }
    #expect(next(isRepeated: true) == .finish(.delivered))
    #expect(next(isRepeated: false) == .send(.inApp))
    #expect(next(isRepeated: true, at: -1) == .wait(until: Self.due))
  }

  @Test("Under advisory managers are notified of reviews, or the notification waits for a contact")
  func advisoryManagers() {
    let notification = ShiftNotification(.clockActionForReview, subject: 5, dueAt: Self.due)
    func next(_ managers: StepState) -> DeliveryDecision {
      decideDelivery(
        notification,
        in: DeliverySituation(
          cause: .holds(nil), steps: StepStates(inApp: .ready, managers: managers)),
        by: Self.quiet, now: Self.due)
    }
    #expect(next(.ready) == .send(.managers))
    #expect(next(.reached) == .finish(.delivered))
    #expect(next(.absent) == .wait(until: Self.after(600)))
    #expect(next(.failed) == .finish(.unreachable))
  }

  @Test("A restored notification takes the incident's channels, e-mail and managers included")
  func restored() {  // R: A12, M4
    let notification = ShiftNotification(.restored, subject: 3, dueAt: Self.due)
    func next(
      _ steps: StepStates, _ alarmed: Set<EscalationStep>, at: Int64 = 0
    ) -> DeliveryDecision {
      decideDelivery(
        notification,
        in: DeliverySituation(
          cause: .holds(nil), steps: steps, alarmed: alarmed),
        by: Self.policy, now: Self.after(at))
    }
    #expect(next(Self.all, []) == .finish(.notNeeded))
    #expect(next(Self.all, [.push]) == .send(.inApp))
    #expect(next(StepStates(push: .ready, email: .ready), [.push]) == .send(.push))
    #expect(next(StepStates(push: .ready, email: .ready), [.email]) == .send(.email))
    #expect(
      next(StepStates(push: .reached, managers: .ready), [.push, .managers])
        == .send(.managers))
    #expect(next(StepStates(push: .reached, email: .ready), []) == .finish(.delivered))
    #expect(next(StepStates(push: .ready), [.inApp]) == .wait(until: Self.after(600)))
    #expect(next(StepStates(push: .ready), [.push], at: -1) == .wait(until: Self.due))
  }

  @Test(
    "Notifications for managers go to them at once, and to nobody else",
    arguments: [
      NotificationTopic.clockInBlocked, .clockActionForReview, .late, .noShow,
    ])  // R: W3
  func managers(_ topic: NotificationTopic) {
    let notification = ShiftNotification(topic, subject: 5, dueAt: Self.due)
    func next(_ steps: StepStates) -> DeliveryDecision {
      decideDelivery(
        notification, in: DeliverySituation(cause: .holds(nil), steps: steps), by: Self.policy,
        now: Self.due)
    }
    #expect(next(Self.all) == .send(.managers))
    #expect(
      next(StepStates(inApp: .ready, push: .ready, managers: .reached)) == .finish(.delivered))
    #expect(next(StepStates(push: .ready)) == .wait(until: Self.after(600)))
    #expect(next(StepStates(managers: .failed)) == .finish(.unreachable))
  }

  @Test("Managers are notified of each blocked employee once per cooldown")  // R: W3
  func blockedAgain() {
    func next(_ topic: NotificationTopic, after seconds: Int64?) -> DeliveryDecision {
      decideDelivery(
        ShiftNotification(topic, subject: 5, dueAt: Self.due),
        in: DeliverySituation(
          cause: .holds(nil), steps: StepStates(managers: .ready),
          lastAlarms: seconds.map { [.managers: Self.after(-$0)] } ?? [:]),
        by: Self.policy, now: Self.due)
    }
    #expect(next(.clockInBlocked, after: nil) == .send(.managers))
    #expect(next(.clockInBlocked, after: 599) == .finish(.superseded))
    #expect(next(.clockInBlocked, after: 600) == .send(.managers))
    #expect(next(.clockActionForReview, after: 599) == .wait(until: Self.after(1)))
  }

  @Test("Undeliverable shift-time notifications expire after 30 days, incidents never")  // R: A11
  func lifetimes() {
    func next(_ topic: NotificationTopic, days: Int64) -> DeliveryDecision {
      decideDelivery(
        ShiftNotification(topic, subject: 5, kind: .denied, dueAt: Self.due),
        in: DeliverySituation(cause: .holds(.denied), steps: StepStates()), by: Self.policy,
        now: Self.due + .hours(24 * days))
    }
    for topic in [NotificationTopic.shiftCorrected, .shiftOpened, .endedAtLimit, .timesAccepted] {
      #expect(next(topic, days: 29) == .wait(until: Self.due + .hours(24 * 29 + 6)), "\(topic)")
      #expect(next(topic, days: 30) == .finish(.expired), "\(topic)")
    }
    #expect(next(.incident, days: 40) == .wait(until: Self.due + .hours(24 * 40 + 6)))
  }

  @Test("Managers are notified exactly when the escalation policy says")  // R: M4
  func managersDue() {
    for limit in [0, 4, 60, 600] as [Int64] {
      var escalation = Self.policy
      escalation.managersAfter = .seconds(limit)
      #expect(escalation.managersDue(for: Self.alarm()) == Self.after(limit))
      #expect(
        escalation.managersDue(for: ShiftNotification(.restored, subject: 3, dueAt: Self.due))
          == Self.due)
    }
  }

  @Test("A test goes to its own step within five minutes or expires, also under advisory")
  func trial() {
    func next(_ step: EscalationStep, _ state: StepState, at: Int64 = 0) -> DeliveryDecision {
      var steps = Self.all
      switch step {
      case .inApp: steps.inApp = state
      case .push: steps.push = state
      case .email: steps.email = state
      case .managers: steps.managers = state
      }
      return decideDelivery(
        .test(1, of: step, dueAt: Self.due),
        in: DeliverySituation(cause: .holds(nil), steps: steps), by: Self.quiet,
        now: Self.after(at))
    }
    for step in EscalationStep.allCases {
      #expect(ShiftNotification.test(1, of: step, dueAt: Self.due).testedStep == step)
      #expect(next(step, .ready) == .send(step))
      #expect(next(step, .ready, at: -1) == .wait(until: Self.due))
      #expect(next(step, .ready, at: 299) == .send(step))
      #expect(next(step, .ready, at: 300) == .finish(.expired))
      #expect(next(step, .reached, at: 400) == .finish(.delivered))
      #expect(next(step, .failed) == .finish(.expired))
      #expect(next(step, .absent) == .finish(.expired))
      #expect(next(step, .held(until: Self.after(40))) == .wait(until: Self.after(40)))
      #expect(next(step, .held(until: Self.after(40)), at: 40) == .send(step))
      #expect(next(step, .held(until: Self.after(300))) == .finish(.expired))
    }
    #expect(next(.inApp, .shown(at: Self.due)) == .wait(until: Self.after(1)))
    #expect(next(.inApp, .shown(at: Self.due), at: 1) == .finish(.expired))
    for (ordinal, decision) in [(Int16.min, DeliveryDecision.send(.push)), (0, .finish(.expired))] {
      let odd = ShiftNotification(.test, subject: 1, ordinal: ordinal, dueAt: Self.due)
      let next = decideDelivery(
        odd, in: DeliverySituation(cause: .holds(nil), steps: Self.all), by: Self.policy,
        now: Self.due)
      #expect(next == decision, "\(ordinal)")
    }
  }

  @Test("Every decision makes progress: it sends a ready step, waits for later, or ends")
  func progress() {
    let states: [StepState] = [
      .absent, .ready, .held(until: Self.after(30)), .shown(at: Self.after(-1)), .reached, .failed,
    ]
    for topic in NotificationTopic.allCases {
      for inApp in states {
        for push in states {
          for email in states {
            for managers in states {
              for at in [-10, 0, 250, 650, 90_000] as [Int64] {
                let steps = StepStates(
                  inApp: inApp, push: push, email: email, managers: managers)
                let queued = ShiftNotification(topic, subject: 1, kind: .denied, dueAt: Self.due)
                let situation = DeliverySituation(
                  cause: .holds(.denied), steps: steps, alarmed: [.inApp, .push])
                let now = Self.after(at)
                let quiet = decideDelivery(queued, in: situation, by: Self.quiet, now: now)
                if case .wait(let until) = quiet { #expect(until > now, "\(topic) \(steps) \(at)") }
                switch decideDelivery(queued, in: situation, by: Self.policy, now: now) {
                case .wait(let until): #expect(until > now, "\(topic) \(steps) \(at)")
                case .send(.inApp): #expect(inApp == .ready || inApp.isHeld)
                case .send(.push): #expect(push == .ready || push.isHeld)
                case .send(.email): #expect(email == .ready || email.isHeld)
                case .send(.managers): #expect(managers == .ready || managers.isHeld)
                case .finish: break
                }
              }
            }
          }
        }
      }
    }
  }
}

extension StepState {
  fileprivate var isHeld: Bool { if case .held = self { true } else { false } }
}
