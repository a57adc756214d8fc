import APIJSON
import HTTPAPI
import HTTPServing
import JSONText
import OperationCore
import PeopleOperations
import ShiftDomain

extension ManagerController {
  var siteRoutes: [AccessRoute] {
    let (all, one) = ("/v1/teams/{team}/sites", "/v1/teams/{team}/sites/{site}")
    return [
      route(.get, all, .team(.coverage)) { (request, _) in
        .object([
          "sites": JSONValue(try await operations.people.sites(of: request.pathTeam)) { $0.json }
        ])
      },
      route(.post, all, .administrator) { (request, principal) in
        let team = try request.pathTeam
        let fields = try request.fields()
        let new = try fields.siteChange()
        let site = try await operations.people.addSite(
          name: fields.required("name", new.name),
          center: fields.required("latitude", new.center),
          radiusMeters: fields.required("radius", new.radiusMeters), to: team, by: principal
        ).get()
        return .object(
          site.json, status: 201,
          headers: ["Location": "/v1/teams/\(team.rawValue)/sites/\(site.number)"])
      },
      route(.get, one, .team(.coverage)) { (request, _) in
        .object(try await operations.people.site(request.pathSite, of: request.pathTeam).json)
      },
      route(.patch, one, .administrator) { (request, principal) in
        let (team, number) = (try request.pathTeam, try request.pathSite)
        let change = try request.fields().siteChange()
        let site = try await operations.people.changeSite(number, of: team, change, by: principal)
          .get()
        return .object(site.json)
      },
      route(.delete, one, .administrator) { (request, principal) in
        try await operations.people.removeSite(
          request.pathSite, from: request.pathTeam, by: principal)
        return HTTPResponse(status: 204)
      },
    ]
  }
}

extension JSONFields {
  /// `SiteChange`; all of it for a new site.
  fileprivate func siteChange() throws(BodyFault) -> SiteChange {
    try allow("name", "latitude", "longitude", "radius")
    let radii = Int64(Site.radii.lowerBound)...Int64(Site.radii.upperBound)
    return SiteChange(
      name: try text("name", min: 1, max: 100), center: try center(),
      radiusMeters: try integer("radius", in: radii).map { Int32($0) })
  }

  private func center() throws(BodyFault) -> Coordinate? {
    let (latitude, longitude) = (try number("latitude"), try number("longitude"))
    if latitude == nil && longitude == nil { return nil }
    let north = try required("latitude", latitude)
    let east = try required("longitude", longitude)
    guard let center = Coordinate(latitude: north, longitude: east) else {
      throw Coordinate(latitude: north, longitude: 0) == nil
        ? BodyFault(at: place("latitude"), "must be between -90 and 90")
        : BodyFault(at: place("longitude"), "must be between -180 and 180")
    }
    return center
  }
}
