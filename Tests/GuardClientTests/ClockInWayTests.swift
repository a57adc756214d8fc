import GuardClient
import GuardRules
import ShiftDomain
import Testing

@Suite("The way to a clock-in") struct ClockInWayTests {
  typealias Table = ClockInTableTests

  /// One answer and what it leads to.
  struct Turn: Sendable {
    let answer: ClockInAnswer
    let shown: Shown

    init(_ answer: ClockInAnswer, _ shown: Shown) {
      self.answer = answer
      self.shown = shown
    }

    static func checked(
      _ authorization: Authorization, _ path: GrantPath = .unknown, services: Switch = .on,
      _ shown: Shown
    ) -> Turn {
      Turn(.checked(Table.state(authorization, path, services: services)), shown)
    }

    static func changed(_ authorization: Authorization, _ shown: Shown) -> Turn {
      Turn(.changed(Table.state(authorization)), shown)
    }
  }

  struct Way: Sendable, CustomTestStringConvertible {
    let name: String
    let preset: Preset
    let system: TestedSystem
    let turns: [Turn]

    init(_ name: String, _ preset: Preset, _ system: TestedSystem, _ turns: [Turn]) {
      self.name = name
      self.preset = preset
      self.system = system
      self.turns = turns
    }

    var testDescription: String { name }
  }

  // R: A4, A5, A9, A15, B3, B4, B5, B9, C1, C2, C3, C4, C5, C6
  static let ways: [Way] = [
    Way(
      "iOS: explained once, foreground, then background, then go", .strict, .ios,
      [
        .checked(.notDetermined, .prompt, .explanation), Turn(.proceed, .dialog),
        .checked(.whenInUse, .settings, .dialog), .checked(.always, .unknown, .go),
      ]),
    Way(
      "iOS: the second dialog was refused, so the settings remain", .strict, .ios,
      [
        .checked(.whenInUse, .settings, .background), Turn(.proceed, .dialog),
        .checked(.whenInUse, .settings, .settings), Turn(.proceed, .away),
        Turn(.returned, .dialog), .checked(.whenInUse, .settings, .settings),
        Turn(.proceed, .away), Turn(.returned, .dialog), .checked(.always, .unknown, .go),
      ]),
    Way(
      "Android 14: after the foreground only the settings grant the rest", .strict, .android14,
      [
        .checked(.notDetermined, .prompt, .explanation), Turn(.proceed, .dialog),
        .checked(.whenInUse, .settings, .settings), Turn(.proceed, .away),
        Turn(.returned, .dialog), .checked(.always, .unknown, .go),
      ]),
    Way(
      "Android: a first denial is explained again, a second one is permanent", .standard,
      .android14,
      [
        .checked(.notDetermined, .prompt, .explanation), Turn(.proceed, .dialog),
        .checked(.denied, .prompt, .explanation), Turn(.proceed, .dialog),
        .checked(.denied, .settings, .settings), Turn(.cancel, .stopped),
      ]),
    Way(
      "a dialog that never appears leads to the settings", .standard, .ios,
      [
        .checked(.notDetermined, .prompt, .explanation), Turn(.proceed, .dialog),
        .checked(.notDetermined, .prompt, .explanation), Turn(.proceed, .dialog),
        .checked(.notDetermined, .prompt, .settings),
      ]),
    Way(
      "while in use is warned of, and may be improved or not", .standard, .android14,
      [
        .checked(.whenInUse, .settings, .warning), Turn(.fix, .settings),
        Turn(.cancel, .warning), Turn(.proceed, .go),
      ]),
    Way(
      "the warning can be left without clocking in", .standard, .android14,
      [.checked(.whenInUse, .settings, .warning), Turn(.cancel, .stopped)]),
    Way(
      "services first, then the permission", .strict, .ios,
      [
        .checked(.denied, .settings, services: .off, .location), Turn(.proceed, .away),
        Turn(.returned, .dialog), .checked(.denied, .settings, .settings),
      ]),
    Way(
      "advisory: a refused dialog goes on without location", .advisory, .ios,
      [
        .checked(.notDetermined, .prompt, .explanation), Turn(.proceed, .dialog),
        .checked(.denied, .settings, .goWithoutLocation),
      ]),
    Way(
      "advisory: Allow Once is enough for now", .advisory, .ios,
      [
        .checked(.notDetermined, .prompt, .explanation), Turn(.proceed, .dialog),
        .checked(.whenInUse, .settings, .go),
      ]),
    Way(
      "advisory: a grant that the system reports goes on by itself", .advisory, .ios,
      [
        .checked(.denied, .settings, .settings), Turn(.proceed, .away), .changed(.whenInUse, .go),
      ]),
    Way(
      "a return to the app is no dismissal", .standard, .ios,
      [
        .checked(.denied, .settings, .settings), Turn(.returned, .dialog),
        .checked(.denied, .settings, .settings),
      ]),
    Way(
      "a dialog's result reported early does not overtake its end", .standard, .ios,
      [
        .checked(.notDetermined, .prompt, .explanation), Turn(.proceed, .dialog),
        .changed(.always, .dialog), .checked(.always, .unknown, .go),
      ]),
  ]

  @Test(arguments: ways) func `leads step by step`(_ way: Way) {
    var flow = way.system.flow(way.preset)
    for (place, turn) in way.turns.enumerated() {
      #expect(Shown(flow.take(turn.answer)) == turn.shown, "turn \(place)")
    }
  }

