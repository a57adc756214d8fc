import GuardRules
import ShiftDomain

/// A team's policy, and the same in words of its own, so that the oracle need not ask the rules'
/// tables what they say.
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
  /// The number of the policy version; each change adds one.
  var version: Int32 = 0

  /// As the rules take it.
  var policy: Policy {
    var policy = Policy.policy(of: preset)
    if let moved { policy.severities = policy.severities.moving(moved.finding, to: moved.severity) }
    policy.debounce = debounce
    policy.pingInterval = pingInterval
    policy.shiftMax = shiftMax
    policy.breakMax = breakMax
    policy.reminderAfter = reminderAfter
    policy.selfOverride = selfOverride
    policy.messageCooldown = cooldown
    policy.emailAfter = emailAfter
    policy.managersAfter = managersAfter
    policy.maxRest = maxRest
    policy.accuracyMaxMeters = accuracyMax
    return policy
  }

  /// The tracking settings that a shift begun under this policy keeps until it ends.
  var settings: TrackingSettings {
    TrackingSettings(
      pingInterval: pingInterval,
      fixAgeMax: .milliseconds(max(120_000, 3 * pingInterval.milliseconds)), maxRest: maxRest,
      accuracyMaxMeters: accuracyMax, policyVersion: version)
  }

  /// How severe `finding` is, by the table that people read.
  func severity(of finding: Finding) -> Severity {
    if let moved, moved.finding == finding { return moved.severity }
    switch (preset, finding) {
    case (.advisory, _): return .advice
    case (_, .restricted), (_, .denied), (_, .notDetermined), (_, .servicesOff), (_, .noReport),
      (_, .staleReport), (_, .unreadable), (_, .cannotReportNoFix), (.strict, .cannotReport),
      (.strict, .whenInUse):
      return .block
    case (.standard, .cannotReport), (.standard, .whenInUse), (_, .accuracyReduced): return .warn
    default: return .advice
    }
  }

  /// What `override` excuses: an employee's own only where the policy takes reasons.
  func excused(by override: Override?) -> FindingSet {
    guard let override else { return [] }
    switch (override.author, selfOverride) {
    case (.manager, _), (.employee, .withReason): return override.findings
    case (.employee, .off): return []
    }
  }

  /// What a message about `kind` is: urgent where the phone cannot be located at all, or where no
  /// shift could begin so.
  func isUrgent(_ kind: IncidentKind) -> Bool {
    switch kind {
    case .restricted: true
    case .denied: true
    case .notDetermined: true
    case .servicesOff: true
    case .whenInUse: severity(of: .whenInUse) == .block
    case .accuracyReduced: severity(of: .accuracyReduced) == .block
    default: false
    }
  }
}
