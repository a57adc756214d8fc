import HTTPAPI
import HTTPServing
import ManagerAccess
import OperationCore
import PeopleOperations
import ReadModels
import ShiftDomain

/// Asks for confirmation before an employee is erased.
struct ErasureView: FormView {
  var profile: EmployeeProfile
  var fault: HTML?
  var typed: FormFields?

  private var path: String { EmployeeTab.now.path(of: profile.employee) }

  var page: Page {
    Page(
      "Erase \(profile.name)", in: .board,
      below: [.board, Crumb(name: "\(profile.name)", path: "\(path)/data")],
      line: "<p>Number \(profile.employee.rawValue)</p>", fault: fault,
      """
      <div class="columns even"><div>\(consequences)</div><div>\(form)</div></div>
      """)
  }

  private var consequences: HTML {
    """
    <section aria-labelledby="deleted"><h2 id="deleted">What is deleted</h2>
    <ul class="items"><li>Name, team, e-mail address and phone number
    <li>Shifts, planned shifts, absences, times, breaks, corrections and notes
    <li>Positions, permission reports, interruptions and coverage
    <li>Clock actions, overrides and notifications
    <li>Phones, which are refused from then on
    <li>Audit entries about the employee</ul></section>
    <section aria-labelledby="remains"><h2 id="remains">What remains</h2>
    <ul class="items"><li>One audit entry: the employee’s number, who erased them, and when
    <li>Their login <a href="/settings/accounts">account</a>, if there is one: disable it separately
    <li>Notifications that were already sent, with their receivers
    <li>Backups of the database, until they are overwritten</ul></section>
    """
  }

  private var form: HTML {
    """
    <section class="card urgent" aria-labelledby="erase">
    <h2 id="erase">Erase employee \(profile.employee.rawValue)?</h2>
    <p>All data is deleted at once. This cannot be undone. If \(profile.name) asked for a copy, \
    export it first.</p>
    \(profile.openShift.map { warning(about: $0) })
    <form class="stack" method="post" action="\(path)/erase">
    <label for="confirmation">Type the name or the number to confirm</label>\
    <input id="confirmation" name="confirmation" required maxlength="100" autocomplete="off" \
    value="\(typed?["confirmation"])">
    <div class="row">\(button)<a class="button quiet" href="\(path)/data">Keep employee</a></div>\
    </form></section>
    """
  }

  private func warning(about shift: Int32) -> HTML {
    """
    <p>Shift \(shift) is open. It ends, and is deleted with the rest.</p>
    """
  }

  private var button: HTML {
    guard let shift = profile.openShift else { return "<button>Erase employee</button>" }
    return """
      <button name="endShift" value="yes">End shift \(shift) and erase employee</button>
      """
  }
}

extension PageController {
  /// Export and erasure of an employee.
  var erasureRoutes: [AccessRoute] {
    [
      form(
        "/employees/{employee}/export", .administrator, cost: .heavy, deadline: .seconds(120)
      ) {
        request, _, principal in
        .download(
          .archive(try await operations.people.archive(of: request.pathEmployee, by: principal)))
      },
      page("/employees/{employee}/erase", .administrator) { request, _ in
        .page(ErasureView(profile: try await operations.people.employee(request.pathEmployee)).page)
      },
      form("/employees/{employee}/erase", .administrator, deadline: .seconds(300)) {
        request, fields, principal in
        let profile = try await operations.people.employee(request.pathEmployee)
        var view = ErasureView(profile: profile, typed: fields)
        guard profile.isNamed(by: fields["confirmation"]) else {
          return view.refused("Nothing was deleted. Type the employee’s name or number to confirm.")
        }
        do {
          try await operations.people.erase(
            profile.employee, endsShift: fields["endShift"] == "yes", by: principal
          ).get()
        } catch {
          if case .shift(let shift) = Refusal(error)?.subject {
            view.profile.openShift = shift.number
          }
          return try view.refused(by: error)
        }
        return .seeOther("/settings/employees?erased=\(profile.employee.rawValue)")
      },
    ]
  }
}

extension EmployeeProfile {
  /// Whether `text` is the name or the number, with any spaces.
  fileprivate func isNamed(by text: String) -> Bool {
    let words = text.split(whereSeparator: \.isWhitespace)
    return words == name.split(whereSeparator: \.isWhitespace)
      || words.count == 1 && words[0] == String(employee.rawValue)
  }
}
