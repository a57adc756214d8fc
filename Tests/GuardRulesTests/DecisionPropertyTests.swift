import GuardRules
import ShiftDomain
import Testing

/// What must hold for every decision, in every state that a phone can be in.
@Suite("Every decision") struct DecisionPropertyTests {
  static let fresh: [TimeSpan] = [.zero, .seconds(300), .seconds(-60)]
  static let stale: [TimeSpan] = [.milliseconds(300_001), .hours(24), .milliseconds(.max)]

  /// Every authorization, grant path, accuracy and services switch.
  static let bareStates: [PermissionState] = Authorization.allCases.flatMap { authorization in
    GrantPath.allCases.flatMap { path in
      LocationAccuracy.allCases.flatMap { accuracy in
        Switch.allCases.map { services in
          PermissionState(
            authorization: authorization, grantPath: path, accuracy: accuracy, services: services)
        }
      }
    }
  }

  /// No known condition, then each condition off or on with all others unknown.
  static let conditions: [DeviceConditions] =
    [DeviceConditions()]
    + [
      \DeviceConditions.notifications, \.batteryOptimisation, \.backgroundRefresh, \.powerSave,
      \.foregroundService, \.backgroundFix,
    ].flatMap { condition in
      [Switch.off, .on].map { value in
        var conditions = DeviceConditions()
        conditions[keyPath: condition] = value
        return conditions
      }
    }

  /// Calls `body` with every state, condition and platform: 11,232 in all.
  private func everyPhone(_ body: (PermissionState, Platform) -> Void) {
    for bare in Self.bareStates {
      for conditions in Self.conditions {
        var state = bare
        state.conditions = conditions
        for platform in Platform.allCases { body(state, platform) }
      }
    }
  }

  private func decide(
    _ state: PermissionState, _ platform: Platform, age: TimeSpan, _ preset: Preset
  ) -> Decision {
    decideClockIn(
      .report(report(state, at: morning - age), platform), policy: .policy(of: preset),
      now: morning)
  }

  @Test("under standard never blocks a phone with a grant, location on and a fresh report")
  func grantedPasses() {
    everyPhone { state, platform in
      guard state.isGranted, state.services == .on else { return }
      for age in Self.fresh {
        let verdict = decide(state, platform, age: age, .standard).verdict
        #expect(verdict != .block, "\(state) on \(platform), \(age)")
        // R: A9
        if state.authorization == .always, state.accuracy != .reduced {
          #expect(verdict == .allow, "\(state) on \(platform), \(age)")
          #expect(decide(state, platform, age: age, .strict).verdict == .allow, "\(state)")
        } else {
          #expect(verdict == .warn, "\(state) on \(platform), \(age)")
        }
      }
    }
  }

  @Test("under strict blocks everything but always")
  func strictNeedsAlways() {
    everyPhone { state, platform in
      guard state.authorization != .always else { return }
      for age in Self.fresh + Self.stale {  // R: C6
        #expect(decide(state, platform, age: age, .strict).verdict == .block, "\(state)")
      }
    }
  }

  @Test("under standard and strict blocks an unknown permission as unreadable")
  func unknownIsRefused() {
    everyPhone { state, platform in
      guard state.authorization == .unknown else { return }
      for age in Self.fresh + Self.stale {  // R: B7
        #expect(decide(state, platform, age: age, .standard).blocking.contains(.unreadable))
        #expect(decide(state, platform, age: age, .strict).blocking.contains(.unreadable))
      }
    }
  }

  @Test("under standard and strict blocks without permission or with location off")
  func ungrantedIsBlocked() {
    everyPhone { state, platform in
      guard !state.isGranted || state.services == .off else { return }
      for age in Self.fresh + Self.stale {  // R: A8
        #expect(decide(state, platform, age: age, .standard).verdict == .block, "\(state)")
        #expect(decide(state, platform, age: age, .strict).verdict == .block, "\(state)")
      }
    }
  }

  @Test("under advisory neither blocks nor warns")
  func advisoryGuides() {
    everyPhone { state, platform in
      for age in Self.fresh + Self.stale {  // R: B1
        let decision = decide(state, platform, age: age, .advisory)
        #expect(decision.verdict == .allow, "\(state)")
        #expect(decision.informing == decision.findings, "\(state)")
      }
    }
  }

  @Test("on a stale report keeps the report's own findings, too")
  func staleKeepsFindings() {
    everyPhone { state, platform in
      let young = decide(state, platform, age: .zero, .standard).findings
      #expect(!young.contains(.staleReport), "\(state)")
      for age in Self.stale {
        let old = decide(state, platform, age: age, .standard)
        #expect(old.findings == young.union(.of(.staleReport)), "\(state)")
        #expect(old.verdict == .block, "\(state)")
      }
    }
  }

  @Test("is never stricter after improvements without a downgrade")
  func betterIsNoWorse() {
    let states = Self.bareStates.filter { $0.grantPath == .unknown }
    for before in states {
      for after in states {
        let change = compare(before, after)
        let changes = [change[.authorization], change[.services], change[.accuracy]]
        guard changes.contains(.improved), !changes.contains(.downgraded) else { continue }
        // A dimension that cannot be compared must be unknown before and after.
        guard before.hasSameUnknowns(as: after) else { continue }
        for platform in Platform.allCases {
          for preset in Preset.allCases {
            let worse = decide(before, platform, age: .zero, preset).verdict
            let better = decide(after, platform, age: .zero, preset).verdict
            #expect(better <= worse, "\(before) to \(after) on \(platform) under \(preset)")
          }
        }
      }
    }
  }

  @Test("does not depend on the grant path")
  func grantPathIsGuidance() {
    everyPhone { state, platform in
      var other = state
      other.grantPath = .unknown
      for preset in Preset.allCases {
        #expect(
          decide(state, platform, age: .zero, preset) == decide(other, platform, age: .zero, preset)
        )
      }
    }
  }
}

extension PermissionState {
  fileprivate var isGranted: Bool { authorization == .always || authorization == .whenInUse }

  fileprivate func hasSameUnknowns(as other: PermissionState) -> Bool {
    (authorization == .unknown) == (other.authorization == .unknown)
      && (services == .unknown) == (other.services == .unknown)
      && (accuracy == .unknown) == (other.accuracy == .unknown)
  }
}
