public import ShiftDomain

/// Where a clock-in is made, and the sites where it may be made.
public struct ClockInPlace: Hashable, Sendable {
  /// The position of a clock-in, as its phone gave it.
  public struct Position: Hashable, Sendable {
    public var coordinate: Coordinate
    /// Radius of uncertainty in meters, above zero; `nil`: not given, and then not doubted.
    public var accuracyMeters: Double?
    public var isMock: Bool

    public init(_ coordinate: Coordinate, accuracyMeters: Double? = nil, isMock: Bool = false) {
      self.coordinate = coordinate
      self.accuracyMeters = accuracyMeters
      self.isMock = isMock
    }

    /// How far it is inside a circle, with its doubt in its favour; below zero outside. `nil` for
    /// one that is too inaccurate.
    public func marginMeters(in center: Coordinate, radiusMeters: Int32) -> Double? {
      marginMeters(center.metersOverGround(to: coordinate), from: radiusMeters)
    }

    /// The same of one this many meters from the center.
    fileprivate func marginMeters(_ meters: Double, from radiusMeters: Int32) -> Double? {
      guard accuracyMeters ?? 0 <= accuracyMaxMeters else { return nil }
      return Double(radiusMeters) - (meters - min(accuracyMeters ?? 0, doubtMaxMeters))
    }

    /// At least its margin in the site, at a fraction of the cost: the way over ground is not
    /// shorter than that to the north or south alone.
    fileprivate func mostMarginMeters(in site: Site) -> Double {
      let north = abs(coordinate.latitude - site.center.latitude) * metersInDegree
      // A meter for what is rounded.
      return Double(site.radiusMeters) - (north - 1 - doubtMaxMeters)
    }
  }

  /// Those that the planned shift names, else those of the team.
  public var sites: [Site]
  /// `nil`: none from within a minute of the clock-in.
  public var position: Position?

  public init(sites: [Site], position: Position?) {
    self.sites = sites
    self.position = position
  }

  /// A position with a larger radius of uncertainty could be anywhere.
  static let accuracyMaxMeters = 500.0
  /// The doubt that a position has at most: a larger one lets nobody in from farther away.
  static let doubtMaxMeters = 200.0
}

/// How far a position is from a site.
public struct SiteDistance: Hashable, Sendable {
  public var site: Site
  /// From the site's center, over ground.
  public var meters: Double
  /// How far the position is inside the site, with the doubt in its favour; below zero outside.
  public var marginMeters: Double

  /// `nil` for a position that is too inaccurate.
  public init?(of position: ClockInPlace.Position, from site: Site) {
    let meters = site.center.metersOverGround(to: position.coordinate)
    guard let margin = position.marginMeters(meters, from: site.radiusMeters) else { return nil }
    (self.site, self.meters, marginMeters) = (site, meters, margin)
  }
}

/// What the place of a clock-in comes to. Needs no memory of its own: pages have none.
public struct PlaceStanding: Hashable, Sendable {
  public var hasSites: Bool
  /// The largest margin of the position in a site; `nil`: no position that is accurate enough.
  public var marginMeters: Double?
  public var isMock: Bool

  public init(hasSites: Bool, marginMeters: Double?, isMock: Bool) {
    self.hasSites = hasSites
    self.marginMeters = marginMeters
    self.isMock = isMock
  }

  public var findings: FindingSet {
    var found: FindingSet = []
    if isMock { found.insert(.mockLocation) }
    if let marginMeters {
      if marginMeters < 0 { found.insert(.offSite) }
    } else if hasSites {
      found.insert(.siteUnknown)
    }
    return found
  }
}

/// What is kept of where a clock-in was made: no position.
public struct KeptPlace: Hashable, Sendable {
  /// The number of the nearest site.
  public var site: Int16
  /// As in `SiteDistance`.
  public var meters: Double
  public var marginMeters: Double
  public var accuracyMeters: Double?

  public init(site: Int16, meters: Double, marginMeters: Double, accuracyMeters: Double?) {
    self.site = site
    self.meters = meters
    self.marginMeters = marginMeters
    self.accuracyMeters = accuracyMeters
  }
}

extension ClockInPlace {
  /// `nil` where nothing can be kept: no sites, or no position that is accurate enough.
  public var kept: KeptPlace? {
    nearest.map { nearest in
      KeptPlace(
        site: nearest.site.number, meters: nearest.meters,
        marginMeters: nearest.marginMeters,
        accuracyMeters: position?.accuracyMeters)
    }
  }

  /// The site with the largest margin, of equal ones that with the lowest number; `nil` without
  /// sites or position, and for a position that is too inaccurate.
  public var nearest: SiteDistance? {
    guard let position else { return nil }
    var nearest: SiteDistance?
    for site in sites {
      if let nearest, position.mostMarginMeters(in: site) < nearest.marginMeters { continue }
      guard let distance = SiteDistance(of: position, from: site) else { return nil }
      guard let best = nearest else {
        nearest = distance
        continue
      }
      if distance.marginMeters > best.marginMeters
        || distance.marginMeters == best.marginMeters && site.number < best.site.number
      {
        nearest = distance
      }
    }
    return nearest
  }

  public var findings: FindingSet {
    PlaceStanding(
      hasSites: !sites.isEmpty, marginMeters: nearest?.marginMeters,
      isMock: position?.isMock == true
    ).findings
  }
}
