import GuardRules
import GuardSimulation
import ShiftDomain
import Testing

@Suite("An Android phone") struct AndroidPhoneTests {
  /// The API level, the grant, what happens, what the app then reads, and how it learns of it.
  typealias Row = (
    name: String, level: Int, from: AndroidPhone.Grant, actions: [AndroidAction],
    says: Authorization, awareness: AppAwareness
  )

  static let rows: [Row] = [
    ("5.1: installing grants", 22, .none, [.askForeground], .always, .impossible),
    (
      "6: a grant includes the background", 23, .none, [.askForeground, .answerWhileUsing], .always,
      .atOnce
    ),
    ("9: refused once", 28, .none, [.askForeground, .answerDeny], .denied, .nothing),
    (
      "9: only the second dialog can refuse for good", 28, .none,
      [.askForeground, .answerDeny, .askForeground, .answerDenyForGood, .askForeground], .denied,
      .impossible
    ),
    (
      "9: no refusal for good at first", 28, .none, [.askForeground, .answerDenyForGood], .denied,
      .impossible
    ),
    (
      "10: all the time in the first dialog", 29, .none, [.askForeground, .answerAllTheTime],
      .always, .atOnce
    ),
    (
      "10: all the time, later", 29, .foreground, [.askBackground, .answerAllTheTime], .always,
      .atOnce
    ),
    (
      "11: no dialog for the background", 30, .foreground, [.askBackground], .whenInUse, .impossible
    ),
    (
      "11: all the time by Settings alone", 30, .foreground, [.settingsAllTheTime], .always, .atOnce
    ),
    (
      "11: all the time is not in the dialog", 30, .none, [.askForeground, .answerAllTheTime],
      .denied, .impossible
    ),
    (
      "11: refused twice is for good", 30, .none,
      [.askForeground, .answerDeny, .askForeground, .answerDeny, .askForeground], .denied,
      .impossible
    ),
    (
      "11: a dismissed dialog is no refusal", 30, .none,
      [.askForeground, .dismissDialog, .askForeground, .dismissDialog, .askForeground], .denied,
      .nothing
    ),
    ("11: only this time", 30, .none, [.askForeground, .answerOnce], .whenInUse, .atOnce),
    ("10: no only this time", 29, .none, [.askForeground, .answerOnce], .denied, .impossible),
    ("11: only this time, then left", 30, .once, [.leaveApp, .onceRunsOut], .denied, .atNextStart),
    (
      "11: a service prolongs only this time", 30, .once,
      [.startService, .leaveApp, .onceRunsOut], .whenInUse, .impossible
    ),
    ("12: approximate", 31, .none, [.askForeground, .answerApproximate], .whenInUse, .atOnce),
    ("11: no approximate", 30, .none, [.askForeground, .answerApproximate], .denied, .impossible),
    ("a refusal in Settings ends the process", 34, .always, [.settingsDeny], .denied, .atNextStart),
    ("a downgrade ends the process", 34, .always, [.settingsWhileUsing], .whenInUse, .atNextStart),
    ("approximate ends the process", 34, .always, [.settingsPreciseOff], .always, .atNextStart),
    ("an upgrade does not", 34, .foreground, [.settingsAllTheTime], .always, .atOnce),
    (
      "precise again does not", 34, .always, [.settingsPreciseOff, .openApp, .settingsPreciseOn],
      .always, .atOnce
    ),
    ("a refusal without a grant is void", 34, .none, [.settingsDeny], .notDetermined, .impossible),
    (
      "ask every time removes the grant", 34, .always, [.settingsAskEveryTime], .denied,
      .atNextStart
    ),
    (
      "location off is broadcast to a running app", 34, .always, [.leaveApp, .locationOff], .always,
      .atOnce
    ),
    (
      "location off, without a process", 34, .always, [.systemEndsApp, .locationOff], .always,
      .atNextStart
    ),
    (
      "14: a killed service cannot come back in use", 34, .foreground,
      [.systemEndsApp, .serviceRestarts], .whenInUse, .impossible
    ),
    (
      "13: a killed service comes back", 33, .foreground, [.systemEndsApp, .serviceRestarts],
      .whenInUse, .atOnce
    ),
    (
      "14: a killed service comes back with all the time", 34, .always,
      [.systemEndsApp, .serviceRestarts], .always, .atOnce
    ),
    (
      "12: no background service in use", 31, .foreground, [.leaveApp, .startService], .whenInUse,
      .impossible
    ),
    (
      "months without use remove every grant", 31, .always, [.systemEndsApp, .hibernate], .denied,
      .atNextStart
    ),
    ("an app in use keeps its grant", 31, .always, [.hibernate], .always, .impossible),
    (
      "hibernated, no service returns", 31, .always,
      [.systemEndsApp, .hibernate, .serviceRestarts],
      .denied, .impossible
    ),
    (
      "a swipe leaves a running service alone", 34, .always,
      [.startService, .swipeAway, .locationOff], .always, .atOnce
    ),
    (
      "a second question while the first waits", 34, .none, [.askForeground, .askForeground],
      .denied, .impossible
    ),
    ("never asked", 34, .none, [], .notDetermined, .nothing),
  ]

  @Test("changes as Google documents", arguments: rows)
  func transition(_ row: Row) {
    var phone = AndroidPhone(apiLevel: row.level, grant: row.from)
    var awareness = AppAwareness.nothing
    for action in row.actions { awareness = phone.act(action) }
    #expect(phone.raw.reading.state.authorization == row.says)
    #expect(phone.truePermission.authorization == row.says)
    #expect(awareness == row.awareness)
  }

  @Test("remembers why its process ended until the next start")
  func killedByChange() {
    var phone = AndroidPhone(apiLevel: 34, grant: .always)
    _ = phone.act(.startService)
    _ = phone.act(.settingsWhileUsing)
    #expect(phone.app == .ended)
    #expect(!phone.serviceRuns)
    #expect(phone.wasKilledByChange)
    #expect(phone.act(.openApp) == .atOnce)
    #expect(!phone.wasKilledByChange)
  }

  @Test("never asked and refused look alike when the app does not remember asking")
  func forgetful() {
    let phone = AndroidPhone(apiLevel: 34, remembersAsking: false)
    #expect(phone.raw.reading.state.authorization == .denied)
    #expect(phone.truePermission.authorization == .denied)
  }
}
