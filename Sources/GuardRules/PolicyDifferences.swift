public import ShiftDomain

/// A setting of a policy, for code that handles all of them.
public enum PolicySetting: Hashable, Sendable {
  case preset
  case severity(Finding)
  case span(PolicySpan)
  case accuracyMax
  case selfOverride
  case opensPlannedShifts

  /// Every setting, in the order in which they are listed.
  public static let all: [PolicySetting] =
    [.preset] + FindingSet.all.ranked.map { .severity($0) }
    + PolicySpan.allCases.map { .span($0) } + [.accuracyMax, .selfOverride, .opensPlannedShifts]

  /// Its place in the JSON of a policy: `/severities/denied`.
  public var pointer: String {
    switch self {
    case .preset: "/preset"
    case .severity(let finding): "/severities/\(finding.code)"
    case .span(let span): "/\(span.name)"
    case .accuracyMax: "/accuracyMax"
    case .selfOverride: "/selfOverride"
    case .opensPlannedShifts: "/opensPlannedShifts"
    }
  }
}

public enum PolicyValue: Hashable, Sendable {
  case preset(Preset)
  case severity(Severity)
  case span(TimeSpan)
  /// `nil`: no limit.
  case meters(Int32?)
  case selfOverride(SelfOverride)
  case flag(Bool)
}

/// A setting in which two policies differ.
public struct PolicyDifference: Hashable, Sendable {
  public var setting: PolicySetting
  public var former: PolicyValue
  public var new: PolicyValue

  public init(_ setting: PolicySetting, from former: PolicyValue, to new: PolicyValue) {
    self.setting = setting
    self.former = former
    self.new = new
  }
}

extension Policy {
  public subscript(setting: PolicySetting) -> PolicyValue {
    switch setting {
    case .preset: .preset(preset)
    case .severity(let finding): .severity(severities[finding])
    case .span(let span): .span(self[span])
    case .accuracyMax: .meters(accuracyMaxMeters)
    case .selfOverride: .selfOverride(selfOverride)
    case .opensPlannedShifts: .flag(opensPlannedShifts)
    }
  }

  /// What was changed from `former` to this policy; empty if both are equal.
  public func differences(from former: Policy) -> [PolicyDifference] {
    PolicySetting.all.compactMap { setting in
      former[setting] == self[setting]
        ? nil : PolicyDifference(setting, from: former[setting], to: self[setting])
    }
  }
}
