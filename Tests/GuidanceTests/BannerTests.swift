import GuardRules
import Guidance
import ShiftDomain
import Testing

@Suite("Banner") struct BannerTests {
  typealias Row = (
    name: String, findings: [Finding], severities: SeverityTable, level: BannerLevel, title: String
  )

  static let rows: [Row] = [
    ("denied is required", [.denied], .standard, .required, "Location access is off"),
    (
      "while in use is a suggestion", [.whenInUse], .standard, .suggestion,
      "Location works only while the app is in use"
    ),
    ("always is a quiet confirmation", [], .standard, .quiet, "Location is ready"),
    (
      "battery advice never interrupts", [.batteryOptimised], .standard, .quiet,
      "Battery saving may pause the shift app"
    ),
    (
      "the most severe is shown, though it is fixed last", [.accuracyReduced, .whenInUse], .strict,
      .required, "Location works only while the app is in use"
    ),
    (
      "of two that block, the one to fix first", [.denied, .servicesOff], .standard, .required,
      "Location is switched off on this device"
    ),
    (
      "nothing is required where nothing blocks", [.denied], .advisory, .suggestion,
      "Location access is off"
    ),
    (
      "while in use is a suggestion even where it is mere advice", [.whenInUse], .advisory,
      .suggestion, "Location works only while the app is in use"
    ),
    (
      "while in use is required where it blocks", [.whenInUse], .strict, .required,
      "Location works only while the app is in use"
    ),
  ]

  @Test(arguments: rows) func speaks(_ row: Row) throws {
    let guidance = guidance(
      for: decision(row.findings, under: row.severities), report: state(.denied, .settings),
      on: pixel, under: row.severities)
    let banner = try #require(guidance.banner)
    #expect(banner.level == row.level, "\(row.name)")
    #expect(banner.title == row.title, "\(row.name)")
  }

  @Test("Without a report or a finding there is no banner")
  func silent() {
    #expect(guidance(for: decision([]), report: nil, on: pixel).banner == nil)
  }

  @Test("An overridden block still names the cause, and blocks nothing")
  func overridden() throws {
    var decision = decision([.denied])
    decision.warning = decision.blocking
    decision.blocking = []
    decision.verdict = .warn
    let guidance = guidance(for: decision, report: nil, on: pixel)
    #expect(guidance.banner?.level == .suggestion)
    #expect(guidance.remedies.map(\.severity) == [.warn])
  }

  @Test("Under advisory the text says that everything works without location")
  func advisory() throws {
    let guidance = guidance(
      for: decision([.denied], under: .advisory), report: nil, on: iPhone, under: .advisory)
    #expect(try #require(guidance.banner).body.contains("Everything works without location"))
  }

  @Test("All findings together give one list in the order of remedy")
  func ordered() {
    let standard = SeverityTable.standard
    let severities = SeverityTable(blocking: standard.blocking, warning: standard.warning)
    let guidance = guidance(
      for: Decision(.all, under: severities), report: nil, on: pixel, under: severities)
    #expect(guidance.remedies.map(\.finding) == Finding.allCases.sorted())
  }

  @Test("Where location is optional, the dialog or the settings are offered and nothing is blocked")
  func optional() throws {  // R: B3
    let rows: [(Finding, PermissionState, ActionCode)] = [
      (.notDetermined, state(.notDetermined, .prompt), .requestPermission),
      (.denied, state(.denied, .settings), .openAppSettings),
      (.restricted, state(.restricted, .administrator), .contactAdministrator),
    ]
    for (finding, report, action) in rows {
      let decision = decision([finding], under: .advisory)
      let said = guidance(for: decision, report: report, on: iPhone, under: .advisory)
      #expect(decision.verdict == .allow)
      #expect(said.banner?.level == .suggestion)
      #expect(said.remedies.map(\.action) == [action])
    }
  }
}
