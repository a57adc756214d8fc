import GuardRules
import ShiftDomain
import Testing

@Suite("An employee's shift, step by step") struct GuardStepTests {
  /// Most scenes begin like this.
  static let begun = Act.clocksIn(
    0, phone(), "clocked in 1: allow", "shift 1 starts at 0 on 1")
  static let begunInUse = Act.clocksIn(
    0, phone(.whenInUse), "clocked in 1: warn", "shift 1 starts at 0 on 1",
    "#1 opens at_clock_in at 0: when_in_use")

  // R: M2, A8, A9, C3
  static let clockIns: [Scene] = [
    Scene("always starts a shift without a notification", [begun]),
    Scene("while in use starts a shift with an incident and no notification", [begunInUse]),
    Scene(
      "approximate starts a shift with an incident and no notification",
      [
        .clocksIn(
          0, phone(accuracy: .reduced), "clocked in 1: warn", "shift 1 starts at 0 on 1",
          "#1 opens at_clock_in at 0: accuracy_reduced")
      ]),
    Scene(
      "denied is blocked and leaves nothing behind",
      [
        .clocksIn(0, phone(.denied), "blocked: denied"),
        .clocksIn(5, phone(), "clocked in 1: allow", "shift 1 starts at 5 on 1"),
      ]),
    Scene(
      "location off and denied are both reported, the first to fix first",
      [.clocksIn(0, phone(.denied, services: .off), "blocked: services_off, denied")]),
    Scene("no report is blocked", [.clocksIn(0, knowing: .noReport, "blocked: no_report")]),
    Scene(
      "an app that cannot report starts a shift by its fresh fix",
      [
        .clocksIn(
          0, knowing: .cannotReport(lastFixAt: at(-300)), "clocked in 1: warn",
          "shift 1 starts at 0 on 1")
      ]),
    Scene(
      "under strict while in use is blocked", under: .strict,
      [.clocksIn(0, phone(.whenInUse), "blocked: when_in_use")]),
    Scene(
      "under advisory denied starts a shift, with every incident recorded", under: .advisory,
      [
        .clocksIn(
          0, phone(.denied, services: .off, accuracy: .reduced), "clocked in 1: allow",
          "shift 1 starts at 0 on 1", "#1 opens at_clock_in at 0: denied",
          "#2 opens at_clock_in at 0: services_off", "#3 opens at_clock_in at 0: accuracy_reduced")
      ]),
    Scene(
      "under advisory an unknown permission is not an incident", under: .advisory,
      [
        .clocksIn(
          0, PermissionState(authorization: .unknown), "clocked in 1: allow",
          "shift 1 starts at 0 on 1")
      ]),
    Scene(
      "a repeated clock-in is the same shift; another device learns which device tracks",
      [
        begun, .clocksIn(5, phone(), "already open 1"),
        .clocksIn(6, phone(.denied), "already open 1"),
        .clocksIn(7, phone(), device: 2, "open elsewhere 1 on 1"),
        .clocksIn(8, phone(.denied), device: 2, "open elsewhere 1 on 1"),
      ]),
  ]

