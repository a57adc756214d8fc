import GuardRules
import ShiftDomain
import Testing

@Suite("Notifications about an incident") struct GuardNotificationTests {
  private func effects(of acts: [Act]) -> [[GuardEffect]] {
    var state = GuardState()
    return acts.map { act in
      let step = step(state, act.event, policy: .policy(of: .standard), now: at(act.second))
      state = step.state
      return step.effects
    }
  }

  /// The notifications among `effects`, each with its number and what happens to it.
  private func messages(_ effects: [GuardEffect]) -> [String] {
    effects.compactMap { effect in
      switch effect {
      case .notify(let notification) where notification.topic == .restored:
        "its end is queued for \(notification.dueAt.inSeconds)"
      case .notify(let notification):
        "\(notification.ordinal) is queued for \(notification.dueAt.inSeconds)"
      case .amendNotification(let notification):
        "\(notification.ordinal) is amended for \(notification.dueAt.inSeconds)"
      case .cancelNotification(_, let ordinal): "\(ordinal) is taken back"
      default: nil
      }
    }
  }

  @Test("are numbered from 1, and only the newest is amended or cancelled")
  func ordinals() {
    let told = effects(of: [
      .clocksIn(0, phone(.whenInUse), ""),
      .reports(60, phone(.denied)), .reports(70, phone(.whenInUse)),
      .reports(80, phone(.restricted)), .reports(81, phone(.denied)), .reports(81.5, phone()),
    ])
    #expect(
      told.flatMap(messages) == [
        "1 is queued for 62", "its end is queued for 72", "2 is queued for 82",
        "2 is amended for 82", "2 is taken back", "its end is queued for 82",
      ])
  }

  @Test("tell the end of a silence that several reports of one upload end")
  func silenceEnded() {
    let policy = Policy.policy(of: .standard)
    var state = GuardState()
    let events: [(Double, GuardEvent)] = [
      (0, Act.clocksIn(0, phone(), "").event),
      (185, .silence(.noContact, device: 1, since: at(180))),
      (
        400,
        .reports(
          [
            report(phone(.denied), at: at(200)), report(phone(), at: at(300)),
          ], device: 1)
      ),
    ]
    var told: [String] = []
    for (second, event) in events {
      let step = step(state, event, policy: policy, now: at(second))
      (state, told) = (step.state, messages(step.effects))
    }
    #expect(told == ["its end is queued for 402"] && state.incidents.isEmpty)
  }

  @Test("are numbered from 1 again for the next incident")
  func nextIncident() {
    let told = effects(of: [
      .clocksIn(0, phone(), ""), .reports(60, phone(.denied)), .reports(61, phone()),
      .reports(90, phone(.denied)),
    ])
    #expect(
      told.flatMap(messages) == ["1 is queued for 62", "1 is taken back", "1 is queued for 92"])
  }

  @Test("a flicker requests a fix at once like any restoration; the end of a shift does not")
  func flicker() {
    let policy = Policy.policy(of: .standard)
    let open = OpenShift(number: 1, device: 1, startedAt: at(0), report: nil)
    let denied = step(
      GuardState(shift: open, lastShift: 1), Act.reports(60, phone(.denied)).event,
      policy: policy, now: at(60))
    let healed = step(
      denied.state, Act.reports(61, phone()).event, policy: policy, now: at(61))
    #expect(healed.effects.contains(.incidentClosed(1, at: at(61), .flicker)))
    #expect(healed.wantsFixNow)
    let ended = step(denied.state, .clockOut(at: at(61)), policy: policy, now: at(61))
    #expect(ended.effects.contains(.incidentClosed(1, at: at(61), .shiftEnded)))
    #expect(!ended.wantsFixNow)
  }
}
