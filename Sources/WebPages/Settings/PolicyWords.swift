import GuardRules
import ShiftDomain

// What every knob of a policy does, for those who turn it.

extension PolicySpan {
  var title: HTML {
    switch self {
    case .freshFor: "A report is fresh for"
    case .debounce: "Wait before telling"
    case .pingInterval: "A position every"
    case .maxRest: "Longest announced rest"
    case .breakMax: "Longest break"
    case .shiftMax: "Longest shift"
    case .reminderAfter: "Remind of clocking out after"
    case .emailAfter: "E-mail after"
    case .managersAfter: "Managers after"
    case .messageCooldown: "Silence between messages"
    }
  }

  var explanation: HTML {
    switch self {
    case .freshFor: "An older word of the phone's permission does not count at clock-in."
    case .debounce: "What heals within this time is a flicker, and nobody is told."
    case .pingInterval:
      "Three of these without a word, two minutes at least, and the phone is silent."
    case .maxRest: "So long a phone that does not move may say nothing, if it said so before."
    case .breakMax: "Then the employee is asked whether the break still goes on."
    case .shiftMax: "Then tracking ends by itself, and somebody is to look at the shift."
    case .reminderAfter: "Then the employee is asked whether clocking out was forgotten."
    case .emailAfter: "A message that nobody acknowledged is repeated by e-mail."
    case .managersAfter: "Managers are told of what still holds then."
    case .messageCooldown: "So long nobody is told of the same cause again, unless it is worse."
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
    case .standard: "No permission blocks, only while in use warns, always passes."
    case .strict: "Anything but always blocks."
    case .advisory: "Nothing ever blocks; the guard only guides."
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
