import GuardRules
import ShiftDomain
import Testing

@Suite("Preset table") struct PresetTableTests {
  @Test("only advisory is limited to the open app and shows each cause once per session")
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