  // R: W8 (as far as reports go)
  static let downgrades: [Scene] = [
    Scene(
      "a denial opens, is notified at the end of the debounce, and a restoration closes it",
      [
        begun,
        .reports(
          60, phone(.denied), "in force", "#1 opens mid_shift at 60: denied",
          "tell #1 at 62: denied, urgent"),
        .reports(
          70, phone(), "in force", "#1 closes at 70: restored",
          "tell restored 1.1 at 72"),
      ]),
    Scene(
      "always to while in use is notified, not urgently",
      [
        begun,
        .reports(
          60, phone(.whenInUse), "in force", "#1 opens mid_shift at 60: when_in_use",
          "tell #1 at 62: when_in_use"),
      ]),
    Scene(
      "always to while in use is urgent under strict", under: .strict,
      [
        begun,
        .reports(
          60, phone(.whenInUse), "in force", "#1 opens mid_shift at 60: when_in_use",
          "tell #1 at 62: when_in_use, urgent"),
      ]),
    Scene(
      "reduced accuracy only warns under strict, so it is not urgent", under: .strict,
      [
        begun,
        .reports(
          60, phone(accuracy: .reduced), "in force", "#1 opens mid_shift at 60: accuracy_reduced",
          "tell #1 at 62: accuracy_reduced"),
      ]),
    Scene(
      "an incident opens at the phone's time, but its notification is due by the server's",
      [
        begun,
        .reports(
          60, phone(.denied), age: 50, "in force", "#1 opens mid_shift at 10: denied",
          "tell #1 at 62: denied, urgent"),
      ]),
    Scene(
      "an incident never opens before the shift",
      [
        begun,
        .reports(
          60, phone(.denied), age: 3_600, "in force", "#1 opens at_clock_in at 0: denied",
          "tell #1 at 62: denied, urgent"),
      ]),
    Scene(
      "location off and approximate are separate incidents",  // R: A13
      [
        begun,
        .reports(
          60, phone(services: .off, accuracy: .reduced), "in force",
          "#1 opens mid_shift at 60: services_off", "tell #1 at 62: services_off, urgent",
          "#2 opens mid_shift at 60: accuracy_reduced", "tell #2 at 62: accuracy_reduced"),
        .reports(
          70, phone(accuracy: .reduced), "in force", "#1 closes at 70: restored",
          "tell restored 1.1 at 72: accuracy_reduced"),
        .reports(
          80, phone(), "in force", "#2 closes at 80: restored",
          "tell restored 2.1 at 82"),
      ]),
    Scene(
      "a repeated report changes nothing",
      [
        begun,
        .reports(
          60, phone(.denied), "in force", "#1 opens mid_shift at 60: denied",
          "tell #1 at 62: denied, urgent"),
        .reports(61, phone(.denied)), .reports(600, phone(.denied)),
      ]),
    Scene(
      "a worse kind is recorded and notified again",
      [
        begunInUse,
        .reports(
          60, phone(.denied), "in force", "#1 closes at 60: changed", "#2 worsens #1 at 60: denied",
          "tell #1 at 62: denied, urgent"),
        .reports(
          90, phone(.restricted), "in force", "#2 closes at 90: changed",
          "#3 worsens #1 at 90: restricted", "tell #1 at 92: restricted, urgent"),
      ]),
    Scene(
      "a better kind is the end of what was notified, and is what is left",
      [
        begun,
        .reports(
          60, phone(.restricted), "in force", "#1 opens mid_shift at 60: restricted",
          "tell #1 at 62: restricted, urgent"),
        .reports(
          70, phone(.denied), "in force", "#1 closes at 70: changed",
          "#2 betters #1 at 70: denied",
          "tell restored 1.1 at 72: denied"),
        .reports(
          80, phone(.notDetermined), "in force", "#2 closes at 80: changed",
          "#3 betters #1 at 80: not_determined", "tell restored 1.2 at 82: not_determined"),
        .reports(
          90, phone(.whenInUse), "in force", "#3 closes at 90: changed",
          "#4 betters #1 at 90: when_in_use", "tell restored 1.3 at 92: when_in_use"),
        .reports(
          100, phone(), "in force", "#4 closes at 100: restored", "tell restored 1.4 at 102"),
      ]),
    Scene(
      "unknown neither opens nor closes an incident",
      [
        begun, .reports(10, PermissionState(authorization: .unknown)),
        .reports(
          60, phone(.denied, services: .off, accuracy: .reduced), "in force",
          "#1 opens mid_shift at 60: denied", "tell #1 at 62: denied, urgent",
          "#2 opens mid_shift at 60: services_off", "tell #2 at 62: services_off, urgent",
          "#3 opens mid_shift at 60: accuracy_reduced", "tell #3 at 62: accuracy_reduced"),
        .reports(70, PermissionState(authorization: .unknown)),
        .reports(
          80, phone(.always, services: .unknown, accuracy: .unknown), "in force",
          "#1 closes at 80: restored",
          "tell restored 1.1 at 82: services_off"),
      ]),
    Scene(
      "under advisory all is recorded and queued for the open app", under: .advisory,  // R: B1, B5
      [
        begun,
        .reports(
          60, phone(.whenInUse), "in force", "#1 opens mid_shift at 60: when_in_use",
          "tell #1 at 62: when_in_use"),
        .reports(
          90, phone(.denied), "in force", "#1 closes at 90: changed", "#2 worsens #1 at 90: denied",
          "tell #1 at 92: denied, urgent"),
        .reports(
          93, phone(), "in force", "#2 closes at 93: restored", "tell restored 1.2 at 95"),
      ]),
  ]

