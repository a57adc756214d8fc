import InsightOperations
import ManagerCore
import NotificationOperations
import ReadModels
import ShiftDomain

/// The pages of an employee, which link to each other as tabs. Each has its own address.
enum EmployeeTab: String, CaseIterable, Sendable {
  case now, shifts, devices, data

  fileprivate var name: HTML {
    switch self {
    case .now: "Now"
    case .shifts: "Shifts"
    case .devices: "Devices"
    case .data: "Data"
    }
  }

  func path(of employee: EmployeeID) -> String {
    let page = "/employees/\(employee.rawValue)"
    return self == .now ? page : "\(page)/\(rawValue)"
  }
}

/// What the pages of an employee have in common: the head and the tabs.
struct EmployeeFrame: Sendable {
  var row: EmployeeProfile
  var team: TeamRow
  /// Whether the viewer may edit the employee and enrol phones.
  var mayEdit: Bool
  var done: CompletedEmployeeAction?
  /// How notifications about the employee can be sent; `nil`: not known on this tab.
  var ways: NotificationWays?
  var isMailSetUp = true
  /// What is special about a planned time, because the clock changes.
  var clockRemark: ClockRemark?
  var undo: PageHead.Undo?

  init(_ employee: EmployeeAndTeam, for principal: Principal) {
    (row, team) = (employee.row, employee.team)
    mayEdit = principal.role == .administrator
  }

  var isActive: Bool { row.deactivatedAt == nil }

  /// The page of all tabs but *Now*, and the start of all forms.
  var path: String { EmployeeTab.now.path(of: row.employee) }

  func page(_ tab: EmployeeTab, fault: HTML? = nil, _ body: HTML) -> Page {
    let title = tab == .now ? "" : "\(tab.rawValue.capitalizedFirst) of "
    let head = PageHead(
      way: [.board, Crumb(name: "\(team.name)", path: "/?team=\(team.team.rawValue)")],
      title: "\(row.name)",
      line: """
        <p>Number \(row.employee.rawValue) · \(team.name)\
        \(" · <b>Inactive</b>", if: row.deactivatedAt != nil)\(rehearsal)</p>
        """,
      done: done.map { done in
        clockRemark.map { "\(done.text(ways)) \($0.text)" } ?? done.text(ways)
      }, undo: undo, fault: fault)
    return Page(
      title: title + row.name, section: .board, content: "\(head.html)\n\(tabs(tab))\n\(body)")
  }

  /// Only administrators see practice employees.
  private var rehearsal: HTML? {
    row.practiceUntil.map { _ in
      " · <a href=\"/settings/rehearsals/\(row.employee.rawValue)\">Rehearsal</a>"
    }
  }

  private func tabs(_ current: EmployeeTab) -> HTML {
    let links = EmployeeTab.allCases.map { tab -> HTML in
      """
      <li><a href="\(tab.path(of: row.employee))"\(" aria-current=\"page\"", if: tab == current)>\
      \(tab.name)</a>
      """
    }
    return """
      <nav class="shortcuts" aria-label="Pages of the employee"><ul>\(links)</ul></nav>
      """
  }
}

/// What a form on an employee's page did; stands in the address of the page shown after it.
enum CompletedEmployeeAction: String, Sendable {
  case given, withdrawn, opened, dismissed, undismissed, planned, replanned, unplanned, waiting
  case accepted, added, saved, revoked, deactivated, reactivated, reminded
  case absenceAdded, absenceRemoved

  /// - Parameter ways: How the employee can be notified; `nil`: not known.
  func text(_ ways: NotificationWays?) -> HTML {
    switch self {
    case .given: "Override given: its findings do not block one clock-in within 12 hours."
    case .withdrawn: "Override withdrawn."
    case .opened: "Shift opened. \(notified(ways))"
    case .accepted: "Shift accepted. \(notified(ways))"
    case .dismissed: "Clock action dismissed. No shift was changed."
    case .undismissed: "Dismissal undone."
    case .planned: "Shift planned."
    case .replanned: "Planned shift changed."
    case .unplanned: "Planned shift removed."
    case .absenceAdded: "Absence added."
    case .absenceRemoved: "Absence removed."
    case .waiting: "Shift opened. The employee must confirm it. \(notified(ways))"
    case .added: "Employee added."
    case .saved: "Changes saved."
    case .deactivated:
      "Employee deactivated. They cannot clock in, and the board and the lists leave them out."
    case .reactivated: "Employee reactivated. Enrol their phone with a new code."
    case .reminded: "Reminder queued. It is sent at once."
    case .revoked: "Phone revoked. It can no longer send or read anything."
    }
  }
}
