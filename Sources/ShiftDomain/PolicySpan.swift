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
  case earlyWindow
  case awayAfter

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
    case .earlyWindow: "earlyWindow"
    case .awayAfter: "awayAfter"
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
    case .hiddenReminderAfter, .earlyWindow: .zero...(.hours(4))
    case .lateAfter, .noShowAfter: .zero...(.hours(12))
    case .awayAfter: .zero...(.hours(2))
    }
  }

  /// The shortest one above zero, which turns it off; `nil`: every one in the range is allowed.
  public var shortest: TimeSpan? { self == .awayAfter ? .minutes(5) : nil }

  /// Whether a team may choose `span`: within the range, in whole seconds.
  public func allows(_ span: TimeSpan) -> Bool {
    let isLongEnough = shortest.map { span == .zero || span >= $0 } ?? true
    return range.contains(span) && isLongEnough && span.milliseconds % 1_000 == 0
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
      case .earlyWindow: earlyWindow
      case .awayAfter: awayAfter
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
      case .earlyWindow: earlyWindow = newValue
      case .awayAfter: awayAfter = newValue
      }
    }
  }
}
