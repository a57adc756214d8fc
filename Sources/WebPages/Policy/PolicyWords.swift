import GuardRules
import Guidance
import ShiftDomain

// The settings of a policy, explained for administrators.

extension PolicySpan {
  /// The unit in which the form has it. The API and `guardctl` have seconds.
  var unit: SpanUnit {
    switch self {
    case .debounce, .pingInterval: .seconds
    case .shiftMax, .reminderAfter: .hours
    default: .minutes
    }
  }

  /// The name of its field. It includes the unit, so that a form from before, in seconds, is not
  /// taken for one in minutes.
  var fieldName: String { "\(name)-\(unit.symbol)" }

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
      "Minimum time between two pushes, e-mails or messages to managers of the same kind."
    case .massSilenceWait:
      """
      If most phones fall silent at the same time, something in front of the service probably \
      fails. Notifications about it wait for this time, so that it can be fixed first. 0 means no \
      wait.
      """
    case .hiddenReminderAfter:
      """
      A browser page tracks only while it is on the screen. After this time out of view, outside \
      breaks, the employee is reminded, once a shift. 0 means never.
      """
    case .lateAfter:
      """
      Managers are notified if there is no clock-in for this time after the planned start. 0 means \
      never.
      """
    case .noShowAfter:
      """
      Managers are notified of a no-show, at the planned end at the latest. 0 means never.
      """
    case .earlyWindow:
      """
      How long before a planned shift an employee may clock in for it. Before that it is too \
      early, if that finding is not ignored.
      """
    case .awayAfter:
      """
      Employees whose positions in a shift have all been outside every site for this time are \
      told so, and the board and the shift show it. It is no interruption. 0 means never. A change \
      is valid for shifts that begin after it.
      """
    }
  }
}

extension Preset {
  var name: HTML { "\(label)" }

  var explanation: HTML {
    switch self {
    case .standard: "A missing permission blocks, “while in use” warns, “always” is allowed."
    case .strict: "Any permission other than “always” blocks."
    case .advisory: "Nothing blocks; the app only gives advice."
    }
  }
}

extension Severity {
  var name: HTML { "\(label)" }
}
