import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// The result of adding or changing a site.
package enum SiteOutcome: Hashable, RefusableAnswer {
  case kept(Site)
  case nameTaken(String, TeamID)
  case tooMany(TeamID)
  case badName
  case badRadius

  package func get() throws(Refusal) -> Site {
    switch self {
    case .kept(let site): return site
    case .nameTaken(let name, let team):
      throw .conflict("site_exists", "team \(team.rawValue) already has the site `\(name)`")
    case .tooMany(let team):
      throw .conflict("too_many_sites", "team \(team.rawValue) already has \(sitesMax) sites")
    case .badName:
      throw .invalid(
        "/name",
        "the name must have 1 to 100 characters, must not be blank, and must be on one line")
    case .badRadius:
      let radii = Site.radii
      throw .invalid(
        "/radius",
        "the radius must be \(radii.lowerBound) to \(radii.upperBound) meters")
    }
  }
}

/// How many sites a team may have: every fix is compared with all of them.
package let sitesMax = 100

/// What changes of a site; `nil` stays.
package struct SiteChange: Hashable, Sendable {
  package var name: String?
  package var center: Coordinate?
  package var radiusMeters: Int32?

  package init(name: String? = nil, center: Coordinate? = nil, radiusMeters: Int32? = nil) {
    self.name = name
    self.center = center
    self.radiusMeters = radiusMeters
  }
}

extension PeopleOperations {
  /// In the order in which they were added.
  package func sites(of team: TeamID) async throws(OperationError) -> [Site] {
    _ = try await self.team(team)
    return try await core.read { (session) throws(PostgresError) in
      try ShiftStore.sites(of: team, on: &session)
    }
  }

  package func site(_ number: Int16, of team: TeamID) async throws(OperationError) -> Site {
    guard let site = try await sites(of: team).first(where: { $0.number == number }) else {
      throw .siteNotFound(number, of: team)
    }
    return site
  }

  /// Adds a site. It counts for shifts that end from now on.
  package func addSite(
    name: String, center: Coordinate, radiusMeters: Int32, to team: TeamID,
    by principal: Principal
  ) async throws(OperationError) -> SiteOutcome {
    let new = Site(number: 0, name: name, center: center, radiusMeters: radiusMeters)
    if let fault = new.fault { return fault }
    let at = core.now()
    return try await core.transact { (session) throws(PostgresError) in
      guard try session.execute(holdSites(of: team)) == 1 else {
        return .refused(.notFound("team \(team.rawValue)"))
      }
      let known = try ShiftStore.sites(of: team, on: &session)
      guard !known.contains(where: { $0.name == name }) else {
        return .done(.nameTaken(name, team))
      }
      guard known.count < sitesMax else { return .done(.tooMany(team)) }
      try session.pipeline(insert(new, of: team, at: at))
      let added = try ShiftStore.sites(of: team, on: &session).last
      guard let added else { return .lost }
      try audit(
        .siteAdded, by: principal, at: at, target: team.rawValue, reason: added.described,
        on: &session)
      return .done(.kept(added))
    }
  }

  /// Visits that are stored already keep the name and the circle of their time until their shift
  /// is computed again.
  package func changeSite(
    _ number: Int16, of team: TeamID, _ change: SiteChange, by principal: Principal
  ) async throws(OperationError) -> SiteOutcome {
    let at = core.now()
    return try await core.transact { (session) throws(PostgresError) in
      try session.execute(holdSites(of: team))
      let known = try ShiftStore.sites(of: team, on: &session)
      guard let old = known.first(where: { $0.number == number }) else {
        return .refused(.siteNotFound(number, of: team))
      }
      let changed = Site(
        number: number, name: change.name ?? old.name, center: change.center ?? old.center,
        radiusMeters: change.radiusMeters ?? old.radiusMeters)
      if let fault = changed.fault { return .done(fault) }
      guard !known.contains(where: { $0.name == changed.name && $0.number != number }) else {
        return .done(.nameTaken(changed.name, team))
      }
      guard changed != old else { return .done(.kept(old)) }
      try session.pipeline(update(changed, of: team, at: at))
      try audit(
        .siteChanged, by: principal, at: at, target: team.rawValue,
        reason: "\(old.described) → \(changed.words)", on: &session)
      return .done(.kept(changed))
    }
  }

  /// Visits that are stored already stay until their shift is computed again. Planned shifts name
  /// it no longer, but for those in which somebody may have clocked in.
  package func removeSite(_ number: Int16, from team: TeamID, by principal: Principal)
    async throws(OperationError)
  {
    let at = core.now()
    let _: Bool = try await core.transact { (session) throws(PostgresError) in
      try session.execute(holdSites(of: team))
      let known = try ShiftStore.sites(of: team, on: &session)
      guard let site = known.first(where: { $0.number == number }) else {
        return .refused(.siteNotFound(number, of: team))
      }
      try session.pipeline(deleteSite(number, of: team, at: at))
      try session.execute(unname(number, of: team, at: at))
      try audit(
        .siteRemoved, by: principal, at: at, target: team.rawValue, reason: site.described,
        on: &session)
      return .done(true)
    }
  }
}

extension Site {
  /// Why it cannot be stored.
  fileprivate var fault: SiteOutcome? {
    guard name.isOnOneLine, !name.allSatisfy(\.isWhitespace), name.unicodeScalars.count <= 100
    else {
      return .badName
    }
    return Self.radii.contains(radiusMeters) ? nil : .badRadius
  }

  /// `site 1, Depot, 200 m around 45.3, 13.7`, for the audit log. A place of work is nobody's
  /// position.
  fileprivate var described: String { "site \(number), \(words)" }

  fileprivate var words: String { "\(name), \(radiusMeters) m around \(center.degrees)" }
}

extension String {
  /// Whether it has no line break and no other control character.
  var isOnOneLine: Bool {
    unicodeScalars.allSatisfy {
      ![.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
    }
  }
}

extension OperationError {
  fileprivate static func siteNotFound(_ number: Int16, of team: TeamID) -> OperationError {
    .notFound("site \(number) of team \(team.rawValue)")
  }
}

extension Coordinate {
  /// Reads degrees of latitude and longitude as maps copy them: `45.3000, 13.7000`; `nil` for
  /// anything else. Decimal commas are refused, because nobody could tell them from the one in
  /// between.
  package init?(degrees text: String) {
    guard text.utf8.count <= 100 else { return nil }
    let parts = text.split { $0 == "," || $0 == ";" || $0.isWhitespace }
    let numbers = parts.compactMap { part -> Double? in
      let digits = part.replacing("\u{2212}", with: "-")
      guard digits.utf8.allSatisfy({ "+-.0123456789".utf8.contains($0) }) else { return nil }
      return Double(digits)
    }
    guard parts.count == 2, numbers.count == 2 else { return nil }
    self.init(latitude: numbers[0], longitude: numbers[1])
  }

  /// As `init(degrees:)` reads it, with as many places as are stored.
  package var degrees: String { "\(latitude.sevenPlaces), \(longitude.sevenPlaces)" }
}

extension Double {
  /// Never with an exponent: `0.00001`, `45.3`.
  fileprivate var sevenPlaces: String {
    let units = Int64((self * 1e7).rounded())
    let (whole, rest) = units.magnitude.quotientAndRemainder(dividingBy: 10_000_000)
    let places = String(10_000_000 + rest).dropFirst()
    let fraction = places.lastIndex { $0 != "0" }.map { places[...$0] } ?? ""
    return (units < 0 ? "-" : "") + "\(whole)" + (fraction.isEmpty ? "" : ".\(fraction)")
  }
}