  // R: A17, W8 (all but `unstable`)
  static let flickers: [Scene] = [
    Scene(
      "restored within the debounce: a flicker without a notification",
      [
        begun,
        .reports(
          60, phone(.denied), "in force", "#1 opens mid_shift at 60: denied",
          "tell #1 at 62: denied, urgent"),
        .reports(61.999, phone(), "in force", "#1 closes at 61.999: flicker", "untell #1"),
      ]),
    Scene(
      "restored at the very end of the debounce: notified, and restored",
      [
        begun,
        .reports(
          60, phone(.denied), "in force", "#1 opens mid_shift at 60: denied",
          "tell #1 at 62: denied, urgent"),
        .reports(
          62, phone(), "in force", "#1 closes at 62: restored",
          "tell restored 1.1 at 64"),
      ]),
    Scene(
      "a denial restored within the debounce, which lasted longer, is no flicker and not notified",
      [
        begun,
        .reports(
          60, phone(.denied), age: 50, "in force", "#1 opens mid_shift at 10: denied",
          "tell #1 at 62: denied, urgent"),
        .reports(60, phone(), age: 20, "in force", "#1 closes at 40: restored", "untell #1"),
      ]),
    Scene(
      "what changes while a debounce runs is notified at its end, in another dimension too",
      [
        begun,
        .reports(
          60, phone(accuracy: .reduced), "in force",
          "#1 opens mid_shift at 60: accuracy_reduced", "tell #1 at 62: accuracy_reduced"),
        .reports(
          61, phone(services: .off, accuracy: .reduced), "in force",
          "#2 opens mid_shift at 61: services_off", "tell #2 at 62: services_off, urgent"),
      ]),
    Scene(
      "the debounce is never restarted: a worse kind within it shares the notification",
      [
        begun,
        .reports(
          60, phone(.whenInUse), "in force", "#1 opens mid_shift at 60: when_in_use",
          "tell #1 at 62: when_in_use"),
        .reports(
          61, phone(.denied), "in force", "#1 closes at 61: flicker", "#2 worsens #1 at 61: denied",
          "retell #1: denied, urgent"),
        .reports(
          61.5, phone(.whenInUse), "in force", "#2 closes at 61.5: flicker",
          "#3 betters #1 at 61.5: when_in_use", "retell #1: when_in_use"),
        .reports(
          63, phone(), "in force", "#3 closes at 63: restored", "tell restored 1.3 at 65"),
      ]),
    Scene(
      "a worsening since clock-in that is undone within its debounce: never notified",
      [
        begunInUse,
        .reports(
          60, phone(.denied), "in force", "#1 closes at 60: changed", "#2 worsens #1 at 60: denied",
          "tell #1 at 62: denied, urgent"),
        .reports(
          61, phone(.whenInUse), "in force", "#2 closes at 61: flicker",
          "#3 betters #1 at 61: when_in_use", "untell #1"),
        .reports(
          70, phone(.denied), "in force", "#3 closes at 70: changed", "#4 worsens #1 at 70: denied",
          "tell #1 at 72: denied, urgent"),
      ]),
    Scene(
      "a worsening of a notified incident, undone within its debounce: not notified again",
      [
        begun,
        .reports(
          60, phone(.whenInUse), "in force", "#1 opens mid_shift at 60: when_in_use",
          "tell #1 at 62: when_in_use"),
        .reports(
          70, phone(.denied), "in force", "#1 closes at 70: changed", "#2 worsens #1 at 70: denied",
          "tell #1 at 72: denied, urgent"),
        .reports(
          70.5, phone(.notDetermined), "in force", "#2 closes at 70.5: flicker",
          "#3 betters #1 at 70.5: not_determined", "retell #1: not_determined, urgent"),
        .reports(
          71, phone(.whenInUse), "in force", "#3 closes at 71: flicker",
          "#4 betters #1 at 71: when_in_use", "untell #1"),
      ]),
    Scene(
      "a worsening restored within its debounce: a flicker, its notification cancelled",
      [
        begunInUse,
        .reports(
          60, phone(.denied), "in force", "#1 closes at 60: changed", "#2 worsens #1 at 60: denied",
          "tell #1 at 62: denied, urgent"),
        .reports(61, phone(), "in force", "#2 closes at 61: flicker", "untell #1"),
      ]),
    Scene(
      "a flicker and a lasting denial are two incidents",
      [
        begun,
        .reports(
          60, phone(.denied), "in force", "#1 opens mid_shift at 60: denied",
          "tell #1 at 62: denied, urgent"),
        .reports(60.5, phone(), "in force", "#1 closes at 60.5: flicker", "untell #1"),
        .reports(
          61, phone(.denied), "in force", "#2 opens mid_shift at 61: denied",
          "tell #2 at 62: denied, urgent"),
        .reports(
          64, phone(), "in force", "#2 closes at 64: restored",
          "tell restored 2.1 at 66"),
      ]),
  ]