  @Test func `an acknowledged warning is not shown again until the app starts again`() {
    // R: A16
    var first = TestedSystem.android14.flow(.standard)
    first.take(.checked(Table.state(.whenInUse, .settings)))
    first.take(.proceed)
    var second = TestedSystem.android14.flow(.standard, memory: first.memory)
    #expect(Shown(second.take(.checked(Table.state(.whenInUse, .settings)))) == .go)
    var reduced = Table.state(.whenInUse, .settings)
    reduced.accuracy = .reduced
    var third = TestedSystem.android14.flow(.standard, memory: first.memory)
    #expect(Shown(third.take(.checked(reduced))) == .warning, "not this one")
    var newStart = TestedSystem.android14.flow(.standard)
    #expect(Shown(newStart.take(.checked(Table.state(.whenInUse, .settings)))) == .warning)
  }

  @Test(arguments: TestedSystem.allCases)
  func `always is never interrupted, whatever the battery settings`(_ system: TestedSystem) {
    // R: A9
    var state = Table.state(.always)
    state.conditions = DeviceConditions(
      notifications: .off, batteryOptimisation: .on, backgroundRefresh: .off, powerSave: .on)
    for preset in Preset.allCases {
      var flow = system.flow(preset)
      #expect(Shown(flow.take(.checked(state))) == .go)
    }
  }

  @Test func `under advisory the notice is shown at most once in a run of the app`() {  // R: B3
    var first = TestedSystem.ios.flow(.advisory)
    #expect(Shown(first.take(.checked(Table.state(.denied, .settings)))) == .settings)
    #expect(Shown(first.take(.cancel)) == .goWithoutLocation)
    var second = TestedSystem.ios.flow(.advisory, memory: first.memory)
    #expect(Shown(second.take(.checked(Table.state(.denied, .settings)))) == .goWithoutLocation)
  }

  @Test func `after Allow Once the next start asks again, for both`() {  // R: B9
    var first = TestedSystem.ios.flow(.strict)
    first.take(.checked(Table.state(.notDetermined, .prompt)))
    first.take(.proceed)
    first.take(.checked(Table.state(.whenInUse)))
    #expect(first.step == .dialog(.background))
    #expect(Shown(first.take(.checked(Table.state(.whenInUse)))) == .settings)
    let kept = ClockInMemory(askedForBackground: first.memory.askedForBackground)
    #expect(kept.askedForBackground)
    var next = TestedSystem.ios.flow(.strict, memory: kept)
    #expect(Shown(next.take(.checked(Table.state(.notDetermined, .prompt)))) == .explanation)
    next.take(.proceed)
    next.take(.checked(Table.state(.whenInUse)))
    #expect(next.step == .dialog(.background))
  }

  @Test func `a change while the clock-in is under way does not change it`() {  // R: B6
    var flow = TestedSystem.ios.flow(.standard)
    let sent = flow.take(.checked(Table.state(.always)))
    flow.take(.changed(Table.state(.denied)))
    #expect(flow.step == sent)
    flow.take(.cancel)
    #expect(flow.step == sent)
  }

  @Test func `a change that changes nothing leaves the screen as it is`() {
    var flow = TestedSystem.ios.flow(.standard)
    let state = Table.state(.whenInUse, .settings)
    flow.take(.checked(state))
    flow.take(.fix)
    #expect(flow.step == .explanation(before: .background))
    flow.take(.changed(state))
    #expect(flow.step == .explanation(before: .background))
  }

  @Test func `cancel before anything is known`() {  // R: B4
    for preset in Preset.allCases {
      var flow = TestedSystem.ios.flow(preset)
      let shown = Shown(flow.take(.cancel))
      #expect(shown == (preset == .advisory ? .goWithoutLocation : .stopped))
    }
  }

  /// Random answers, from a seed.
  @Test(arguments: 0..<300) func `any sequence of answers stays consistent`(_ seed: Int) {
    // R: B1, B12, C1, C2, C4
    var random = SeededNumbers(seed)
    let preset = Preset.allCases[random.below(3)]
    let system = TestedSystem.allCases[random.below(4)]
    var flow = system.flow(preset)
    var isExplained = false
    for _ in 0..<40 {
      let before = flow.step
      let answer = random.answer()
      let step = flow.take(answer)
      if before.isEnd { #expect(step == before) }
      if case .explanation = step { isExplained = true }
      if case .dialog(let dialog) = step, step != before {
        #expect(isExplained, "the system's dialog was not explained")
        if case .dialog(.foreground) = before { #expect(dialog == .background) }
      }
      switch step {
      case .clockIn(let ready):
        #expect(ready.decision.verdict != .block)
        let isKnown = ready.decision.warning.isSubset(of: flow.memory.acknowledged)
        #expect(isKnown, "a warning was not shown")
      case .stopped: #expect(preset != .advisory)
      case .notice, .explanation: #expect(preset != .advisory || flow.memory.wasGuided)
      default: break
      }
    }
  }
}

extension SeededNumbers {
  fileprivate mutating func answer() -> ClockInAnswer {
    let state = ClockInTableTests.state(
      Authorization.allCases[below(6)], GrantPath.allCases[below(4)],
      services: Switch.allCases[below(3)])
    switch below(8) {
    case 0...2: return .checked(state)
    case 3: return .changed(state)
    case 4, 5: return .proceed
    case 6: return below(2) == 0 ? .fix : .returned
    default: return below(3) == 0 ? .cancel : .returned
    }
  }
}
