import GuardRules
import ShiftDomain
import Testing

@Suite("Differences of policies") struct PolicyDifferenceTests {
  private let standard = Policy.policy(of: .standard)

  @Test("an equal policy has none")
  func equal() {
    for preset in Preset.allCases {
      let policy = Policy.policy(of: preset)
      #expect(policy.differences(from: policy).isEmpty)
    }
  }

  @Test("each duration that changes is the only difference, with both values")
  func spans() {
    for span in PolicySpan.allCases {
      var policy = standard
      policy[span] = standard[span] + .milliseconds(1)
      let expected = PolicyDifference(
        .span(span), from: .span(standard[span]), to: .span(policy[span]))
      #expect(policy.differences(from: standard) == [expected])
      let back = PolicyDifference(expected.setting, from: expected.new, to: expected.former)
      #expect(standard.differences(from: policy) == [back])
    }
  }

  @Test("each finding that moves is the only difference, with both severities")
  func findings() {
    for finding in Finding.allCases {
      for severity in finding.severities {
        var policy = standard
        policy.severities = standard.severities.moving(finding, to: severity)
        let former = standard.severities[finding]
        let expected = PolicyDifference(
          .severity(finding), from: .severity(former), to: .severity(severity))
        #expect(policy.differences(from: standard) == (severity == former ? [] : [expected]))
      }
    }
  }

  @Test("the other settings")
  func others() {
    var policy = standard
    policy.preset = .strict
    policy.accuracyMaxMeters = 50
    policy.selfOverride = .withReason
    policy.opensPlannedShifts = true
    #expect(
      policy.differences(from: standard) == [
        PolicyDifference(.preset, from: .preset(.standard), to: .preset(.strict)),
        PolicyDifference(.accuracyMax, from: .meters(nil), to: .meters(50)),
        PolicyDifference(
          .selfOverride, from: .selfOverride(.off), to: .selfOverride(.withReason)),
        PolicyDifference(.opensPlannedShifts, from: .flag(false), to: .flag(true)),
      ])
  }

  @Test("every stored property of a policy is a setting")
  func complete() {
    let severities = Finding.allCases.count
    #expect(Mirror(reflecting: standard).children.count == PolicySetting.all.count - severities + 1)
    #expect(Set(PolicySetting.all).count == PolicySetting.all.count)
    #expect(Set(PolicySetting.all.map(\.pointer)).count == PolicySetting.all.count)
  }
}
