public import ShiftDomain

/// What an administrator wishes otherwise in a policy. Whatever is not named stays as it is.
public struct PolicyChanges: Hashable, Sendable {
  /// The preset whose table replaces the severities, before single findings move.
  public var preset: Preset?
  /// Findings that move, each to its severity.
  public var severities: [Finding: Severity]
  /// Durations to be set.
  public var spans: [PolicySpan: TimeSpan]
  /// Whether an employee may override a block.
  public var selfOverride: SelfOverride?
  /// How accurate a fix must be to prove a position.
  public var accuracyMax: AccuracyChange?

  /// Changes; by default none.
  public init(
    preset: Preset? = nil, severities: [Finding: Severity] = [:],
    spans: [PolicySpan: TimeSpan] = [:], selfOverride: SelfOverride? = nil,
    accuracyMax: AccuracyChange? = nil
  ) {
    self.preset = preset
    self.severities = severities
    self.spans = spans
    self.selfOverride = selfOverride
    self.accuracyMax = accuracyMax
  }

  /// Whether nothing is named.
  public var isEmpty: Bool {
    preset == nil && severities.isEmpty && spans.isEmpty && selfOverride == nil
      && accuracyMax == nil
  }

  /// The first duration that no team may choose; `nil` when all will do.
  public var outOfRange: PolicySpan? {
    PolicySpan.allCases.first { name in
      guard let span = spans[name] else { return false }
      return !name.allows(span)
    }
  }
}

/// A change of how accurate a fix must be.
public enum AccuracyChange: Hashable, Sendable {
  /// Every fix proves a position.
  case off
  /// Those up to so many meters do; within `Policy.accuracyRange`.
  case meters(Int32)
}

extension Policy {
  /// The policy after `changes`. Their order does not matter: the preset comes first.
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
    switch changes.accuracyMax {
    case .none: break
    case .off: policy.accuracyMaxMeters = nil
    case .meters(let meters): policy.accuracyMaxMeters = meters
    }
    return policy
  }
}
