import ReadModels
import ShiftDomain

/// What lets notifications about an employee arrive: an address for the employee, or a contact of
/// the team. Only administrators can open the page on which an employee gets an address.
struct NotificationRemedy: Sendable {
  var employee: EmployeeID
  var team: TeamID
  var mayEdit: Bool
  var isMailSetUp: Bool

  /// After “Not delivered”, for what goes to the employee or to managers as `ways` allow; `nil` if
  /// it can be sent.
  func text(for topic: NotificationTopic, _ ways: NotificationWays) -> HTML? {
    guard !ways.serve(topic) else { return nil }
    if topic.audience == .managers { return "\(add) \(contact)" }
    return topic == .incident ? either : own
  }

  /// A way to the employee alone.
  var own: HTML { isMailSetUp ? "\(add) \(email)" : mail }

  /// Both ways.
  var either: HTML {
    isMailSetUp ? "\(own) or \(contact)" : "\(mail) or add \(contact)"
  }

  private var mail: HTML {
    mayEdit
      ? "set up <a href=\"/settings/channels\">e-mail</a>"
      : "an administrator can set up e-mail"
  }

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

extension PageController {
  var isMailSetUp: Bool { settings.setUpChannels()?.contains(.email) ?? true }

  /// Those of the ways for which this process has a channel.
  func usable(_ ways: NotificationWays) -> NotificationWays {
    guard let channels = settings.setUpChannels() else { return ways }
    var ways = ways
    ways.hasEmail = ways.hasEmail && channels.contains(.email)
    ways.hasPush = ways.hasPush && !channels.isDisjoint(with: [.apns, .fcm, .webPush])
    return ways
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
