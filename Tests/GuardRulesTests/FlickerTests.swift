import GuardRules
import ShiftDomain
import Testing

@Suite("A flickering phone") struct FlickerTests {
  private static let begun = Act.clocksIn(
    0, phone(), "clocked in 1: allow", "shift 1 starts at 0 on 1")

  // R: W8
  static let bursts: [Scene] = [
    Scene(
      "the third flicker in ten minutes causes a notification, once per burst",
      [begun] + flicker(100, 1) + flicker(300, 2) + flicker(698, 3, tells: true)
        + flicker(900, 4) + flicker(1_600, 5) + flicker(1_700, 6) + flicker(1_800, 7, tells: true)),
    Scene(
      "three flickers over ten minutes or more cause no notification",
      [begun] + flicker(0, 1) + flicker(300, 2) + flicker(600, 3) + flicker(900, 4)),
    Scene(
      "advisory never notifies of flickers", under: .advisory,
      [begun]
        + [1, 2, 3].flatMap { number in
          [
            Act.reports(
              Double(number), phone(.denied), "in force",
              "#\(number) opens mid_shift at \(number): denied",
              "tell #\(number) at \(number == 2 ? 3 : number + 2): denied, urgent"),
            .reports(
              Double(number) + 0.5, phone(), "in force",
              "#\(number) closes at \(number).5: flicker", "untell #\(number)"),
          ]
        }),
    Scene(
      "a burst causes no second notification while it lasts",
      [begun] + flicker(100, 1) + flicker(200, 2) + flicker(300, 3, tells: true)
        + flicker(400, 4) + flicker(500, 5)),
    Scene(
      "ten minutes without a flicker end the burst",
      [begun] + flicker(100, 1) + flicker(200, 2) + flicker(300, 3, tells: true)
        + flicker(900, 4) + flicker(1_000, 5) + flicker(1_100, 6, tells: true)),
    Scene(
      "a take-over ends the burst of the previous device",
      [begun] + flicker(100, 1) + flicker(200, 2) + [
        .happens(
          250, .takeOver(device: 2, at: at(250), nil), "tracking 1", "device 2 tracks from 250")
      ] + flicker(300, 3, device: 2) + flicker(400, 4, device: 2)
        + flicker(500, 5, device: 2, tells: true)),
  ]

  /// A denial that is restored within the debounce, as incident `number`.
  private static func flicker(_ second: Int, _ number: Int, device: Int16 = 1, tells: Bool = false)
    -> [Act]
  {
    let start = Act.reports(
      Double(second), phone(.denied), device: device, "in force",
      "#\(number) opens \(second == 0 ? "at_clock_in" : "mid_shift") at \(second): denied",
      "tell #\(number) at \(second + 2): denied, urgent")
    var end = Act.reports(
      Double(second + 1), phone(), device: device, "in force",
      "#\(number) closes at \(second + 1): flicker",
      "untell #\(number)")
    if tells { end.effects.append("tell unstable \(number).1 at \(second + 1): denied") }
    return [start, end]
  }

  @Test("is notified once per burst", arguments: bursts) func burst(_ scene: Scene) { scene.play() }
}
