import GuardRules
import ShiftDomain
import Testing

@Suite("Telling") struct TellingTests {
  static let ladder = Ladder(of: .policy(of: .standard))
  static let quiet = Ladder(of: .policy(of: .advisory))
  static let due = Instant(milliseconds: 1_772_438_400_000)

  static func after(_ seconds: Int64) -> Instant { due + .seconds(seconds) }

  static func alarm(_ kind: IncidentKind = .denied) -> Notice {
    Notice(.incident, subject: 3, kind: kind, dueAt: due, isUrgent: true)
  }

  typealias Row = (
    name: String, at: Int64, rungs: RungStates, acknowledged: Bool, is: Telling
  )

  // Everybody has every address, and nothing was tried unless said.
  static let climbs: [Row] = [
    (
      "before the debounce has passed nothing is said", -2, RungStates(push: .ready), false,
      .wait(until: after(0))
    ),
    (
      "an open app is told first", 0,
      RungStates(inApp: .ready, push: .ready, email: .ready, managers: .ready), false,
      .send(.inApp)
    ),
    (
      "an open app has a second to show it", 0,
      RungStates(inApp: .shown(at: after(0)), push: .ready), false, .wait(until: after(1))
    ),
    (
      "what the app did not show in a second is pushed", 1,
      RungStates(inApp: .shown(at: after(0)), push: .ready), false, .send(.push)
    ),
    (
      "with no app open the phone gets a push at once", 0,
      RungStates(push: .ready, email: .ready, managers: .ready), false, .send(.push)
    ),
    (
      "what the app showed is not pushed; the e-mail waits", 1,
      RungStates(inApp: .reached, push: .ready, email: .ready, managers: .ready), false,
      .wait(until: after(300))
    ),
    (
      "after five minutes an e-mail repeats it", 300,
      RungStates(push: .reached, email: .ready, managers: .ready), false, .send(.email)
    ),
    (
      "with no way to push, the e-mail comes on time too", 0,
      RungStates(email: .ready, managers: .ready), false, .wait(until: after(300))
    ),
    (
      "who was pushed to is not told again by an app that opens", 10,
      RungStates(inApp: .ready, push: .reached), false, .finish(.told)
    ),
    (
      "a push refused for good sends the e-mail at once", 1,
      RungStates(push: .failed, email: .ready, managers: .ready), false, .send(.email)
    ),
    (
      "a push to an address that is nobody's any more sends the e-mail at once, too", 1,
      RungStates(push: .gone, email: .ready, managers: .ready), false, .send(.email)
    ),
    (
      "a push that is to be tried again is, and the e-mail comes on time", 10,
      RungStates(push: .held(until: after(40)), email: .ready, managers: .ready), false,
      .wait(until: after(40))
    ),
    (
      "a push held for long does not hold the e-mail", 300,
      RungStates(push: .held(until: after(900)), email: .ready, managers: .ready), false,
      .send(.email)
    ),
    (
      "after ten minutes the managers are told", 600,
      RungStates(push: .reached, email: .reached, managers: .ready), false, .send(.managers)
    ),
    (
      "who acknowledged it gets no e-mail, but it still reaches the managers", 300,
      RungStates(push: .reached, email: .ready, managers: .ready), true, .wait(until: after(600))
    ),
    (
      "managers told: there is nobody left", 601,
      RungStates(push: .reached, email: .reached, managers: .reached), false, .finish(.told)
    ),
    (
      "a team without contacts ends at the e-mail", 301,
      RungStates(push: .reached, email: .reached), false, .finish(.told)
    ),
    (
      "with no way set up it waits for the app", 0, RungStates(), false, .wait(until: after(600))
    ),
    (
      "that the managers were told does not tell the employee", 700,
      RungStates(managers: .reached), false, .wait(until: after(1_300))
    ),
    ("and goes to the app once that is open", 700, RungStates(inApp: .ready), false, .send(.inApp)),
    (
      "who acknowledged it need not be told", 700, RungStates(), true, .finish(.told)
    ),
    (
      "every address refused it: a dead letter", 1, RungStates(push: .failed, email: .failed),
      false, .finish(.unreachable)
    ),
    (
      "the only address is nobody's any more: it waits for another, or for the app", 1,
      RungStates(push: .gone), false, .wait(until: after(601))
    ),
    (
      "the app alone, which did not show it: not told", 1,
      RungStates(inApp: .shown(at: after(0))), false, .wait(until: after(601))
    ),
  ]

