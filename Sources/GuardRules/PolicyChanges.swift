public import ShiftDomain

/// An administrator's changes of a policy. Omitted settings stay.
public struct PolicyChanges: Hashable, Sendable {
  /// The preset that replaces all severities, before single findings change.
  public var preset: Preset?
  public var severities: [Finding: Severity]
  public var spans: [PolicySpan: TimeSpan]
  public var selfOverride: SelfOverride?
  public var opensPlannedShifts: Bool?
  /// The maximum accuracy radius of a fix that proves a position.
  public var accuracyMax: AccuracyChange?

  public init(
    preset: Preset? = nil, severities: [Finding: Severity] = [:],
    spans: [PolicySpan: TimeSpan] = [:], selfOverride: SelfOverride? = nil,
    accuracyMax: AccuracyChange? = nil, opensPlannedShifts: Bool? = nil
  ) {
    self.preset = preset
    self.severities = severities
    self.spans = spans
    self.selfOverride = selfOverride
    self.accuracyMax = accuracyMax
    self.opensPlannedShifts = opensPlannedShifts
  }

  public var isEmpty: Bool {
    preset == nil && severities.isEmpty && spans.isEmpty && selfOverride == nil
      && accuracyMax == nil && opensPlannedShifts == nil
  }

  /// The first duration outside its range; `nil` if all are allowed.
  public var outOfRange: PolicySpan? {
    PolicySpan.allCases.first { name in
      guard let span = spans[name] else { return false }
      return !name.allows(span)
    }
  }
}

public enum AccuracyChange: Hashable, Sendable {
  /// Every fix proves a position.
  case off
  /// Fixes up to this many meters do; within `Policy.accuracyRange`.
  case meters(Int32)
}

extension Policy {
  /// The policy after `changes`. Their order does not matter: the preset is applied first.
  public func changed(by changes: PolicyChanges) -> Policy {
    var policy = self
    if let preset = changes.preset {
      policy.preset = preset
      policy.severities = .table(of: preset)
    }
    for (finding, severity) in changes.severities {
      policy.severities = policy.severities.moving(finding, to: severity)
    }
    for (name, span) in changes.spans { policy[name] = span }
    if let selfOverride = changes.selfOverride { policy.selfOverride = selfOverride }
    if let opens = changes.opensPlannedShifts { policy.opensPlannedShifts = opens }
    switch changes.accuracyMax {
    case .none: break
    case .off: policy.accuracyMaxMeters = nil
    case .meters(let meters): policy.accuracyMaxMeters = meters
    }
    return policy
  }
}
