import APIJSON
import Guidance
import HTTPAPI
import HTTPServing
import InsightOperations
import JSONText
import ManagerAccess
import ManagerCore
import NotificationOperations
import ReadModels
import ShiftDomain

extension ManagerController {
  /// The account as a contact of its teams, and what the weekly digest says.
  var ownContactRoutes: [AccessRoute] {
    let one = "/v1/account/contacts/{team}"
    return [
      route(.get, "/v1/account/contacts", .account) { (_, principal) in
        let contacts = try await operations.notifications.contacts(of: principal.ownAccount)
          .sorted { $0.key.rawValue < $1.key.rawValue }
        return .object([
          "contacts": JSONValue(contacts) { team, contact in
            contact.json(for: principal).adding(["team": JSONValue(team.rawValue)])
          }
        ])
      },
      route(.put, one, .account) { (request, principal) in
        let changes = try ContactChanges(JSONValue(parsing: request.body))
        let team = try request.pathTeam
        let added = try await operations.notifications.addContact(
          principal.ownAccount, to: team, by: principal
        ).get()
        let changed = try await operations.notifications.changeContact(
          added.contact.number, of: team, by: principal
        ) { changes.apply(to: &$0) }.get()
        return .object(changed.contact.json(for: principal))
      },
      route(.delete, one, .account) { (request, principal) in
        try await operations.notifications.removeContact(
          principal.ownAccount, from: request.pathTeam, by: principal)
        return HTTPResponse(status: 204)
      },
      route(.post, one + "/digest", .account, cost: .heavy) { (request, principal) in
        let team = try request.pathTeam
        let own = try await operations.notifications.contact(of: principal.ownAccount, in: team)
        guard let own else {
          // They learn nothing about the team.
          return .object(try DigestCopyOutcome.noContact(team).get().json(for: principal))
        }
        let contact = try await operations.notifications.send(
          operations.insight.lastWeek(of: team), toContact: own.number, by: principal
        ).get()
        return .object(contact.json(for: principal), status: 202)
      },
      route(.get, "/v1/teams/{team}/weekly-digest", .team(.coverage), cost: .heavy) {
        (request, _) in
        let digest = try await operations.insight.lastWeek(of: request.pathTeam)
        return .object(digest.json(in: .english, linkedTo: nil))
      },
    ]
  }
}

extension Principal {
  fileprivate var ownAccount: AccountID {
    get throws(AccessFault) {
      guard let account else { throw .sessionRequired }
      return account
    }
  }
}
