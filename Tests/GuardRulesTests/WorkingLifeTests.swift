import GuardRules
import ShiftDomain
import Testing

@Suite("A working day, step by step") struct WorkingLifeTests {
  private static let begun = Act.clocksIn(
    0, phone(), "clocked in 1: allow", "shift 1 starts at 0 on 1")
  private static let rests = Act.happens(
    100, .breakStart(at: at(100)), "on break 1", "break from 100")
  private static let lasting = Instant(milliseconds: .max)

  // R: W5
  static let breaks: [Scene] = [
    Scene(
      "a denial on a break is an incident once work resumes",
      [
        begun, rests, .reports(200, phone(.denied)),
        .happens(
          300, .breakEnd(at: at(300)), "back at work 1", "break until 300",
          "#1 opens mid_shift at 300: denied", "tell #1 at 302: denied, urgent"),
      ]),
    Scene(
      "a denial that is restored on the break is not",
      [
        begun, rests, .reports(200, phone(.denied)), .reports(250, phone()),
        .happens(300, .breakEnd(at: at(300)), "back at work 1", "break until 300"),
      ]),
    Scene(
      "open incidents end when the break starts; what holds at its end is an incident from then",
      [
        begun,
        .reports(
          50, phone(.whenInUse), "in force", "#1 opens mid_shift at 50: when_in_use",
          "tell #1 at 52: when_in_use"),
        .happens(
          100, .breakStart(at: at(100)), "on break 1", "#1 closes at 100: break_started",
          "tell restored 1.1 at 102", "break from 100"),
        .reports(150, phone(.denied)),
        .happens(
          200, .breakEnd(at: at(200)), "back at work 1", "break until 200",
          "#2 opens mid_shift at 200: denied",
          "tell #2 at 202: denied, urgent"),
        .happens(
          210, .breakStart(at: at(210)), "on break 1", "#2 closes at 210: break_started",
          "tell restored 2.1 at 212: denied", "break from 210"),
        .reports(220, phone(), "in force"),
      ]),
    Scene(
      "what was accepted at the clock-in is no news after any break, but something worse is",
      [
        .clocksIn(
          0, phone(.whenInUse), "clocked in 1: warn", "shift 1 starts at 0 on 1",
          "#1 opens at_clock_in at 0: when_in_use"),
        .happens(
          100, .breakStart(at: at(100)), "on break 1", "#1 closes at 100: break_started",
          "break from 100"),
        .reports(150, phone(.whenInUse), "in force"),
        .happens(
          200, .breakEnd(at: at(200)), "back at work 1", "break until 200",
          "#2 opens mid_shift at 200: when_in_use"),
        .happens(
          300, .breakStart(at: at(300)), "on break 1", "#2 closes at 300: break_started",
          "break from 300"),
        .reports(350, phone(.denied), "in force"),
        .happens(
          400, .breakEnd(at: at(400)), "back at work 1", "break until 400",
          "#3 opens mid_shift at 400: denied", "tell #3 at 402: denied, urgent"),
      ]),
    Scene(
      "a downgrade after a grant is news, and so it is after a break",
      [
        .clocksIn(
          0, phone(.whenInUse), "clocked in 1: warn", "shift 1 starts at 0 on 1",
          "#1 opens at_clock_in at 0: when_in_use"),
        .reports(40, phone(), "in force", "#1 closes at 40: restored"),
        .happens(100, .breakStart(at: at(100)), "on break 1", "break from 100"),
        .reports(150, phone(.whenInUse), "in force"),
        .happens(
          200, .breakEnd(at: at(200)), "back at work 1", "break until 200",
          "#2 opens mid_shift at 200: when_in_use", "tell #2 at 202: when_in_use"),
      ]),
    Scene(
      "a report from before the break that arrives during it is an incident until the break",
      [
        begun, rests,
        .reports(
          110, phone(.denied), age: 20, "in force", "#1 opens mid_shift at 90: denied",
          "tell #1 at 112: denied, urgent", "#1 closes at 100: break_started", "untell #1"),
      ]),
    Scene(
      "a report from the break's first instant opens nothing",
      [begun, rests, .reports(110, phone(.denied), age: 10)]),
    Scene(
      "a report from before the break that arrives after it holds from its own time",
      [
        begun, rests, .happens(200, .breakEnd(at: at(200)), "back at work 1", "break until 200"),
        .reports(
          210, phone(.denied), age: 111, "in force", "#1 opens mid_shift at 99: denied",
          "tell #1 at 212: denied, urgent"),
      ]),
    Scene(
      "a report from the break's first instant that arrives after it holds from its end",
      [
        begun, rests, .happens(200, .breakEnd(at: at(200)), "back at work 1", "break until 200"),
        .reports(
          210, phone(.denied), age: 110, "in force", "#1 opens mid_shift at 200: denied",
          "tell #1 at 212: denied, urgent"),
      ]),
    Scene(
      "a report from the break that arrives after it holds from its end",
      [
        begun, rests, .happens(200, .breakEnd(at: at(200)), "back at work 1", "break until 200"),
        .reports(
          210, phone(.denied), age: 50, "in force", "#1 opens mid_shift at 200: denied",
          "tell #1 at 212: denied, urgent"),
      ]),
    Scene(
      "silence ends when the break starts and cannot begin during it",
      [
        begun,
        .happens(
          50, .silence(.noFix, device: 1, since: at(50)), "noted",
          "#1 opens mid_shift at 50: no_fix", "tell #1 at 52: no_fix"),
        .happens(
          60, .silence(.noContact, device: 1, since: at(60)), "noted",
          "#2 opens mid_shift at 60: no_contact", "tell #2 at 62: no_contact"),
        .happens(
          100, .breakStart(at: at(100)), "on break 1", "#1 closes at 100: break_started",
          "#2 closes at 100: break_started", "tell restored 1.1 at 102", "break from 100"),
        .happens(150, .silence(.noContact, device: 1, since: at(150)), "noted"),
      ]),
    Scene(
      "nested, missing and out-of-order breaks get an answer",
      [
        .happens(0, .breakStart(at: at(0)), "no open shift"),
        .happens(0, .breakEnd(at: at(0)), "no open shift"), begun,
        .happens(5, .breakEnd(at: at(5)), "not on break 1"),
        .happens(6, .breakStart(at: at(-1)), "out of order 1"), rests,
        .happens(110, .breakStart(at: at(110)), "on break 1"),
        .happens(120, .breakEnd(at: at(100)), "out of order 1"),
        .happens(130, .breakEnd(at: at(130)), "back at work 1", "break until 130"),
        .happens(140, .breakEnd(at: at(140)), "not on break 1"),
        .happens(150, .breakStart(at: at(129)), "out of order 1"),
        .happens(160, .breakStart(at: at(130)), "on break 1", "break from 130"),
      ]),
    Scene(
      "clocking out ends the break, too",
      [
        begun, rests,
        .clocksOut(200, "clocked out 1", "break until 200", "shift 1 ends at 200"),
      ]),
    Scene(
      "clocking out after a break does not change the break",
      [
        begun, rests, .happens(200, .breakEnd(at: at(200)), "back at work 1", "break until 200"),
        .clocksOut(300, "clocked out 1", "shift 1 ends at 300"),
      ]),
    Scene(
      "clocking out at the start of a break leaves no break",
      [begun, rests, .clocksOut(200, age: 100, "clocked out 1", "shift 1 ends at 100")]),
    Scene(
      "clocking out before the start of the present break leaves no break",
      [begun, rests, .clocksOut(200, age: 150, "clocked out 1", "shift 1 ends at 50")]),
    Scene(
      "after two hours the employee is notified, once per break",
      [
        begun, rests, .happens(7_299, .time, "noted"),
        .happens(7_300, .time, "noted", "tell long_break 1.1 at 7300"),
        .happens(9_000, .time, "noted"),
        .happens(9_100, .breakEnd(at: at(9_100)), "back at work 1", "break until 9100"),
        .happens(9_200, .breakStart(at: at(9_200)), "on break 1", "break from 9200"),
        .happens(16_400, .time, "noted", "tell long_break 1.2 at 16400"),
      ]),
  ]

