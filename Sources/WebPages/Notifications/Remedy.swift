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
    if topic.isAlone { return nil }
    if topic.audience == .managers { return ways.hasContact ? nil : "\(add) \(contact)" }
    guard !ways.reachEmployee else { return nil }
    guard topic == .incident else { return "\(add) \(email)" }
    return ways.hasContact ? nil : either
  }

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
