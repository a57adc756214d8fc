import HTTPAPI
import HTTPServing
import ManagerCore
import NotificationOperations
import OperationCore
import ReadModels
import ShiftDomain

extension PageController {
  /// The contacts that the account is, by team.
  func ownContacts(of account: AccountID) async throws -> [TeamID: TeamContact] {
    try await operations.notifications.contacts(of: account)
  }

  /// The tick, or the choices of the own contact.
  func setOwnContact(
    of team: TeamID, by principal: Principal, _ account: AccountID, _ fields: FormFields,
    on page: OwnAccountView
  ) async throws -> PageAnswer {
    var view = page
    let completed: CompletedContactAction
    do {
      if fields["choices"] == "on", let contact = view.contacts[team] {
        view.changing = (team, fields)
        guard let choices = ContactChoices(fields) else {
          return view.refusedContact(ContactChoices.unreadableQuietHours)
        }
        _ = try await operations.notifications.changeContact(
          contact.number, of: team, by: principal
        ) { $0 = $0.changed(to: choices, language: fields["language"]) }.get()
        completed = .changed
      } else {
        completed = try await setContact(account, fields, of: team, by: principal)
      }
    } catch let error as Refusal {
      return view.refusedContact(error.html)
    }
    return .seeOther(
      fields["back"] == "team"
        ? completed.place(of: team) : "/account?done=\(CompletedOwnAction(completed).rawValue)")
  }
}