  /// What a phone reports on a break, how it reports the restoration, and the notification.
  private static let impairments:
    [(state: PermissionState, restored: PermissionState, told: String)] =
      [
        (phone(.denied), phone(), "denied, urgent"),
        (phone(services: .off), phone(), "services_off, urgent"),
        (phone(accuracy: .reduced), phone(), "accuracy_reduced"),
        (
          phone(conditions: DeviceConditions(mockLocation: .on)),
          phone(conditions: DeviceConditions(mockLocation: .off)), "mock_location"
        ),
      ]
  private static let silent = PermissionState(authorization: .unknown)

  // R: W5
  static let memories: [Scene] = impairments.flatMap { state, restored, told in
    let kind = told.prefix { $0 != "," }
    return [
      Scene(
        "\(kind) on a break is remembered after a report that does not mention it",
        [
          begun, rests, .reports(200, state), .reports(250, silent),
          .happens(
            300, .breakEnd(at: at(300)), "back at work 1", "break until 300",
            "#1 opens mid_shift at 300: \(kind)", "tell #1 at 302: \(told)"),
        ]),
      Scene(
        "and so is the restoration of \(kind)",
        [
          begun, rests, .reports(200, state), .reports(240, restored), .reports(250, silent),
          .happens(300, .breakEnd(at: at(300)), "back at work 1", "break until 300"),
        ]),
    ]
  }

