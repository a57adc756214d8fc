import ReadModels
import ShiftDomain

/// What lets notifications about an employee arrive: an address for the employee, or a contact of
/// the team. Only administrators can open the page on which an employee gets an address.
struct NotificationRemedy: Sendable {
  var employee: EmployeeID
  var team: TeamID
  var mayEdit: Bool

  /// After “Not delivered”, for what goes to the employee or to managers as `ways` allow; `nil` if
  /// it can be sent.
  func text(for topic: NotificationTopic, _ ways: NotificationWays) -> HTML? {
    guard !ways.serve(topic) else { return nil }
    if topic.audience == .managers { return "\(add) \(contact)" }
    return topic == .incident ? either : own
  }

  /// A way to the employee alone.
  var own: HTML { "\(add) \(email)" }

  /// Both ways.
  var either: HTML { "\(add) \(email) or \(contact)" }

  private var add: HTML { mayEdit ? "add" : "an administrator can add" }

  private var email: HTML {
    mayEdit
      ? "an <a href=\"\(EmployeeTab.data.path(of: employee))\">e-mail address</a>"
      : "an e-mail address"
  }

  private var contact: HTML {
    "a <a href=\"/settings/teams/\(team.rawValue)/contacts\">contact</a>"
  }
}

/// After what was done to the employee's times.
/// - Parameter ways: `nil`: not known.
func notified(_ ways: NotificationWays?) -> HTML {
  switch ways?.reachEmployee {
  case true?: "The employee is notified."
  case false?:
    "The employee sees it when the app is opened: no push or e-mail is set up."
  case nil: "The employee sees it in the app."
  }
}
