import GuardRules
import ShiftDomain
import Testing

extension GuardStepTests {
  static let orders: [Scene] = [
    Scene(
      "a lower number is late: history only, whatever its clock",
      [
        .clocksIn(
          0, phone(), sequence: 10, "clocked in 1: allow", "shift 1 starts at 0 on 1"),
        .reports(
          60, phone(.denied), sequence: 9, "late", "silence of 1 around 60 was denied"),
        .reports(
          70, phone(.denied), sequence: 12, "in force", "#1 opens mid_shift at 70: denied",
          "tell #1 at 72: denied, urgent"),
        .reports(80, phone(), sequence: 11, "late"),
        .reports(
          90, phone(), sequence: 13, "in force", "#1 closes at 90: restored",
          "tell restored 1.1 at 92"),
      ]),
    Scene(
      "an older clock with a higher number is not late: it cannot hide a denial",
      [
        .clocksIn(
          0, phone(), sequence: 10, "clocked in 1: allow", "shift 1 starts at 0 on 1"),
        .reports(100, phone(), sequence: 11),
        .reports(
          110, phone(.denied), sequence: 12, age: 600, "in force",
          "#1 opens mid_shift at 100: denied", "tell #1 at 112: denied, urgent"),
        .reports(
          120, phone(), sequence: 13, age: 900, "in force", "#1 closes at 100: restored",
          "tell restored 1.1 at 122"),
      ]),
    Scene(
      "an older clock never ends an incident before it began",
      [
        begun,
        .reports(
          60, phone(.denied), "in force", "#1 opens mid_shift at 60: denied",
          "tell #1 at 62: denied, urgent"),
        .reports(
          70, phone(.restricted), age: 30, "in force", "#1 closes at 60: changed",
          "#2 worsens #1 at 60: restricted", "tell #1 at 72: restricted, urgent"),
        .reports(
          80, phone(), age: 50, "in force", "#2 closes at 60: restored", "tell restored 1.2 at 82"),
      ]),
    Scene(
      "a report does not count from before earlier reports, even after one with an older clock",
      [
        begun, .reports(60, phone()), .reports(70, phone(), age: 50),
        .reports(
          80, phone(.denied), age: 40, "in force", "#1 opens mid_shift at 60: denied",
          "tell #1 at 82: denied, urgent"),
      ]),
    Scene(
      "a lower number is late even when a report without a number came between",
      [
        .clocksIn(
          0, phone(), sequence: 10, "clocked in 1: allow", "shift 1 starts at 0 on 1"),
        .reports(
          60, phone(.denied), "in force", "#1 opens mid_shift at 60: denied",
          "tell #1 at 62: denied, urgent"),
        .reports(70, phone(), sequence: 9, "late"),
        .reports(
          80, phone(), sequence: 11, "in force", "#1 closes at 80: restored",
          "tell restored 1.1 at 82"),
      ]),
    Scene(
      "a report over seven days old is history, whatever its number",
      [
        .clocksIn(
          0, phone(), sequence: 10, "clocked in 1: allow", "shift 1 starts at 0 on 1"),
        .reports(
          60, phone(.denied), sequence: 11, age: 604_801, "late",
          "silence of 1 around -604741 was denied"),
      ]),
    Scene(
      "without numbers the order of receipt applies",
      [
        begun,
        .reports(
          60, phone(.denied), "in force", "#1 opens mid_shift at 60: denied",
          "tell #1 at 62: denied, urgent"),
        .reports(
          70, phone(), age: 30, "in force", "#1 closes at 60: restored",
          "tell restored 1.1 at 72"),
      ]),
    Scene(
      "off shift, and from another device, a report is only noted",
      [
        .reports(-5, phone(.denied), "noted"), begun,
        .reports(60, phone(.denied), device: 2, "noted"),
        .clocksOut(100, "clocked out 1", "shift 1 ends at 100"),
        .reports(110, phone(.denied), "noted"),
      ]),
  ]

  @Test("order and devices", arguments: orders) func order(_ scene: Scene) { scene.play() }
}
