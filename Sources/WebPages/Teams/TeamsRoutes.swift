import HTTPAPI
import HTTPServing
import ManagerCore
import OperationCore
import PeopleOperations
import ReadModels
import ShiftDomain

extension PageController {
  var teamRoutes: [AccessRoute] {
    let one = "/settings/teams/{team}/edit"
    return [
      page("/settings/teams", .administrator) { request, _ in
        var view = TeamsView(teams: try await operations.people.teams())
        let done: [String: HTML] = ["saved": "Team saved.", "removed": "Team removed."]
        view.done = request.queryValue("done").flatMap { done[$0] }
        return .page(view.page)
      },
      form("/settings/teams", .administrator) { _, fields, principal in
        try await addTeam(fields, principal)
      },
      page(one, .administrator) { request, _ in
        .page(TeamView(team: try await operations.people.team(request.pathTeam)).page)
      },
      form(one, .administrator) { request, fields, principal in
        try await changeTeam(request, fields, principal)
      },
      form("/settings/teams/{team}/remove", .administrator) { request, fields, principal in
        let team = try request.pathTeam
        var view = TeamView(team: try await operations.people.team(team))
        guard fields.isSure else {
          view.isRemoving = true
          return .page(view.page)
        }
        do {
          try await operations.people.removeTeam(team, by: principal).get()
          return .seeOther("/settings/teams?done=removed")
        } catch {
          return try view.refused(by: error)
        }
      },
    ]
  }

  private func addTeam(_ fields: FormFields, _ principal: Principal) async throws -> PageAnswer {
    let view = TeamsView(teams: try await operations.people.teams(), typed: fields)
    guard let preset = Preset(code: fields["preset"]) else {
      return view.refused("Choose a valid policy preset.")
    }
    do {
      _ = try await operations.people.addTeam(
        name: fields["name"], timeZone: fields["zone"], preset: preset, by: principal
      ).get()
      return .seeOther("/settings/teams?done=saved")
    } catch {
      return try view.refused(by: error)
    }
  }

  private func changeTeam(_ request: HTTPRequest, _ fields: FormFields, _ principal: Principal)
    async throws -> PageAnswer
  {
    let team = try request.pathTeam
    var view = TeamView(team: try await operations.people.team(team), typed: fields)
    guard let rounding = PayRounding(code: fields["rounding"]) else {
      return view.refused("Choose how paid time is rounded.")
    }
    do {
      _ = try await operations.people.changeTeam(
        team,
        TeamChange(
          name: fields["name"], timeZone: fields["zone"], rounding: rounding,
          paysBreaks: fields["breaks"] == "paid"), matching: [fields["tag"]], by: principal
      ).get()
      return .seeOther("/settings/teams?done=saved")
    } catch {
      if case .team(let row) = Refusal(error)?.subject { view = TeamView(team: row) }
      return try view.refused(by: error)
    }
  }
}
