import GuardRules
import ShiftDomain
import Testing

@Suite("The table of presets") struct PresetTableTests {
  @Test("advisory alone keeps to the open app, and shows each cause once per session")
  func rows() {
    for preset in Preset.allCases {
      let isAdvisory = preset == .advisory
      #expect(preset.row.notifiesBeyondOpenApp == !isAdvisory)
      #expect(preset.row.showsOncePerAppSession == isAdvisory)
      #expect(preset.row.severities == SeverityTable.table(of: preset))
      let escalation = EscalationPolicy(of: .policy(of: preset))
      #expect(escalation.notifiesBeyondOpenApp == !isAdvisory)
      #expect(escalation.showsOncePerAppSession == isAdvisory)
    }
    #expect(Preset.initial == .standard)
  }
}