  @Test("An interruption climbs until somebody knows", arguments: climbs)  // R: A11, M4
  func ascends(_ row: Row) {
    let situation = TellingSituation(
      cause: .holds(.denied), rungs: row.rungs, isAcknowledged: row.acknowledged)
    let telling = tell(Self.alarm(), in: situation, by: Self.ladder, now: Self.after(row.at))
    #expect(telling == row.is, "\(row.name)")
  }

  static let all = RungStates(
    inApp: .ready, push: .ready, email: .ready, managers: .ready)

  @Test("Whatever has come of it so far, what is over is not told")  // R: A17
  func over() {
    for ending in NoticeEnding.allCases {
      let situation = TellingSituation(cause: .ended(ending), rungs: Self.all)
      for at in [-5, 0, 400, 10_000] as [Int64] {
        #expect(
          tell(Self.alarm(), in: situation, by: Self.ladder, now: Self.after(at))
            == .finish(ending))
      }
    }
  }

  @Test("Who rests is left in peace, and looked at again")
  func rests() {
    let situation = TellingSituation(cause: .rests, rungs: Self.all)
    #expect(
      tell(Self.alarm(), in: situation, by: Self.ladder, now: Self.due)
        == .wait(until: Self.after(60)))
  }

  @Test("The open app is told at once; others once in ten minutes, of what is worse at once")
  func cooldown() {  // R: M3, A11
    func telling(
      _ kind: IncidentKind, after earlier: IncidentKind?, at: Int64, _ inApp: RungState = .absent
    ) -> Telling {
      var rungs = Self.all
      rungs.inApp = inApp
      let situation = TellingSituation(
        cause: .holds(kind), rungs: rungs,
        earlier: earlier.map { EarlierTelling(kind: $0, at: Self.after(-200)) })
      return tell(Self.alarm(kind), in: situation, by: Self.ladder, now: Self.after(at))
    }
    #expect(telling(.denied, after: nil, at: 0) == .send(.push))
    #expect(telling(.denied, after: .denied, at: 0, .ready) == .send(.inApp))
    #expect(telling(.denied, after: .denied, at: 1, .reached) == .wait(until: Self.after(400)))
    #expect(telling(.denied, after: .denied, at: 0) == .wait(until: Self.after(400)))
    #expect(telling(.whenInUse, after: .denied, at: 0) == .wait(until: Self.after(400)))
    #expect(telling(.denied, after: .whenInUse, at: 0) == .send(.push))
    #expect(telling(.denied, after: .denied, at: 400) == .send(.push))
    // Both of whom the time has come by then.
    #expect(telling(.denied, after: .denied, at: 400, .reached) == .send(.email))
  }

  @Test("A message that has begun is not held back by another")
  func begun() {
    let situation = TellingSituation(
      cause: .holds(.denied), rungs: RungStates(push: .reached, email: .ready),
      earlier: EarlierTelling(kind: .denied, at: Self.after(299)), hasLeft: true)
    #expect(
      tell(Self.alarm(), in: situation, by: Self.ladder, now: Self.after(300)) == .send(.email))
  }

  @Test("Under advisory only the open app tells")  // R: B3
  func advisory() {
    func telling(_ inApp: RungState, at: Int64 = 0) -> Telling {
      var rungs = Self.all
      rungs.inApp = inApp
      return tell(
        Self.alarm(), in: TellingSituation(cause: .holds(.denied), rungs: rungs), by: Self.quiet,
        now: Self.after(at))
    }
    #expect(telling(.ready) == .send(.inApp))
    #expect(telling(.shown(at: Self.due)) == .wait(until: Self.after(1)))
    #expect(telling(.shown(at: Self.due), at: 1) == .wait(until: Self.after(601)))
    #expect(telling(.reached) == .finish(.told))
    // No app is open: nothing is claimed to be told, and the managers never hear of it.
    for at in [0, 400, 4_000] as [Int64] {
      #expect(telling(.absent, at: at) == .wait(until: Self.after(at + 600)))
      #expect(telling(.ready, at: at) == .send(.inApp))
    }
  }

  @Test("Under advisory what was told in this session is not told again")  // R: B3
  func advisoryOnce() {
    func telling(isRepeated: Bool, at: Int64 = 0) -> Telling {
      tell(
        Self.alarm(),
        in: TellingSituation(
          cause: .holds(.denied), rungs: Self.all, isRepeated: isRepeated),
        by: Self.quiet, now: Self.after(at))
    }
    #expect(telling(isRepeated: true) == .finish(.told))
    #expect(telling(isRepeated: false) == .send(.inApp))
    #expect(telling(isRepeated: true, at: -1) == .wait(until: Self.due))
  }

  @Test("Under advisory managers hear of what waits for them, and a team without waits for one")
  func advisoryManagers() {
    let notice = Notice(.attemptForReview, subject: 5, dueAt: Self.due)
    func telling(_ managers: RungState) -> Telling {
      tell(
        notice,
        in: TellingSituation(
          cause: .holds(nil), rungs: RungStates(inApp: .ready, managers: managers)),
        by: Self.quiet, now: Self.due)
    }
    #expect(telling(.ready) == .send(.managers))
    #expect(telling(.reached) == .finish(.told))
    #expect(telling(.absent) == .wait(until: Self.after(600)))
    #expect(telling(.failed) == .finish(.unreachable))
  }

  @Test("The end of an alarm is told by the way that the alarm took, e-mail and managers included")
  func restored() {  // R: A12, M4
    let notice = Notice(.restored, subject: 3, dueAt: Self.due)
    func telling(
      _ rungs: RungStates, _ alarmed: Set<Rung>, leftDueAt: Instant? = nil, at: Int64 = 0
    ) -> Telling {
      tell(
        notice,
        in: TellingSituation(
          cause: .holds(nil), rungs: rungs, alarmed: alarmed, leftDueAt: leftDueAt),
        by: Self.ladder, now: Self.after(at))
    }
    #expect(telling(Self.all, []) == .finish(.nobodyAlarmed))
    #expect(telling(Self.all, [.push]) == .send(.inApp))
    #expect(telling(RungStates(push: .ready, email: .ready), [.push]) == .send(.push))
    #expect(telling(RungStates(push: .ready, email: .ready), [.email]) == .send(.email))
    #expect(
      telling(RungStates(push: .reached, managers: .ready), [.push, .managers])
        == .send(.managers))
    #expect(telling(RungStates(push: .reached, email: .ready), []) == .finish(.told))
    #expect(telling(RungStates(push: .ready), [.inApp]) == .wait(until: Self.after(600)))
    // What is left is told by its own message, once its debounce has passed.
    #expect(
      telling(RungStates(push: .ready), [.push], leftDueAt: Self.after(2))
        == .wait(until: Self.after(2)))
  }

  @Test(
    "What is for managers goes to them at once, and nowhere else",
    arguments: [
      NoticeTopic.clockInBlocked, .attemptForReview,
    ])  // R: W3
  func managers(_ topic: NoticeTopic) {
    let notice = Notice(topic, subject: 5, dueAt: Self.due)
    func telling(_ rungs: RungStates) -> Telling {
      tell(
        notice, in: TellingSituation(cause: .holds(nil), rungs: rungs), by: Self.ladder,
        now: Self.due)
    }
    #expect(telling(Self.all) == .send(.managers))
    #expect(telling(RungStates(inApp: .ready, push: .ready, managers: .reached)) == .finish(.told))
    #expect(telling(RungStates(push: .ready)) == .wait(until: Self.after(600)))
    #expect(telling(RungStates(managers: .failed)) == .finish(.unreachable))
  }

  @Test("Managers hear of one blocked employee once in the cooldown, of another at once")  // R: W3
  func blockedAgain() {
    func telling(_ topic: NoticeTopic, after seconds: Int64?) -> Telling {
      tell(
        Notice(topic, subject: 5, dueAt: Self.due),
        in: TellingSituation(
          cause: .holds(nil), rungs: RungStates(managers: .ready),
          earlier: seconds.map { EarlierTelling(kind: nil, at: Self.after(-$0)) }),
        by: Self.ladder, now: Self.due)
    }
    #expect(telling(.clockInBlocked, after: nil) == .send(.managers))
    #expect(telling(.clockInBlocked, after: 599) == .finish(.superseded))
    #expect(telling(.clockInBlocked, after: 600) == .send(.managers))
    #expect(telling(.attemptForReview, after: 599) == .wait(until: Self.after(1)))
  }

  @Test("What concerns a shift's times waits a month for a way; an alarm while it holds")  // R: A11
  func lifetimes() {
    func telling(_ topic: NoticeTopic, days: Int64) -> Telling {
      tell(
        Notice(topic, subject: 5, kind: .denied, dueAt: Self.due),
        in: TellingSituation(cause: .holds(.denied), rungs: RungStates()), by: Self.ladder,
        now: Self.due + .hours(24 * days))
    }
    for topic in [NoticeTopic.shiftCorrected, .shiftOpened, .endedAtLimit] {
      #expect(telling(topic, days: 29) == .wait(until: Self.due + .hours(24 * 29 + 6)), "\(topic)")
      #expect(telling(topic, days: 30) == .finish(.expired), "\(topic)")
    }
    #expect(telling(.incident, days: 40) == .wait(until: Self.due + .hours(24 * 40 + 6)))
  }

  @Test("Managers are told when the team wants them to be, to the second")  // R: M4
  func managersDue() {
    for limit in [0, 4, 60, 600] as [Int64] {
      var ladder = Self.ladder
      ladder.managersAfter = .seconds(limit)
      #expect(ladder.managersDue(for: Self.alarm()) == Self.after(limit))
      #expect(ladder.managersDue(for: Notice(.restored, subject: 3, dueAt: Self.due)) == Self.due)
    }
  }

  @Test("A test is told at its own rung, soon or not at all, also under advisory")
  func trial() {
    func telling(_ rung: Rung, _ state: RungState, at: Int64 = 0) -> Telling {
      var rungs = Self.all
      switch rung {
      case .inApp: rungs.inApp = state
      case .push: rungs.push = state
      case .email: rungs.email = state
      case .managers: rungs.managers = state
      }
      return tell(
        .test(1, of: rung, dueAt: Self.due),
        in: TellingSituation(cause: .holds(nil), rungs: rungs), by: Self.quiet,
        now: Self.after(at))
    }
    for rung in Rung.allCases {
      #expect(Notice.test(1, of: rung, dueAt: Self.due).testedRung == rung)
      #expect(telling(rung, .ready) == .send(rung))
      #expect(telling(rung, .ready, at: -1) == .wait(until: Self.due))
      #expect(telling(rung, .ready, at: 299) == .send(rung))
      #expect(telling(rung, .ready, at: 300) == .finish(.expired))
      #expect(telling(rung, .reached, at: 400) == .finish(.told))
      #expect(telling(rung, .failed) == .finish(.expired))
      #expect(telling(rung, .absent) == .finish(.expired))
      #expect(telling(rung, .held(until: Self.after(40))) == .wait(until: Self.after(40)))
      #expect(telling(rung, .held(until: Self.after(40)), at: 40) == .send(rung))
      #expect(telling(rung, .held(until: Self.after(300))) == .finish(.expired))
    }
    #expect(telling(.inApp, .shown(at: Self.due)) == .wait(until: Self.after(1)))
    #expect(telling(.inApp, .shown(at: Self.due), at: 1) == .finish(.expired))
    for ordinal in [.min, -1, 0, 5, .max] as [Int16] {
      let odd = Notice(.test, subject: 1, ordinal: ordinal, dueAt: Self.due)
      let telling = tell(
        odd, in: TellingSituation(cause: .holds(nil), rungs: Self.all), by: Self.ladder,
        now: Self.due)
      #expect(telling == .finish(.expired), "\(ordinal)")
    }
  }

  @Test("Every telling makes progress: it sends what is ready, waits for later, or ends")
  func progress() {
    let states: [RungState] = [
      .absent, .ready, .held(until: Self.after(30)), .shown(at: Self.after(-1)), .reached, .failed,
    ]
    for topic in NoticeTopic.allCases {
      for inApp in states {
        for push in states {
          for email in states {
            for managers in states {
              for at in [-10, 0, 250, 650, 90_000] as [Int64] {
                let rungs = RungStates(
                  inApp: inApp, push: push, email: email, managers: managers)
                let notice = Notice(topic, subject: 1, kind: .denied, dueAt: Self.due)
                let situation = TellingSituation(
                  cause: .holds(.denied), rungs: rungs, alarmed: [.inApp, .push])
                let now = Self.after(at)
                let quiet = tell(notice, in: situation, by: Self.quiet, now: now)
                if case .wait(let until) = quiet { #expect(until > now, "\(topic) \(rungs) \(at)") }
                switch tell(notice, in: situation, by: Self.ladder, now: now) {
                case .wait(let until): #expect(until > now, "\(topic) \(rungs) \(at)")
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

extension RungState {
  fileprivate var isHeld: Bool { if case .held = self { true } else { false } }
}
