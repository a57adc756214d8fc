import HTTPAPI
import HTTPServing
import InstallationOperations
import ManagerCore
import OperationCore
import PeopleOperations
import ShiftDomain

extension PageController {
  var tokenRoutes: [AccessRoute] {
    [
      page("/settings/tokens", .administrator) { request, _ in
        var view = try await tokens()
        view.done = request.queryValue("done") == "revoked" ? "Token revoked." : nil
        return .page(view.page)
      },
      form("/settings/tokens", .administrator) { _, fields, principal in
        try await makeToken(fields, principal)
      },
      form("/settings/tokens/{token}/revoke", .administrator) { request, fields, principal in
        let number: Int32 = try request.pathNumber("token")
        guard fields.isSure else {
          let row = try await operations.installation.apiTokens().first { $0.number == number }
          guard let row, row.revokedAt == nil else { throw PageNotFound() }
          return row.revocationQuestion
        }
        try await operations.installation.revokeAPIToken(number, by: principal)
        return .seeOther("/settings/tokens?done=revoked")
      },
    ]
  }

  private func tokens() async throws -> TokensView {
    let (teams, now) = (try await operations.people.teams(), settings.now())
    return TokensView(
      teams: teams, tokens: try await operations.installation.apiTokens(),
      clock: try TeamClock(zone: teams.first?.timeZone ?? "UTC", now: now), now: now)
  }

  private func makeToken(_ fields: FormFields, _ principal: Principal) async throws -> PageAnswer {
    var view = try await tokens()
    view.name = fields["name"]
    guard let life = Int32(fields["days"]).flatMap({ TokenLife(rawValue: $0) }),
      let access = AccessPicker(fields)
    else {
      return view.refused("Choose a valid role, teams and lifetime.")
    }
    (view.life, view.access) = (life, access)
    guard !view.name.allSatisfy(\.isWhitespace), view.name.unicodeScalars.count <= 100 else {
      return view.refused("Enter a name of 1 to 100 characters.")
    }
    do {
      let made = try await operations.installation.createAPIToken(
        name: view.name, role: access.role, teams: access.teams,
        validFor: .hours(24 * Int64(life.rawValue)), by: principal)
      view = try await tokens()
      view.made = made
      return .page(view.page)
    } catch OperationError.notFound {
      return view.refused("This team does not exist.")
    } catch {
      return try view.refused(by: error)
    }
  }
}
