import GuardRules
import ShiftDomain

// The settings of a policy, explained for administrators.

extension PolicySpan {
  var title: HTML {
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
    case .lateAfter: "Late after"
    case .noShowAfter: "No-show after"
    }
  }

  var explanation: HTML {
    switch self {
    case .freshFor: "An older permission report does not count at clock-in."
    case .debounce: "Interruptions shorter than this cause no notification."
    case .pingInterval:
      "A phone is treated as silent after three missed intervals (at least two minutes)."
    case .maxRest: "How long a phone that does not move may stay silent, if it announced this."
    case .breakMax: "After this time, the employee is asked whether the break is still going on."
    case .shiftMax: "After this time, the shift ends automatically and needs a review."
    case .reminderAfter:
      "After this time, an employee without a planned shift is reminded to clock out."
    case .emailAfter: "A notification that was not acknowledged is repeated by e-mail."
    case .managersAfter: "Managers are notified if the problem still exists after this time."
    case .cooldown:
      "Minimum time between notifications about the same cause, unless it gets worse."
    case .lateAfter:
      """
      Managers are notified if there is no clock-in for this time after the planned start. 0 means \
      never.
      """
    case .noShowAfter:
      """
      Managers are notified that the employee has not come, at the planned end at the latest. 0 \
      means never.
      """
    }
  }
}

extension Preset {
  var name: HTML {
    switch self {
    case .standard: "Standard"
    case .strict: "Strict"
    case .advisory: "Advisory"
    }
  }

  var explanation: HTML {
    switch self {
    case .standard: "A missing permission blocks, “while in use” warns, “always” is allowed."
    case .strict: "Any permission other than “always” blocks."
    case .advisory: "Nothing blocks; the app only gives advice."
    }
  }
}

extension Severity {
  var name: HTML {
    switch self {
    case .advice: "advises"
    case .warn: "warns"
    case .block: "blocks"
    }
  }
}
