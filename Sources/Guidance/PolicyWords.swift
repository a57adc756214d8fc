import GuardRules
import ShiftDomain

// The settings of a policy in words for managers and operators, on pages, in the audit log and in
// guardctl.

extension PolicySpan {
  package var label: String {
    switch self {
    case .freshFor: "Maximum age of a permission report"
    case .debounce: "Delay before notifying"
    case .pingInterval: "Position interval"
    case .maxRest: "Maximum announced rest"
    case .breakMax: "Maximum break"
    case .shiftMax: "Maximum shift"
    case .reminderAfter: "Clock-out reminder after"
    case .emailAfter: "E-mail after"
    case .managersAfter: "Notify managers after"
    case .cooldown: "Cooldown between notifications"
    case .massSilenceWait: "Wait while most phones are silent"
    case .hiddenReminderAfter: "Hidden-page reminder after"
    case .lateAfter: "Late after"
    case .noShowAfter: "No-show after"
    case .earlyWindow: "Early clock-in"
    case .awayAfter: "Away from site after"
    }
  }
}

extension PolicySpan {
  /// What is allowed: `1 to 9`, or `0, or 5 to 9`.
  /// - Parameter text: How a span is written.
  package func bounds(_ text: (TimeSpan) -> String) -> String {
    let (least, greatest) = (text(range.lowerBound), text(range.upperBound))
    return shortest.map { "\(least), or \(text($0)) to \(greatest)" } ?? "\(least) to \(greatest)"
  }
}

extension Preset {
  package var label: String {
    switch self {
    case .standard: "Standard"
    case .strict: "Strict"
    case .advisory: "Advisory"
    }
  }
}

extension Severity {
  /// What a finding does.
  package var label: String {
    switch self {
    case .ignore: "ignored"
    case .advice: "advises"
    case .warn: "warns"
    case .block: "blocks"
    }
  }
}

extension PolicySetting {
  package var label: String {
    switch self {
    case .preset: "Preset"
    case .severity(let finding): finding.label.capitalizedFirst
    case .span(let span): span.label
    case .accuracyMax: "Accuracy of a position"
    case .selfOverride: "Employees may override a block"
    case .opensPlannedShifts: "Planned shifts open by themselves"
    }
  }
}

extension PolicyValue {
  package var words: String {
    switch self {
    case .preset(let preset): preset.label
    case .severity(let severity): severity.label
    case .span(let span): span.unrounded
    case .meters(let meters): meters.map { "\($0) m" } ?? "no limit"
    case .selfOverride(let choice): choice == .withReason ? "yes" : "no"
    case .flag(let flag): flag ? "yes" : "no"
    }
  }
}

extension PolicyDifference {
  /// `Maximum shift: 16 h → 12 h`
  package var words: String { "\(setting.label): \(former.words) → \(new.words)" }
}
