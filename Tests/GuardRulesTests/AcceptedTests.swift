import GuardRules
import ShiftDomain
import Testing

// R: A9, A11, A17

/// RULES 4, *Accepted*: what an employee was shown and went on with is told to nobody, until the
/// device on which they did has reported it better for 60 s in a row.
@Suite("What was accepted at the clock-in")
struct AcceptedTests {
  @Test("is told to nobody while it lasts", arguments: lasting) func lasts(_ scene: Scene) {
    scene.play()
  }

  @Test("is news again after a minute of something better", arguments: forgotten)
  func isForgotten(_ scene: Scene) {
    scene.play()
  }

  @Test("names its incidents, and those of less") func named() {
    var state = GuardState()
    for act in [
      begunWith(.denied), .reports(10, phone(.whenInUse)), .reports(20, phone(services: .off)),
    ] {
      state = step(state, act.event, policy: .policy(of: .advisory), now: at(act.second)).state
      #expect(
        state.incidents.allSatisfy { $0.isAccepted == ($0.kind != .servicesOff) },
        "at \(act.second)")
    }
    #expect(state.incidents.map(\.kind) == [.servicesOff])
  }

  private static let lasting = [
    Scene(
      "better for less than a minute",
      [
        begins,
        .reports(10, phone(), "in force", "#1 closes at 10: restored"),
        .reports(
          69.999, phone(.whenInUse), "in force", "#2 opens mid_shift at 69.999: when_in_use"),
      ]),
    Scene(
      "better for two times less than a minute",
      [
        begins,
        .reports(10, phone(), "in force", "#1 closes at 10: restored"),
        .reports(50, phone(.whenInUse), "in force", "#2 opens mid_shift at 50: when_in_use"),
        .reports(55, phone(), "in force", "#2 closes at 55: restored"),
        .reports(100, phone(.whenInUse), "in force", "#3 opens mid_shift at 100: when_in_use"),
      ]),
    Scene(
      "a break begins the minute again",
      [
        begins,
        .reports(10, phone(), "in force", "#1 closes at 10: restored"),
        .happens(60, .breakStart(at: at(60)), "on break 1", "break from 60"),
        .happens(1000, .breakEnd(at: at(1000)), "back at work 1", "break until 1000"),
        .reports(1059, phone(.whenInUse), "in force", "#2 opens mid_shift at 1059: when_in_use"),
      ]),
    Scene(
      "a take-over lowers nothing, and another phone's reports do not either",
      [
        begins,
        .happens(
          100, .takeOver(device: 2, at: at(100), nil), "tracking 1",
          "#1 closes at 100: device_changed", "device 2 tracks from 100"),
        .reports(110, phone(), device: 2, "in force"),
        .reports(
          300, phone(.whenInUse), device: 2, "in force", "#2 opens mid_shift at 300: when_in_use"),
      ]),
    Scene(
      "back from something worse, which is told, the end names it",
      [
        begins,
        .reports(
          10, phone(.denied), "in force", "#1 closes at 10: changed", "#2 worsens #1 at 10: denied",
          "tell #1 at 12: denied, urgent"),
        .reports(
          100, phone(.whenInUse), "in force", "#2 closes at 100: changed",
          "#3 betters #1 at 100: when_in_use", "tell restored 1.2 at 102: when_in_use"),
      ]),
  ]

  private static let forgotten = [
    Scene(
      "to the millisecond",
      [
        begins,
        .reports(10, phone(), "in force", "#1 closes at 10: restored"),
        .reports(
          70, phone(.whenInUse), "in force", "#2 opens mid_shift at 70: when_in_use",
          "tell #2 at 72: when_in_use"),
      ]),
    Scene(
      "by effective time, not by receipt",
      [
        begins,
        .reports(10, phone(), "in force", "#1 closes at 10: restored"),
        .reports(
          100, phone(.whenInUse), age: 40, "in force", "#2 opens mid_shift at 60: when_in_use"),
      ]),
    Scene(
      "a minute of unknown is no minute of worse",
      [
        begins,
        .reports(10, phone(), "in force", "#1 closes at 10: restored"),
        .reports(40, phone(.unknown), "in force"),
        .reports(
          80, phone(.whenInUse), "in force", "#2 opens mid_shift at 80: when_in_use",
          "tell #2 at 82: when_in_use"),
      ]),
    Scene(
      "it falls to what is better, and that lasts", under: .advisory,
      [
        .clocksIn(
          0, phone(.denied), "clocked in 1: allow", "shift 1 starts at 0 on 1",
          "#1 opens at_clock_in at 0: denied"),
        .reports(
          10, phone(.whenInUse), "in force", "#1 closes at 10: changed",
          "#2 betters #1 at 10: when_in_use"),
        .reports(80, phone(), "in force", "#2 closes at 80: restored"),
        .reports(90, phone(.whenInUse), "in force", "#3 opens mid_shift at 90: when_in_use"),
        .reports(
          100, phone(.denied), "in force", "#3 closes at 100: changed",
          "#4 worsens #3 at 100: denied", "tell #3 at 102: denied, urgent"),
      ]),
  ]

  private static let begins = Act.clocksIn(
    0, phone(.whenInUse), "clocked in 1: warn", "shift 1 starts at 0 on 1",
    "#1 opens at_clock_in at 0: when_in_use")
}

private func begunWith(_ authorization: Authorization) -> Act {
  .clocksIn(0, phone(authorization), "")
}