  // R: W1 (order only)
  static let clockOuts: [Scene] = [
    Scene(
      "clocking out ends the shift and every incident, and cancels pending notifications",
      [
        begun,
        .reports(
          50, phone(accuracy: .reduced), "in force", "#1 opens mid_shift at 50: accuracy_reduced",
          "tell #1 at 52: accuracy_reduced"),
        .reports(
          60, phone(.denied, accuracy: .reduced), "in force", "#2 opens mid_shift at 60: denied",
          "tell #2 at 62: denied, urgent"),
        .clocksOut(
          61, "clocked out 1", "#1 closes at 61: shift_ended", "#2 closes at 61: shift_ended",
          "untell #2", "shift 1 ends at 61"),
        .clocksIn(70, phone(), "clocked in 2: allow", "shift 2 starts at 70 on 1"),
        .reports(
          80, phone(.denied), "in force", "#3 opens mid_shift at 80: denied",
          "tell #3 at 82: denied, urgent"),
      ]),
    Scene("without a shift there is nothing to end", [.clocksOut(0, "no open shift")]),
    Scene(
      "an end before the start is refused and changes nothing",
      [
        .clocksIn(10, phone(), "clocked in 1: allow", "shift 1 starts at 10 on 1"),
        .clocksOut(20, age: 11, "ends before start 1"),
        .clocksOut(20, "clocked out 1", "shift 1 ends at 20"),
        .clocksOut(21, "no open shift"),
      ]),
    Scene(
      "clocking out is never blocked",
      [
        begun,
        .reports(
          60, phone(.denied, services: .off), "in force", "#1 opens mid_shift at 60: denied",
          "tell #1 at 62: denied, urgent", "#2 opens mid_shift at 60: services_off",
          "tell #2 at 62: services_off, urgent"),
        .clocksOut(
          90, "clocked out 1", "#1 closes at 90: shift_ended", "#2 closes at 90: shift_ended",
          "shift 1 ends at 90"),
      ]),
  ]

  @Test("clocking in", arguments: clockIns) func clockIn(_ scene: Scene) { scene.play() }
  @Test("a downgrade", arguments: downgrades) func downgrade(_ scene: Scene) { scene.play() }
  @Test("a flicker", arguments: flickers) func flicker(_ scene: Scene) { scene.play() }
  @Test("clocking out", arguments: clockOuts) func clockOut(_ scene: Scene) { scene.play() }
}
