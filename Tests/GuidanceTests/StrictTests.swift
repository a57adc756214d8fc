import GuardRules
import Guidance
import ShiftDomain
import Testing

@Suite("Guidance where Always is required") struct StrictTests {
  func first(
    _ finding: Finding, _ report: PermissionState?, on device: DeviceDescription
  ) throws -> Remedy {
    try #require(
      guidance(
        for: decision([finding], under: .strict), report: report, on: device, under: .strict
      ).remedies.first)
  }

  @Test("Denied: Always is required, and one action leads to the app's settings")
  func denied() throws {  // R: C4
    let remedy = try first(.denied, state(.denied, .settings), on: iPhone)
    #expect(remedy.severity == .block)
    #expect(remedy.why.contains("need location set to Always"))
    #expect(remedy.action == .openAppSettings)
    #expect(remedy.steps.contains("Choose Always."))
  }

  @Test("While in use is not enough, and the text says so")
  func whenInUse() throws {  // R: C6
    for device in [iPhone, pixel] {
      let remedy = try first(.whenInUse, state(.whenInUse, .settings), on: device)
      #expect(remedy.severity == .block)
      #expect(remedy.why.hasPrefix("Shifts in your team need"))
    }
  }

  @Test("A page can never have Always, so its remedy leads to the app and not in a circle")
  func page() throws {
    for finding in [Finding.denied, .notDetermined, .whenInUse, .cannotReport] {
      let remedy = try first(finding, nil, on: DeviceDescription(platform: .web))
      #expect(remedy.action == .contactAdministrator)
      #expect(remedy.steps.first?.hasPrefix("Ask your manager for the shift app") == true)
      let isAboutPage = remedy.title == "This page is not enough to clock in"
      #expect(isAboutPage == (finding != .cannotReport))
    }
    // Where a page is enough, the app is still better.
    let kept = guidance(
      for: decision([.whenInUse], under: .standard), report: state(.whenInUse, .unknown),
      on: DeviceDescription(platform: .web))
    let remedy = try #require(kept.remedies.first)
    #expect(remedy.title == "Location works only while this page is open")
    #expect(remedy.steps.last?.hasPrefix("Ask your manager for the shift app") == true)
  }

  @Test("A policy that only moves while-in-use to block needs Always as well")
  func moved() throws {
    let severities = SeverityTable.standard.moving(.whenInUse, to: .block)
    let remedy = try #require(
      guidance(
        for: decision([.denied], under: severities), report: nil, on: pixel, under: severities
      ).remedies.first)
    #expect(remedy.why.contains("need location set to Always"))
  }

  @Test("A block gives one banner with one remedy, and no explanation")
  func oneNotification() throws {  // R: C7
    for finding in [Finding.denied, .whenInUse, .servicesOff] {
      let said = guidance(
        for: decision([finding], under: .strict), report: state(.denied, .settings), on: iPhone,
        under: .strict)
      #expect(said.banner?.level == .required && said.remedies.count == 1)
      #expect(said.explanation == nil)
    }
  }
}