  // R: W7, W2
  static let takeOvers: [Scene] = [
    Scene(
      "ends the old device's incidents; the new one's reports count",
      [
        begun,
        .reports(
          50, phone(.denied), "in force", "#1 opens mid_shift at 50: denied",
          "tell #1 at 52: denied, urgent"),
        .happens(
          60, .takeOver(device: 2, at: at(60), report(phone(), at: at(55))), "tracking 1",
          "#1 closes at 60: device_changed", "device 2 tracks from 60",
          "tell restored 1.1 at 62"),
        .reports(70, phone(.denied), device: 1, "noted"),
        .reports(
          80, phone(.whenInUse), device: 2, "in force", "#2 opens mid_shift at 80: when_in_use",
          "tell #2 at 82: when_in_use"),
      ]),
    Scene(
      "by a device that cannot be located opens its incident",
      [
        begun,
        .happens(
          60, .takeOver(device: 2, at: at(60), report(phone(.denied), at: at(55))), "tracking 1",
          "device 2 tracks from 60", "#1 opens mid_shift at 60: denied",
          "tell #1 at 62: denied, urgent"),
      ]),
    Scene(
      "on a break waits for its end",
      [
        begun, rests,
        .happens(
          160, .takeOver(device: 2, at: at(160), report(phone(.denied), at: at(155))), "tracking 1",
          "device 2 tracks from 160"),
        .happens(
          200, .breakEnd(at: at(200)), "back at work 1", "break until 200",
          "#1 opens mid_shift at 200: denied", "tell #1 at 202: denied, urgent"),
      ]),
    Scene(
      "uses the new device's numbers from then on",
      [
        .clocksIn(0, phone(), sequence: 10, "clocked in 1: allow", "shift 1 starts at 0 on 1"),
        .happens(
          60, .takeOver(device: 2, at: at(60), report(phone(), at: at(55), sequence: 5)),
          "tracking 1", "device 2 tracks from 60"),
        .reports(70, phone(), device: 2, sequence: 4, "late"),
        .reports(80, phone(), device: 2, sequence: 6, "in force"),
      ]),
    Scene(
      "without a shift, by the same device or dated before the last one gets an answer",
      [
        .happens(0, .takeOver(device: 2, at: at(0), nil), "no open shift"), begun,
        .happens(5, .takeOver(device: 1, at: at(5), nil), "tracking 1"),
        .happens(6, .takeOver(device: 2, at: at(0), nil), "out of order 1"),
        .happens(
          60, .takeOver(device: 2, at: at(60), nil), "tracking 1", "device 2 tracks from 60"),
        .happens(70, .takeOver(device: 1, at: at(60), nil), "out of order 1"),
        .happens(
          80, .takeOver(device: 1, at: at(61), nil), "tracking 1", "device 1 tracks from 61"),
      ]),
    Scene(
      "a report of the new device from before it took over holds from then on",
      [
        begun,
        .happens(
          60, .takeOver(device: 2, at: at(60), nil), "tracking 1", "device 2 tracks from 60"),
        .reports(
          70, phone(.denied), device: 2, age: 30, "in force", "#1 opens mid_shift at 60: denied",
          "tell #1 at 72: denied, urgent"),
      ]),
  ]

  @Test("breaks", arguments: breaks) func rest(_ scene: Scene) { scene.play() }
  @Test("reports during a break", arguments: memories) func remember(_ scene: Scene) {
    scene.play()
  }
  @Test("a take-over", arguments: takeOvers) func takeOver(_ scene: Scene) { scene.play() }

  // R: W5
  @Test("after the highest break number there is no further break")
  func countless() {
    var open = OpenShift(number: 1, device: 1, startedAt: at(0), report: nil)
    for (number, answer) in [(.max - 1, "on break 1"), (.max, "out of order 1")]
      as [(Int16, String)]
    {
      open.latestBreak = ShiftBreak(number: number, startedAt: at(100), endedAt: at(200))
      let step = step(
        GuardState(shift: open, lastShift: 1), .breakStart(at: at(300)),
        policy: .policy(of: .standard), now: at(300))
      #expect(step.answer.inWords == answer)
    }
  }
}
