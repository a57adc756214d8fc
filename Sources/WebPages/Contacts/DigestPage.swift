import Guidance
import HTTPAPI
import HTTPServing
import InsightOperations
import ManagerCore
import NotificationOperations
import OperationCore
import ReadModels
import ShiftDomain

extension PageController {
  /// The digest of the last week as it would be sent now.
  var digestRoute: AccessRoute {
    page("/settings/teams/{team}/digest", .team(.coverage), cost: .heavy) { request, principal in
      var view = try await digestView(of: request.pathTeam, for: principal)
      if request.queryValue("done") == "sent" {
        view.done = "The digest is on its way to \(view.contact?.address)."
      }
      return .page(view.page)
    }
  }

  /// Sends it to the own mailbox.
  func sendDigest(of team: TeamID, by principal: Principal) async throws -> PageAnswer {
    guard let account = principal.account,
      let own = try await operations.notifications.contact(of: account, in: team)
    else {
      // The tick that is missing is there.
      return .seeOther("/account")
    }
    let view = try await digestView(of: team, for: principal)
    do {
      _ = try await operations.notifications.send(
        view.digest, toContact: own.number, by: principal
      ).get()
      return .seeOther("/settings/teams/\(team.rawValue)/digest?done=sent")
    } catch {
      return try view.refused(by: error)
    }
  }

  private func digestView(of team: TeamID, for principal: Principal) async throws -> DigestView {
    var view = DigestView(digest: try await operations.insight.lastWeek(of: team))
    if let account = principal.account {
      view.contact = try await operations.notifications.contact(of: account, in: team)
    }
    return view
  }
}

private struct DigestView: FormView {
  var digest: TeamDigest
  /// The contact that the viewer is; `nil`: none.
  var contact: TeamContact?
  var done: HTML?
  var fault: HTML?

  private var team: String { "/settings/teams/\(digest.team.rawValue)" }

  var page: Page {
    Page(
      setting: "Weekly digest", below: Crumb(name: "\(digest.name)", path: "\(team)"),
      line: "<p>What contacts with this topic get by e-mail on Mondays at 08:00</p>", done: done,
      fault: fault,
      """
      <section class="card" aria-labelledby="text">\(digest.shifts > 0 ? text : none)</section>
      \(sending)
      """)
  }

  private var text: HTML {
    let text = digestText(
      digest.text(linkedTo: nil), in: contact.flatMap { Language(code: $0.language) } ?? .english)
    let lines = text.body.split(separator: "\n").map { "<p>\(String($0))</p>\n" as HTML }
    let causes = text.steps.map { "<li>\($0)" as HTML }
    return """
      <h2 id="text">\(text.title)</h2>
      \(lines)\(causes.isEmpty ? nil : "<ul>\(causes)</ul>" as HTML)
      """
  }

  private var none: HTML {
    """
    <h2 id="text">Last week</h2>
    <p class="aside">No shift began in it, so no digest is sent.</p>
    """
  }

  private var sending: HTML {
    let action = "/account/contacts/\(digest.team.rawValue)"
    guard let contact else {
      return """
        <p><a href="/account">Let yourself be notified</a> to send it to yourself.</p>
        """
    }
    return """
      <form method="post" action="\(action)/digest"><div class="row">\
      <button>Send it to me now</button></div>
      <p class="aside">It goes to \(contact.address).</p></form>
      """
  }
}
