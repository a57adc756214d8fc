import GuardRules
import ShiftDomain

/// A team's policy, with severities of its own, so that the oracle does not use the rules' tables.
struct PolicyChoice {
  var preset = Preset.standard
  /// A finding that the team moved to another severity.
  var moved: (finding: Finding, severity: Severity)?
  var debounce = TimeSpan.seconds(2)
  var pingInterval = TimeSpan.seconds(60)
  var shiftMax = TimeSpan.hours(16)
  var breakMax = TimeSpan.hours(2)
  var reminderAfter = TimeSpan.hours(10)
  var selfOverride = SelfOverride.off
  var cooldown = TimeSpan.minutes(10)
  var emailAfter = TimeSpan.minutes(5)
  var managersAfter = TimeSpan.minutes(10)
  var maxRest = TimeSpan.minutes(30)
  var accuracyMax: Int32?
  /// The policy version; each change adds one.
  var version: Int32 = 0

  /// The form that the rules take.
  var policy: Policy {
    var policy = Policy.policy(of: preset)
    if let moved { policy.severities = policy.severities.moving(moved.finding, to: moved.severity) }
    policy.debounce = debounce
    policy.pingInterval = pingInterval
    policy.shiftMax = shiftMax
    policy.breakMax = breakMax
    policy.reminderAfter = reminderAfter
    policy.selfOverride = selfOverride
    policy.cooldown = cooldown
    policy.emailAfter = emailAfter
    policy.managersAfter = managersAfter
    policy.maxRest = maxRest
    policy.accuracyMaxMeters = accuracyMax
    return policy
  }

  /// The tracking settings of a shift that begins under this policy, until it ends.
  var settings: TrackingSettings {
    TrackingSettings(
      pingInterval: pingInterval,
      fixAgeMax: .milliseconds(max(120_000, 3 * pingInterval.milliseconds)), maxRest: maxRest,
      accuracyMaxMeters: accuracyMax, policyVersion: version)
  }

  /// The severity of `finding`, by the documented table.
  func severity(of finding: Finding) -> Severity {
    if let moved, moved.finding == finding { return moved.severity }
    return preset.documented.severity(of: finding)
  }

  /// The findings that `override` covers; a self-override counts only if the policy allows it.
  func excused(by override: Override?) -> FindingSet {
    guard let override else { return [] }
    switch (override.author, selfOverride) {
    case (.manager, _), (.employee, .withReason): return override.findings
    case (.employee, .off): return []
    }
  }

  /// Whether a notification about `kind` is urgent: the phone cannot be located at all, or the kind
  /// would block a clock-in.
  func isUrgent(_ kind: IncidentKind) -> Bool {
    kind.blinds || (Finding(code: kind.code).map { severity(of: $0) == .block } ?? false)
  }
}
