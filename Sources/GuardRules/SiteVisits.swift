public import ShiftDomain

/// A time that a phone spent at a site.
public struct SiteVisit: Hashable, Sendable {
  /// The number of the site within the team.
  public var site: Int16
  /// The site's name at that time.
  public var name: String
  /// The first fix inside.
  public var arrivedAt: Instant
  /// The last fix inside, or a later sign that the phone had not moved. From then on to the next
  /// fix, nobody knows where the phone was.
  public var lastSeenAt: Instant
  /// Whether a later fix was outside. Without one, the phone may have stayed.
  public var hasLeft: Bool

  public init(
    site: Int16, name: String, arrivedAt: Instant, lastSeenAt: Instant, hasLeft: Bool = false
  ) {
    self.site = site
    self.name = name
    self.arrivedAt = arrivedAt
    self.lastSeenAt = lastSeenAt
    self.hasLeft = hasLeft
  }
}

/// Finds the visits of a shift to sites from its pings, which are added in order of time.
///
/// A visit begins with a fix inside the circle. It ends only with a fix clearly outside: by more
/// than its own accuracy, and at least by `departureMargin`, so that a phone at the edge makes one
/// visit. A fix in between, one that proves no position, and one less accurate than the circle is
/// large decide nothing. Neither does a gap: it leaves the visit open, with the time last seen.
/// After a fix inside, a phone that stands still or rests is seen there.
public struct SiteVisits: Sendable {
  /// How far outside a fix must at least be for the end of a visit, in meters.
  public static let departureMargin = 50.0
  /// How many visits of a shift are found: the first ones.
  public static let countMax = 200

  private let sites: [Site]
  /// The visit that has not ended, by the index of its site.
  private var current: [SiteVisit?]
  /// Whether the last fix that could tell was inside, by the index of the site.
  private var isInside: [Bool]
  private var ended: [SiteVisit] = []
  private var begun = 0
  /// The end of the rest that the ping added last announced.
  private var restsUntil: Instant?

  /// - Parameter sites: May overlap: a phone can visit several at once.
  public init(to sites: [Site]) {
    self.sites = sites
    current = Array(repeating: nil, count: sites.count)
    isInside = Array(repeating: false, count: sites.count)
  }

  /// - Parameters:
  ///   - ping: Not before the one added last. Its rest ends before the phone may be elsewhere; the
  ///     next ping ends it too.
  ///   - fix: Its position; `nil` for a sign of life.
  public mutating func add(_ ping: ReceivedPing, at fix: Fix?) {
    if let end = restsUntil { stay(until: min(end, ping.effectiveAt)) }
    restsUntil = ping.restsUntil
    if ping.fix == .position, let fix {
      locate(fix, at: ping.effectiveAt)
    } else if ping.fix == nil, ping.isStationary || ping.restsUntil != nil {
      stay(until: ping.effectiveAt)
    }
  }

  private mutating func locate(_ fix: Fix, at instant: Instant) {
    for (place, site) in sites.enumerated() {
      let radius = Double(site.radiusMeters)
      let error = fix.accuracyMeters ?? 0
      guard error <= radius, current[place] != nil || site.mayContain(fix.coordinate) else {
        continue
      }
      let distance = site.center.metersOverGround(to: fix.coordinate)
      isInside[place] = distance <= radius
      if isInside[place] {
        if current[place] == nil, begun < Self.countMax {
          begun += 1
          current[place] = SiteVisit(
            site: site.number, name: site.name, arrivedAt: instant, lastSeenAt: instant)
        }
        current[place]?.lastSeenAt = instant
      } else if distance > radius + max(Self.departureMargin, error), var visit = current[place] {
        visit.hasLeft = true
        ended.append(visit)
        current[place] = nil
      }
    }
  }

  /// The phone has not moved since its last fix.
  private mutating func stay(until instant: Instant) {
    for place in sites.indices where isInside[place] {
      current[place]?.lastSeenAt = instant
    }
  }

  /// Whether further pings would change nothing.
  public var isFull: Bool { ended.count == Self.countMax }

  /// The visits so far, by arrival.
  public var found: [SiteVisit] {
    var all = self
    if let end = restsUntil { all.stay(until: end) }
    return (all.ended + all.current.compactMap { $0 }).sorted {
      ($0.arrivedAt, $0.site) < ($1.arrivedAt, $1.site)
    }
  }
}

extension Site {
  /// Whether it is near enough by latitude: most sites of a large team are not.
  fileprivate func mayContain(_ place: Coordinate) -> Bool {
    abs(place.latitude - center.latitude) * metersInDegree <= Double(radiusMeters) + 1
  }
}
