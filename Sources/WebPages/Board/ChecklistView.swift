import HTTPAPI
import HTTPServing
import InstallationOperations
import ManagerCore
import ReadModels
import ShiftDomain

extension PageController {
  var checklistRoute: AccessRoute {
    form("/checklist/dismiss", .administrator) { _, _, principal in
      try await operations.installation.dismissChecklist(by: principal)
      return .seeOther("/")
    }
  }

  /// `nil` for managers, and once it was dismissed.
  func checklist(for principal: Principal) async throws -> Checklist? {
    guard principal.role == .administrator else { return nil }
    var checklist = try await operations.installation.checklist()
    let channels = settings.setUpChannels() ?? []
    if !channels.subtracting([.webhook]).isEmpty { checklist?.done.insert(.channels) }
    return checklist
  }
}

extension Checklist {
  /// Folded once employees are tracked: then the board comes first.
  var html: HTML {
    let rows = Step.allCases.map { step -> HTML in
      let isDone = done.contains(step)
      let words = words(of: step)
      let why: HTML? = isDone ? nil : "<p class=\"aside\">\(words.why)</p>"
      return """
        <li\(" class=\"did\"", if: isDone)><h3><a href="\(words.path)">\(words.title)</a></h3>\
        <span class="hidden">\(isDone ? " Done" : " Not done yet")</span>\
        \(why)

        """
    }
    return """
      <details class="card checklist"\(" open", if: !done.contains(.position))>
      <summary><h2>Set up ShiftGuard</h2> <span class="aside">\(done.count) of \
      \(Step.allCases.count) done</span></summary>
      <ol class="steps acts">\(rows)</ol>
      <form method="post" action="/checklist/dismiss"><div class="row">\
      <button class="quiet small">Dismiss checklist</button></div></form></details>
      """
  }

  private func words(of step: Step) -> (title: HTML, why: HTML, path: HTML) {
    let person: HTML = employee.map { "/employees/\($0.rawValue)" } ?? "/settings/employees"
    return switch step {
    case .team: ("Add a team", "With its time zone and its rules.", "/settings/teams")
    case .employee:
      ("Add an employee", "One is enough to begin; later import the others.", "/settings/employees")
    case .phone:
      (
        "Connect a phone",
        "Create an enrolment code on the employee’s page. The phone scans it or opens the address.",
        employee == nil ? person : "\(person)/devices"
      )
    case .position:
      (
        "Track a first minute", "On the phone, allow location and clock in. The board shows it.",
        person
      )
    case .contact:
      (
        "Add a contact", "Managers are notified only if they are contacts of the team.",
        team.map { "/settings/teams/\($0.rawValue)/contacts" } ?? "/settings/teams"
      )
    case .channels:
      (
        "Set up push or e-mail", "Otherwise notifications are seen in the open app only.",
        "/settings/channels"
      )
    case .privacyNotice:
      (
        "Publish a privacy notice", "Employees read it when they connect their phone.",
        "/settings/privacy-notice"
      )
    case .rehearsal:
      (
        "Rehearse a working day", "With your own phone, in minutes, before employees do.",
        "/settings/rehearsals"
      )
    }
  }
}
