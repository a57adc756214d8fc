import HTTPAPI
import HTTPServing
import ManagerCore
import PeopleOperations
import ReadModels
import ShiftDomain

extension PageController {
  var sitesRoutes: [AccessRoute] {
    let all = "/settings/teams/{team}/sites"
    return [
      page(all, .team(.coverage)) { request, principal in
        var view = try await sitesView(in: request, for: principal)
        view.done = request.queryValue("done").flatMap { CompletedSiteAction(rawValue: $0) }?.text
        let number = request.queryValue("site").flatMap { Int16($0) }
        view.changing = view.sites.first { $0.number == number }
        return .page(view.page)
      },
      form(all, .administrator) { request, fields, principal in
        // From a stop of a track, only the place is known yet.
        guard fields.text("name") != nil else {
          var view = try await sitesView(in: request, for: principal)
          view.typed = fields.with("radius", SitesView.usualRadius)
          return .page(view.page)
        }
        return try await keepSite(nil, request, fields, principal)
      },
      form(all + "/{site}", .administrator) { request, fields, principal in
        try await keepSite(request.pathSite, request, fields, principal)
      },
      form(all + "/{site}/remove", .administrator) { request, fields, principal in
        let number = try request.pathSite
        var view = try await sitesView(in: request, for: principal)
        guard let site = view.sites.first(where: { $0.number == number }) else {
          throw PageNotFound()
        }
        guard fields.isSure else {
          view.removing = site
          return .page(view.page)
        }
        try await operations.people.removeSite(number, from: view.team.team, by: principal)
        return .seeOther("/settings/teams/\(view.team.team.rawValue)/sites?done=removed")
      },
    ]
  }

  private func sitesView(in request: HTTPRequest, for principal: Principal) async throws
    -> SitesView
  {
    let team = try await operations.people.team(request.pathTeam)
    return SitesView(
      team: team, sites: try await operations.people.sites(of: team.team), principal: principal,
      tiles: settings.mapTiles)
  }

  /// Adds a site, or changes the one with this number.
  private func keepSite(
    _ number: Int16?, _ request: HTTPRequest, _ fields: FormFields, _ principal: Principal
  ) async throws -> PageAnswer {
    var view = try await sitesView(in: request, for: principal)
    view.typed = fields
    view.changing = view.sites.first { $0.number == number }
    if number != nil, view.changing == nil { throw PageNotFound() }
    guard let center = Coordinate(degrees: fields["center"]) else {
      return view.refused(
        "Enter latitude and longitude in degrees, with a comma in between: 45.3000, 13.7000.")
    }
    guard let radius = Int32(fields["radius"]) else {
      return view.refused("Enter the radius as a whole number of meters.")
    }
    let team = view.team.team
    do {
      if let number {
        let change = SiteChange(name: fields["name"], center: center, radiusMeters: radius)
        _ = try await operations.people.changeSite(number, of: team, change, by: principal).get()
      } else {
        _ = try await operations.people.addSite(
          name: fields["name"], center: center, radiusMeters: radius, to: team, by: principal
        ).get()
      }
      let completed: CompletedSiteAction = number == nil ? .added : .changed
      return .seeOther("/settings/teams/\(team.rawValue)/sites?done=\(completed.rawValue)")
    } catch {
      return try view.refused(by: error)
    }
  }
}

/// What a form on the page did; stands in the address of the page shown after it.
private enum CompletedSiteAction: String {
  case added, changed, removed

  var text: HTML {
    switch self {
    case .added: "Site added. Visits are shown for shifts that end from now on."
    case .changed: "Site changed. Ended shifts keep their visits until they are computed again."
    case .removed: "Site removed."
    }
  }
}
