import GuardClient
import GuardRules
import ShiftDomain
import Testing

/// What a finding's notice leads to, for a phone on which nothing else is wrong.
private struct SettingsWay: Sendable, CustomTestStringConvertible {
  let finding: Finding
  let action: NoticeAction
  let change: @Sendable (inout PermissionState) -> Void

  init(
    _ finding: Finding, _ action: NoticeAction,
    _ change: @escaping @Sendable (inout PermissionState) -> Void
  ) {
    self.finding = finding
    self.action = action
    self.change = change
  }

  var testDescription: String { finding.code }

  var state: PermissionState {
    var state = wellSetUp
    change(&state)
    return state
  }
}

private let wellSetUp = PermissionState(
  authorization: .always, grantPath: .settings, accuracy: .full, services: .on,
  conditions: DeviceConditions(
    notifications: .on, batteryOptimisation: .off, backgroundRefresh: .on, powerSave: .off,
    foregroundService: .on, backgroundFix: .on, mockLocation: .off))

@Suite("The way to the settings") struct SettingsWayTests {
  private static let ways = [
    SettingsWay(.denied, .openAppSettings) { $0.authorization = .denied },
    SettingsWay(.restricted, .contactAdministrator) { $0.authorization = .restricted },
    SettingsWay(.whenInUse, .openAppSettings) { $0.authorization = .whenInUse },
    SettingsWay(.servicesOff, .openLocationSettings) { $0.services = .off },
    SettingsWay(.servicesUnknown, .openLocationSettings) { $0.services = .unknown },
    SettingsWay(.accuracyReduced, .openAppSettings) { $0.accuracy = .reduced },
    SettingsWay(.backgroundRefreshOff, .openAppSettings) { $0.conditions.backgroundRefresh = .off },
    SettingsWay(.batteryOptimised, .openBatterySettings) {
      $0.conditions.batteryOptimisation = .on
    },
    SettingsWay(.powerSave, .openBatterySettings) { $0.conditions.powerSave = .on },
    SettingsWay(.notificationsOff, .openNotificationSettings) {
      $0.conditions.notifications = .off
    },
  ]

  @Test(
    "opens the screen on which the finding is changed, and checks on the return", arguments: ways)
  private func opens(_ way: SettingsWay) {  // R: A7, C4, C5
    var policy = Policy.policy(of: .standard)
    policy.severities = policy.severities.moving(way.finding, to: .block)
    // iOS asks for Always once, so that once was.
    let memory = ClockInMemory(askedForBackground: true)
    for system in [TestedSystem.ios, .android14] {
      guard findings(in: way.state, platform: system.platform).contains(way.finding) else {
        continue
      }
      var flow = ClockInFlow(
        policy: policy, platform: system.platform, systemVersion: system.version, memory: memory)
      #expect(flow.take(.checked(way.state)) == .notice(way.finding, way.action), "\(system)")
      #expect(flow.take(.proceed) == .away(way.action))
      #expect(flow.take(.returned) == .check)
      guard case .clockIn = flow.take(.checked(wellSetUp)) else {
        Issue.record("\(system): \(flow.step) after it was changed")
        continue
      }
    }
  }

  @Test("is there for each finding on at least one system", arguments: ways)
  private func happens(_ way: SettingsWay) {
    let alone = FindingSet(way.finding)
    #expect([Platform.ios, .android].contains { findings(in: way.state, platform: $0) == alone })
  }

  @Test("to the battery's exemption is offered where a policy warns of it, and never in the way")
  func battery() {  // R: A9, A14
    var optimised = wellSetUp
    optimised.conditions.batteryOptimisation = .on
    for preset in Preset.allCases {
      var flow = TestedSystem.android14.flow(preset)
      guard case .clockIn(let ready) = flow.take(.checked(optimised)) else {
        Issue.record("\(preset): \(flow.step)")
        continue
      }
      #expect(ready.decision.informing == FindingSet(.batteryOptimised))
    }
    var policy = Policy.policy(of: .standard)
    policy.severities = policy.severities.moving(.batteryOptimised, to: .warn)
    var flow = ClockInFlow(policy: policy, platform: .android, systemVersion: 14)
    guard case .warning = flow.take(.checked(optimised)) else {
      Issue.record("no warning but \(flow.step)")
      return
    }
    #expect(flow.take(.fix) == .notice(.batteryOptimised, .openBatterySettings))
    #expect(flow.take(.proceed) == .away(.openBatterySettings))
    #expect(flow.take(.returned) == .check)
    guard case .clockIn = flow.take(.checked(wellSetUp)) else {
      Issue.record("not ready but \(flow.step)")
      return
    }
  }

  @Test("under strict is one notice with one action, however much is wrong")
  func oneNotice() {  // R: C7
    var state = wellSetUp
    state.authorization = .denied
    state.services = .off
    state.conditions = DeviceConditions(
      notifications: .off, batteryOptimisation: .on, backgroundRefresh: .off, powerSave: .on)
    for system in TestedSystem.allCases {
      var flow = system.flow(.strict)
      #expect(flow.step == .check, "nothing is shown before the clock-in")
      #expect(flow.take(.checked(state)) == .notice(.servicesOff, .openLocationSettings))
      guard case .stopped = flow.take(.cancel) else {
        Issue.record("\(system): another notice follows: \(flow.step)")
        continue
      }
    }
  }
}
