import HTTPAPI
import HTTPServing
import ManagerOperations
import OperationCore
import ShiftDomain

extension PageController {
  var teamRoutes: [AccessRoute] {
    let one = "/settings/teams/{team}/edit"
    return [
      page("/settings/teams", .administrator) { request, _ in
        var view = TeamsView(teams: try await operations.teams())
        view.done = request.queryValue("done") == "saved" ? "Saved." : nil
        return .page(view.page)
      },
      form("/settings/teams", .administrator) { _, fields, principal in
        try await addTeam(fields, principal)
      },
      page(one, .administrator) { request, _ in
        .page(TeamView(team: try await operations.team(request.pathTeam)).page)
      },
      form(one, .administrator) { request, fields, principal in
        try await changeTeam(request, fields, principal)
      },
    ]
  }

  private func addTeam(_ fields: FormFields, _ principal: Principal) async throws -> PageAnswer {
    let view = TeamsView(teams: try await operations.teams(), typed: fields)
    guard let preset = Preset(code: fields["preset"]) else {
      return view.refused("Choose a valid policy preset.")
    }
    do {
      let outcome = try await operations.addTeam(
        name: fields["name"], timeZone: fields["zone"], preset: preset, by: principal)
      if case .kept = outcome { return .seeOther("/settings/teams?done=saved") }
      return view.refused(outcome.sentence)
    } catch OperationError.invalid {
      return view.refused("The name must have 1 to 100 characters.")
    }
  }

  private func changeTeam(_ request: HTTPRequest, _ fields: FormFields, _ principal: Principal)
    async throws -> PageAnswer
  {
    let team = try request.pathTeam
    var view = TeamView(team: try await operations.team(team), typed: fields)
    do {
      let outcome = try await operations.changeTeam(
        team, name: fields["name"], timeZone: fields["zone"], matching: [fields["tag"]],
        by: principal)
      if case .kept = outcome { return .seeOther("/settings/teams?done=saved") }
      if case .changedMeanwhile(let row) = outcome { view = TeamView(team: row) }
      return view.refused(outcome.sentence)
    } catch OperationError.invalid {
      return view.refused("The name must have 1 to 100 characters.")
    }
  }
}

extension TeamOutcome {
  fileprivate var sentence: HTML {
    switch self {
    case .kept: "Saved."
    case .nameTaken: "Another team already has this name."
    case .noTimeZone: "Enter a valid IANA time zone."
    case .changedMeanwhile:
      "The team has changed since you opened the page. The current values are shown."
    }
  }
}
