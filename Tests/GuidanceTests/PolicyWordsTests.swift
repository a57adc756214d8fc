import GuardRules
import Guidance
import ShiftDomain
import Testing

@Suite("A policy in words") struct PolicyWordsTests {
  static let rows: [(PolicyDifference, String)] = [
    (
      PolicyDifference(.severity(.denied), from: .severity(.block), to: .severity(.warn)),
      "Location access denied: blocks → warns"
    ),
    (
      PolicyDifference(.span(.shiftMax), from: .span(.hours(16)), to: .span(.hours(12))),
      "Maximum shift: 16 h → 12 h"
    ),
    (
      PolicyDifference(.span(.cooldown), from: .span(.zero), to: .span(.seconds(5_430))),
      "Cooldown between notifications: 0 s → 1 h 30 min 30 s"
    ),
    (
      PolicyDifference(.preset, from: .preset(.strict), to: .preset(.advisory)),
      "Preset: Strict → Advisory"
    ),
    (
      PolicyDifference(.accuracyMax, from: .meters(nil), to: .meters(50)),
      "Accuracy of a position: no limit → 50 m"
    ),
    (
      PolicyDifference(.selfOverride, from: .selfOverride(.off), to: .selfOverride(.withReason)),
      "Employees may override a block: no → yes"
    ),
    (
      PolicyDifference(.opensPlannedShifts, from: .flag(true), to: .flag(false)),
      "Planned shifts open by themselves: yes → no"
    ),
  ]

  @Test("a difference names the setting and both values", arguments: rows)
  func differences(_ row: (difference: PolicyDifference, words: String)) {
    #expect(row.difference.words == row.words)
  }

  @Test("no two settings have the same name")
  func names() {
    let names = PolicySetting.all.map(\.label)
    #expect(Set(names).count == names.count && names.allSatisfy { $0.first?.isUppercase == true })
  }

  @Test("no second is lost")
  func spans() {
    let words = (0..<7_300).map { TimeSpan.seconds($0).unrounded }
    #expect(Set(words).count == words.count)
    #expect(TimeSpan.milliseconds(1_500).unrounded == "1 s 500 ms")
  }
}
