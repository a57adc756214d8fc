import HTTPAPI
import HTTPServing
import InstallationOperations
import ManagerAccess
import ManagerCore
import OperationCore
import PeopleOperations
import ReadModels
import ShiftDomain

extension PageController {
  var ownAccountRoutes: [AccessRoute] {
    [
      ownRoute(.get, "/account") { request, own in
        var view = try await ownAccount(own)
        view.done = request.queryValue("done").flatMap { CompletedOwnAction(rawValue: $0)?.text }
        return .page(view.page)
      },
      ownRoute(.post, "/account/contacts/{team}") { request, own in
        try await setOwnContact(
          of: request.pathTeam, by: own.principal, own.account, try FormFields(request),
          on: try await ownAccount(own))
      },
      route(.post, "/account/contacts/{team}/digest", .account, cost: .heavy) {
        request, principal in
        try await sendDigest(of: request.pathTeam, by: principal)
      },
      ownRoute(.post, "/account/browsers") { request, own in
        let fault = try await addBrowser(
          try FormFields(request), named: request.headers["User-Agent"] ?? "", of: own.account,
          in: own.session, by: own.principal)
        if let fault { return try await ownAccount(own).refusedContact(fault) }
        return .seeOther("/account?done=\(CompletedOwnAction.alertsOn.rawValue)")
      },
      ownRoute(.post, "/account/browsers/{browser}/remove") { request, own in
        try await removeBrowser(
          request.pathNumber("browser"), of: own.account, by: own.principal)
        return .seeOther("/account?done=\(CompletedOwnAction.alertsOff.rawValue)")
      },
      ownRoute(.post, "/account/password") { request, own in
        try await changePassword(own, try FormFields(request))
      },
      ownRoute(.post, "/account/sessions/end") { request, own in
        guard try FormFields(request).isSure else {
          return try await ownAccount(own).othersQuestion
        }
        try await operations.installation.endOtherSessions(
          than: own.session, of: own.account, by: own.principal)
        return .seeOther("/account?done=\(CompletedOwnAction.ended.rawValue)")
      },
      ownRoute(.post, "/account/sessions/{session}/end") { request, own in
        let (session, view) = (try request.pathSession, try await ownAccount(own))
        if let question = view.question(about: session), try !FormFields(request).isSure {
          return question
        }
        do {
          try await operations.installation.endSession(
            session, of: own.account, by: own.principal)
        } catch OperationError.notFound {
          // The session has already ended, or the button was pressed twice.
        }
        return .seeOther("/account?done=\(CompletedOwnAction.endedOne.rawValue)")
      },
    ]
  }

  private struct Own: Sendable {
    let account: AccountID
    let session: SessionID
    let principal: Principal
  }

  private func ownRoute(
    _ method: HTTPMethod, _ pattern: String,
    _ handle: @escaping @Sendable (HTTPRequest, Own) async throws -> PageAnswer
  ) -> AccessRoute {
    route(method, pattern, .account) { request, principal in
      guard let account = principal.account, let session = principal.session else {
        throw AccessFault.sessionRequired
      }
      return try await handle(
        request, Own(account: account, session: session, principal: principal))
    }
  }

  private func ownAccount(_ own: Own) async throws -> OwnAccountView {
    let teams = try await operations.people.teams()
    let zone =
      teams.first { own.principal.role == .administrator || own.principal.teams[$0.team] != nil }?
      .timeZone ?? "UTC"
    return OwnAccountView(
      row: try await operations.installation.account(own.account), teams: teams,
      contacts: try await ownContacts(of: own.account),
      sessions: try await operations.installation.sessions(of: own.account), current: own.session,
      browsers: try await browsers(of: own.account),
      pushKey: settings.pushKey,
      clock: try TeamClock(zone: zone, now: settings.now()), zone: zone)
  }

  private func changePassword(_ own: Own, _ fields: FormFields) async throws -> PageAnswer {
    let view = try await ownAccount(own)
    guard fields["wanted"] == fields["again"] else {
      return view.refused("The two new passwords are different.")
    }
    do {
      let session = try await operations.installation.changePassword(
        from: Password(fields["current"]), to: Password(fields["wanted"]), in: own.session,
        of: own.account
      ).get()
      return .seeOther("/account?done=password", cookie: SessionCookie.setting(session.secret))
    } catch {
      return try view.refused(by: error)
    }
  }
}
