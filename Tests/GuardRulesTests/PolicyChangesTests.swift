import GuardRules
import ShiftDomain
import Testing

@Suite("Policy changes") struct PolicyChangesTests {
  private let standard = Policy.policy(of: .standard)

  @Test("empty changes leave the policy as it is")
  func empty() {
    #expect(PolicyChanges().isEmpty && PolicyChanges().outOfRange == nil)
    #expect(standard.changed(by: PolicyChanges()) == standard)
  }

  @Test("every finding moves to every severity, and no other finding moves with it")
  func moves() {
    for finding in Finding.allCases {
      for severity in finding.severities {
        let changed = standard.changed(by: PolicyChanges(severities: [finding: severity]))
        #expect(changed.severities[finding] == severity)
        for other in Finding.allCases where other != finding {
          #expect(changed.severities[other] == standard.severities[other])
        }
      }
    }
  }

  @Test("a preset resets the table, earlier moves included; moves named with it apply on top")
  func presets() {
    let moved = standard.changed(by: PolicyChanges(severities: [.clockWrong: .block]))
    for preset in Preset.allCases {
      let changed = moved.changed(
        by: PolicyChanges(preset: preset, severities: [.powerSave: .warn]))
      #expect(changed.preset == preset)
      #expect(changed.severities == SeverityTable.table(of: preset).moving(.powerSave, to: .warn))
      #expect(changed.pingInterval == moved.pingInterval)
    }
  }

  @Test("each duration is set alone, and so are the other settings")
  func others() {
    for name in PolicySpan.allCases {
      let changes = PolicyChanges(spans: [name: name.range.upperBound])
      let changed = standard.changed(by: changes)
      #expect(!changes.isEmpty && changed[name] == name.range.upperBound)
      for other in PolicySpan.allCases where other != name {
        #expect(changed[other] == standard[other])
      }
    }
    let own = standard.changed(by: PolicyChanges(selfOverride: .withReason))
    #expect(own.selfOverride == .withReason && standard.selfOverride == .off)
    let opening = own.changed(by: PolicyChanges(opensPlannedShifts: true))
    #expect(opening.opensPlannedShifts && !own.opensPlannedShifts)
    #expect(opening.selfOverride == .withReason)
  }

  @Test("a duration out of range is named; the bounds themselves are allowed")
  func bounds() {
    for name in PolicySpan.allCases {
      let (shortest, longest) = (name.range.lowerBound, name.range.upperBound)
      for span in [shortest, longest, standard[name]] {
        #expect(PolicyChanges(spans: [name: span]).outOfRange == nil)
      }
      for span in [
        shortest - .seconds(1), longest + .seconds(1), shortest + .milliseconds(1),
        .milliseconds(.max), .milliseconds(.min),
      ] {
        #expect(PolicyChanges(spans: [name: span]).outOfRange == name)
      }
    }
  }

  // R: A9, M2
  @Test("while-in-use warns, blocks once moved, and warns again when moved back")
  func decides() {
    let evidence = Evidence.report(report(phone(.whenInUse)), .android)
    let strict = standard.changed(by: PolicyChanges(severities: [.whenInUse: .block]))
    #expect(decideClockIn(evidence, policy: standard, now: morning).verdict == .warn)
    #expect(decideClockIn(evidence, policy: strict, now: morning).verdict == .block)
    let back = strict.changed(by: PolicyChanges(severities: [.whenInUse: .warn]))
    #expect(back == standard)
  }
}
