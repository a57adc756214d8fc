import APIMessages
import HTTPServing
import ShiftDomain
import ShiftOperations

extension PageDesk {
  /// Teams by name and clock, for administrators.
  var teamRoutes: [Route] {
    let one = "/settings/teams/{team}/edit"
    return [
      page("/settings/teams") { request, _ in
        var view = TeamsView(teams: try await operations.teams())
        view.done = request.queryValue("done") == "saved" ? "Saved." : nil
        return .page(view.page)
      },
      form("/settings/teams") { _, fields, viewer in try await addTeam(fields, viewer) },
      page(one) { request, _ in
        .page(TeamView(team: try await operations.team(TeamID(in: request.parameters))).page)
      },
      form(one) { request, fields, viewer in try await changeTeam(request, fields, viewer) },
    ]
  }

  private func addTeam(_ fields: FormFields, _ viewer: Viewer) async throws -> PageAnswer {
    let view = TeamsView(teams: try await operations.teams(), typed: fields)
    guard let preset = Preset(code: fields["preset"]) else {
      return view.refused("A policy begins as none of these.")
    }
    do {
      let outcome = try await operations.addTeam(
        name: fields["name"], timeZone: fields["zone"], preset: preset, by: viewer)
      if case .kept = outcome { return .seeOther("/settings/teams?done=saved") }
      return view.refused(outcome.sentence)
    } catch OperationError.invalid {
      return view.refused("A name has 1 to 100 characters.")
    }
  }

  private func changeTeam(_ request: HTTPRequest, _ fields: FormFields, _ viewer: Viewer)
    async throws -> PageAnswer
  {
    let team = try TeamID(in: request.parameters)
    var view = TeamView(team: try await operations.team(team), typed: fields)
    do {
      let outcome = try await operations.changeTeam(
        team, name: fields["name"], timeZone: fields["zone"], matching: [fields["tag"]],
        by: viewer)
      if case .kept = outcome { return .seeOther("/settings/teams?done=saved") }
      if case .changedMeanwhile(let row) = outcome { view = TeamView(team: row) }
      return view.refused(outcome.sentence)
    } catch OperationError.invalid {
      return view.refused("A name has 1 to 100 characters.")
    }
  }
}

extension TeamOutcome {
  /// Why it is not so.
  fileprivate var sentence: HTML {
    switch self {
    case .kept: "It is so."
    case .nameTaken: "Another team is called that."
    case .noTimeZone: "That is no IANA time zone."
    case .changedMeanwhile: "Somebody else changed it meanwhile; this is how it is now."
    }
  }
}
