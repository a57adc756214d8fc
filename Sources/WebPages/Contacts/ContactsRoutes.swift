import GuardRules
import Guidance
import HTTPAPI
import HTTPServing
import ManagerCore
import NotificationOperations
import OperationCore
import ReadModels
import ShiftDomain

extension PageController {
  var contactsRoutes: [AccessRoute] {
    let all = "/settings/teams/{team}/contacts"
    return [
      page(all, .team(.coverage)) { request, principal in
        var view = try await contactsView(in: request, for: principal)
        if let key = request.queryValue("test"), principal.role == .administrator {
          view.test = try await shownTest(key, of: view.team.team)
        }
        view.done =
          request.queryValue("done").flatMap { CompletedContactAction(rawValue: $0) }?.text
        return .page(view.page)
      },
      form(all, .administrator) { request, fields, principal in
        try await addContact(request, fields, principal)
      },
      form(all + "/{contact}/remove", .administrator) { request, fields, principal in
        let number = try request.pathContact
        var view = try await contactsView(in: request, for: principal)
        guard let contact = view.contacts.first(where: { $0.number == number }) else {
          throw PageNotFound()
        }
        guard fields.isSure else {
          view.removing = contact
          return .page(view.page)
        }
        let team = view.team.team
        try await operations.notifications.removeContact(number, from: team, by: principal)
        return .seeOther("/settings/teams/\(team.rawValue)/contacts?done=removed")
      },
      form(all + "/{contact}", .administrator) { request, fields, principal in
        try await changeContact(request, fields, principal)
      },
      form(all + "/accounts/{account}", .administrator) { request, fields, principal in
        let (team, account) = (try request.pathTeam, try request.pathAccount)
        do {
          return .seeOther(
            try await setContact(account, fields, of: team, by: principal).place(of: team))
        } catch {
          return try await contactsView(in: request, for: principal).refused(by: error)
        }
      },
      form(all + "/{contact}/test", .administrator) { request, _, principal in
        let (team, number) = (try request.pathTeam, try request.pathContact)
        do {
          let test = try await operations.notifications.sendTest(
            toContact: number, of: team, by: principal
          ).get()
          return .seeOther("/settings/teams/\(team.rawValue)/contacts?test=\(test.id.key)")
        } catch {
          return try await contactsView(in: request, for: principal).refused(by: error)
        }
      },
    ]
  }

  private func contactsView(in request: HTTPRequest, for principal: Principal) async throws
    -> ContactsView
  {
    let read = try await operations.notifications.contactsPage(of: request.pathTeam)
    return ContactsView(
      team: read.team, policy: read.policy, contacts: read.contacts, accounts: read.accounts,
      principal: principal)
  }

  /// Does what the tick of an account says.
  func setContact(
    _ account: AccountID, _ fields: FormFields, of team: TeamID, by principal: Principal
  ) async throws -> CompletedContactAction {
    guard fields["contact"] == "on" else {
      try await operations.notifications.removeContact(account, from: team, by: principal)
      return .removed
    }
    _ = try await operations.notifications.addContact(account, to: team, by: principal).get()
    return .added
  }

  private func changeContact(
    _ request: HTTPRequest, _ fields: FormFields, _ principal: Principal
  ) async throws -> PageAnswer {
    let number = try request.pathContact
    var view = try await contactsView(in: request, for: principal)
    guard view.contacts.contains(where: { $0.number == number }) else { throw PageNotFound() }
    view.changing = (number, fields)
    guard let choices = ContactChoices(fields) else {
      return view.refused(ContactChoices.unreadableQuietHours)
    }
    do {
      _ = try await operations.notifications.changeContact(
        number, of: view.team.team, by: principal
      ) { $0 = $0.changed(to: choices, language: fields["language"]) }.get()
      return .seeOther(CompletedContactAction.changed.place(of: view.team.team))
    } catch {
      return try view.refused(by: error)
    }
  }

  /// `nil` for a test that is not there: its contact may have been removed.
  private func shownTest(_ key: String, of team: TeamID) async throws -> ContactTest? {
    guard let id = NotificationID(key: key), let contact = id.testedContact else { return nil }
    do {
      return try await operations.notifications.contactTest(
        id, toContact: contact, of: team, patience: settings.testPatience)
    } catch OperationError.notFound {
      return nil
    }
  }

  private func addContact(
    _ request: HTTPRequest, _ fields: FormFields, _ principal: Principal
  ) async throws -> PageAnswer {
    var view = try await contactsView(in: request, for: principal)
    view.typed = fields
    guard let way = Channel(code: fields["channel"]).flatMap({ ContactChannel($0) }) else {
      return view.refused("Choose \(ContactChannel.all.map(\.form).joined(separator: " or ")).")
    }
    let language = Language(code: fields["language"]) ?? .english
    do {
      let added = try await operations.notifications.addContact(
        fields["address"], through: way, language: language, to: view.team.team, by: principal
      ).get()
      guard let secret = added.secret else {
        return .seeOther("/settings/teams/\(view.team.team.rawValue)/contacts?done=added")
      }
      view = try await contactsView(in: request, for: principal)
      view.made = (added.contact, secret)
      view.done = "\(way.channel.name) added."
      return .page(view.page)
    } catch {
      return try view.refused(by: error)
    }
  }
}

/// What a form on the page did; stands in the address of the page shown after it.
enum CompletedContactAction: String, Sendable {
  case added, removed, changed

  var text: HTML {
    switch self {
    case .added: "Contact added. Send a test to see whether it arrives."
    case .removed: "Contact removed."
    case .changed: "Choices saved."
    }
  }

  func place(of team: TeamID) -> String {
    "/settings/teams/\(team.rawValue)/contacts?done=\(rawValue)"
  }
}
