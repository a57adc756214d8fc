import GuardRules
import GuardSimulation
import ShiftDomain
import Testing

@Suite("An iPhone") struct IPhoneTests {
  /// The grant, what happens, what the app then reads, and how it learns of the last action.
  typealias Row = (
    name: String, from: IPhone.Grant, actions: [IPhoneAction], says: Authorization,
    awareness: AppAwareness
  )

  static let rows: [Row] = [
    (
      "asked for while in use, and allowed", .notDetermined, [.askWhenInUse, .answerAllow],
      .whenInUse, .atOnce
    ),
    (
      "asked for always, and allowed while using: provisional, called always", .notDetermined,
      [.askAlways, .answerAllow], .always, .atOnce
    ),
    ("allowed once", .notDetermined, [.askWhenInUse, .answerOnce], .whenInUse, .atOnce),
    (
      "asked for always, allowed once", .notDetermined, [.askAlways, .answerOnce], .whenInUse,
      .atOnce
    ),
    ("refused", .notDetermined, [.askAlways, .answerRefuse], .denied, .atOnce),
    (
      "after a refusal there is no other question", .notDetermined,
      [.askWhenInUse, .answerRefuse, .askWhenInUse], .denied, .impossible
    ),
    ("allowed once, then left", .once, [.leaveApp, .onceRunsOut], .notDetermined, .perhaps),
    ("allowed once lasts in the foreground", .once, [.onceRunsOut], .whenInUse, .impossible),
    (
      "the deferred prompt keeps while using", .provisional,
      [.leaveApp, .deferredPromptAppears, .answerRefuse], .whenInUse, .perhaps
    ),
    (
      "the deferred prompt changes to always, and the app is not notified", .provisional,
      [.leaveApp, .deferredPromptAppears, .answerAllow], .always, .nothing
    ),
    (
      "no deferred prompt for a lasting always", .always, [.leaveApp, .deferredPromptAppears],
      .always, .impossible
    ),
    ("upgraded", .whenInUse, [.askAlways, .answerAllow], .always, .atOnce),
    ("an upgrade refused", .whenInUse, [.askAlways, .answerRefuse], .whenInUse, .nothing),
    (
      "an upgrade is asked for only once", .whenInUse, [.askAlways, .answerRefuse, .askAlways],
      .whenInUse, .impossible
    ),
    ("no upgrade of allow once", .once, [.askAlways], .whenInUse, .impossible),
    (
      "no question from the background", .notDetermined, [.leaveApp, .askWhenInUse], .notDetermined,
      .impossible
    ),
    (
      "a second question while the first waits", .notDetermined, [.askWhenInUse, .askAlways],
      .notDetermined, .impossible
    ),
    (
      "two questions, one answer", .notDetermined, [.askWhenInUse, .askAlways, .answerAllow],
      .whenInUse, .atOnce
    ),
    (
      "a question left unanswered may be asked again", .notDetermined,
      [.askWhenInUse, .leaveApp, .openApp, .askWhenInUse, .answerAllow], .whenInUse, .atOnce
    ),
    (
      "the reminder of always, kept", .always, [.leaveApp, .reminderAppears, .answerAllow], .always,
      .nothing
    ),
    (
      "the reminder of always, reduced without a way to Settings", .always,
      [.leaveApp, .reminderAppears, .answerRefuse], .whenInUse, .perhaps
    ),
    ("Settings: never", .always, [.settingsNever], .denied, .atOnce),
    ("Settings: never, in background", .always, [.leaveApp, .settingsNever], .denied, .perhaps),
    ("Settings: never, while ended", .always, [.forceQuit, .settingsNever], .denied, .atNextStart),
    ("Settings: ask next time", .always, [.settingsAskNextTime], .notDetermined, .atOnce),
    ("Settings: while using", .always, [.settingsWhileUsing], .whenInUse, .atOnce),
    ("Settings: always", .denied, [.settingsAlways], .always, .atOnce),
    ("Settings: the same again", .always, [.settingsAlways], .always, .impossible),
    ("all services off", .always, [.servicesOff], .denied, .atOnce),
    ("services off and on again", .whenInUse, [.servicesOff, .servicesOn], .whenInUse, .atOnce),
    (
      "no question while services are off", .notDetermined, [.servicesOff, .askWhenInUse], .denied,
      .impossible
    ),
    ("privacy reset", .always, [.resetPrivacy], .notDetermined, .atOnce),
    (
      "privacy reset lets the upgrade be asked for again", .whenInUse,
      [.askAlways, .answerRefuse, .resetPrivacy, .askWhenInUse, .answerAllow, .askAlways],
      .whenInUse, .nothing
    ),
    ("restricted by an administrator", .always, [.restrict], .restricted, .atOnce),
    (
      "restricted, Settings are greyed out", .denied, [.restrict, .settingsAlways], .restricted,
      .impossible
    ),
    ("a restriction lifted", .always, [.restrict, .lift], .always, .atOnce),
    ("opened again, it always checks", .always, [.leaveApp, .openApp], .always, .atOnce),
  ]

