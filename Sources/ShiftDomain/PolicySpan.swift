/// A duration in a policy, for code that handles all of them.
public enum PolicySpan: CaseIterable, Hashable, Sendable {
  case freshFor
  case debounce
  case pingInterval
  case maxRest
  case breakMax
  case shiftMax
  case reminderAfter
  case emailAfter
  case managersAfter
  case cooldown
  case massSilenceWait
  case hiddenReminderAfter
  case lateAfter
  case noShowAfter

  /// Its name in JSON, where it is a number of seconds.
  public var name: String {
    switch self {
    case .freshFor: "freshFor"
    case .debounce: "debounce"
    case .pingInterval: "pingInterval"
    case .maxRest: "maxRest"
    case .breakMax: "breakMax"
    case .shiftMax: "shiftMax"
    case .reminderAfter: "reminderAfter"
    case .emailAfter: "emailAfter"
    case .managersAfter: "managersAfter"
    case .cooldown: "cooldown"
    case .massSilenceWait: "massSilenceWait"
    case .hiddenReminderAfter: "hiddenReminderAfter"
    case .lateAfter: "lateAfter"
    case .noShowAfter: "noShowAfter"
    }
  }

  /// The allowed range for a team; the schema has the same bounds.
  public var range: ClosedRange<TimeSpan> {
    switch self {
    case .freshFor: .seconds(1)...(.hours(24))
    case .debounce: .zero...(.seconds(3))
    case .pingInterval: .seconds(1)...(.hours(1))
    case .maxRest: .zero...(.hours(1))
    case .breakMax: .minutes(1)...(.hours(24))
    case .shiftMax: .hours(4)...(.hours(24))
    case .reminderAfter: .hours(1)...(.hours(24))
    case .emailAfter, .managersAfter, .cooldown: .zero...(.hours(24))
    case .massSilenceWait: .zero...(.minutes(10))
    case .hiddenReminderAfter: .zero...(.hours(4))
    case .lateAfter, .noShowAfter: .zero...(.hours(12))
    }
  }

  /// Whether a team may choose `span`: within the range, in whole seconds.
  public func allows(_ span: TimeSpan) -> Bool {
    range.contains(span) && span.milliseconds % 1_000 == 0
  }
}

extension Policy {
  public subscript(span: PolicySpan) -> TimeSpan {
    get {
      switch span {
      case .freshFor: freshFor
      case .debounce: debounce
      case .pingInterval: pingInterval
      case .maxRest: maxRest
      case .breakMax: breakMax
      case .shiftMax: shiftMax
      case .reminderAfter: reminderAfter
      case .emailAfter: emailAfter
      case .managersAfter: managersAfter
      case .cooldown: cooldown
      case .massSilenceWait: massSilenceWait
      case .hiddenReminderAfter: hiddenReminderAfter
      case .lateAfter: lateAfter
      case .noShowAfter: noShowAfter
      }
    }
    set {
      switch span {
      case .freshFor: freshFor = newValue
      case .debounce: debounce = newValue
      case .pingInterval: pingInterval = newValue
      case .maxRest: maxRest = newValue
      case .breakMax: breakMax = newValue
      case .shiftMax: shiftMax = newValue
      case .reminderAfter: reminderAfter = newValue
      case .emailAfter: emailAfter = newValue
      case .managersAfter: managersAfter = newValue
      case .cooldown: cooldown = newValue
      case .massSilenceWait: massSilenceWait = newValue
      case .hiddenReminderAfter: hiddenReminderAfter = newValue
      case .lateAfter: lateAfter = newValue
      case .noShowAfter: noShowAfter = newValue
      }
    }
  }
}
