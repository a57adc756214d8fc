import GuardRules
import ShiftDomain
import Testing

@testable import Guidance

@Suite("The app's own name") struct AppNameTests {
  // R: A6
  @Test("stands in every step that speaks of the app", arguments: Language.allCases)
  func steps(_ language: Language) {
    let texts = catalogue(of: language)
    var named = 0
    for step in Step.allCases where step != .useShiftApp {
      let generic = texts.step(step, on: DeviceDescription(platform: .ios))
      let text = texts.step(step, on: DeviceDescription(platform: .ios, appName: "Tally"))
      #expect(generic == texts.steps[step])
      // Whatever form the language has for the app, none is left.
      for word in ["shift app", "Schicht-App", "pointage >", "l’app de pointage", "pracownicz"] {
        #expect(!text.contains(word), "\(step): \(text)")
      }
      if text.contains("Tally") { named += 1 }
      #expect(text.contains("Tally") == (generic != text))
    }
    #expect(named == 18)
    let other = texts.step(.useShiftApp, on: DeviceDescription(platform: .web, appName: "Tally"))
    #expect(other == texts.steps[.useShiftApp])
  }

  @Test("stands in notifications and in the disclosure before the dialog")
  func elsewhere() {
    let phone = DeviceDescription(platform: .android, osVersion: "14", appName: "Tally")
    let notification = notificationText(
      for: .denied, report: PermissionState(authorization: .denied, grantPath: .settings),
      on: phone)
    #expect(
      notification.steps.contains(
        "Usually: Settings > Apps > Tally > Permissions > Location."))
    #expect(
      explanation(on: phone, needing: .always).platformNotes.first?.hasPrefix(
        "Tally collects location data") == true)
  }

  @Test("Old systems are sent to no switch that they do not have")
  func oldSystems() throws {
    for (platform, version, hasSwitch) in [
      (Platform.android, "11", false), (.android, "12", true), (.ios, "13.7", false),
      (.ios, "14.0", true),
    ] {
      let remedy = try #require(
        guidance(
          for: decision([.accuracyReduced]), report: nil,
          on: DeviceDescription(platform: platform, osVersion: version)
        ).remedies.first)
      #expect(remedy.way.lowercased().contains("switch on") == hasSwitch, "\(version)")
    }
    func battery(_ version: String) throws -> String {
      try #require(
        guidance(
          for: decision([.batteryOptimised]), report: nil,
          on: DeviceDescription(platform: .android, osVersion: version)
        ).remedies.first
      ).way
    }
    #expect(try battery("12").contains("Pause app activity if unused"))
    #expect(try battery("11").contains("Remove permissions if app isn't used"))
    #expect(try !battery("10").contains("used"))
  }
}