  @Test("changes as Apple documents", arguments: rows)
  func transition(_ row: Row) {
    var phone = IPhone(grant: row.from)
    var awareness = AppAwareness.nothing
    for action in row.actions { awareness = phone.act(action) }
    #expect(phone.raw.reading.state.authorization == row.says)
    #expect(phone.truePermission.authorization == row.says)
    #expect(awareness == row.awareness)
  }

  @Test("reads precise and approximate at once, and precise for now until the app is left")
  func accuracy() {
    var phone = IPhone(grant: .whenInUse)
    #expect(phone.act(.settingsPreciseOff) == .atOnce)
    #expect(phone.raw.reading.state.accuracy == .reduced)
    #expect(phone.act(.askPreciseForNow) == .atOnce)
    #expect(phone.raw.reading.state.accuracy == .full)
    #expect(phone.act(.leaveApp) == .perhaps)
    #expect(phone.raw.reading.state.accuracy == .reduced)
    #expect(phone.act(.settingsPreciseOn) == .perhaps)
    #expect(phone.raw.reading.state.accuracy == .full)
  }

  @Test("proves by a background fix only a lasting always")
  func backgroundFix() {
    var phone = IPhone(grant: .provisional)
    _ = phone.act(.leaveApp)
    #expect(phone.act(.backgroundFixArrives) == .impossible)
    _ = phone.act(.deferredPromptAppears)
    _ = phone.act(.answerAllow)
    #expect(phone.act(.backgroundFixArrives) == .nothing)
    #expect(phone.hasBackgroundFix)
    _ = phone.act(.settingsWhileUsing)
    _ = phone.act(.settingsAlways)
    #expect(!phone.hasBackgroundFix)
  }

  // R: B9
  @Test("handles Allow Once: in use now, not determined at the next start, asked again")
  func allowOnce() {
    var phone = IPhone()
    var state = GuardState()
    let policy = Policy.policy(of: .advisory)
    func says() -> Authorization { phone.raw.reading.state.authorization }
    func findings() -> FindingSet {
      let report = report(phone.raw.reading.state, 0)
      return decideClockIn(.report(report, .ios), policy: policy, now: morning).findings
    }
    for round in 1...3 {
      #expect(phone.act(.askAlways) == .nothing, "round \(round)")
      #expect(phone.dialog == .always, "round \(round)")
      #expect(phone.act(.answerOnce) == .atOnce)
      #expect(says() == .whenInUse)
      let evidence = Evidence.report(report(phone.raw.reading.state, 1), .ios)
      let begun = step(
        state, .clockIn(device: 1, at: morning, evidence), policy: policy, now: morning)
      #expect(begun.state[.authorization]?.kind == .whenInUse)
      #expect(phone.act(.leaveApp) == .nothing)
      #expect(phone.act(.onceRunsOut) == .perhaps)
      _ = phone.act(.systemEndsApp)
      #expect(phone.act(.openApp) == .atOnce)
      #expect(says() == .notDetermined)
      #expect(phone.raw.reading.state.grantPath == .prompt)
      let after = step(
        begun.state, .report(report(phone.raw.reading.state, 2), device: 1), policy: policy,
        now: morning + .seconds(5))
      #expect(after.answer == .reportInForce)
      #expect(after.state[.authorization]?.kind == .notDetermined)
      #expect(findings().contains(.notDetermined))
      state =
        step(
          after.state, .clockOut(at: morning + .seconds(9)), policy: policy,
          now: morning + .seconds(9)
        ).state
    }
  }

  private let morning = Instant(milliseconds: 1_700_000_000_000)

  private func report(_ state: PermissionState, _ sequence: Int64) -> PermissionReport {
    PermissionReport(id: ReportID(1), state: state, effectiveAt: morning, sequence: sequence)
  }
}
