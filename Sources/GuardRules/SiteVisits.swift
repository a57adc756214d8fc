public import ShiftDomain

/// A time that a phone spent at a site.
public struct SiteVisit: Hashable, Sendable {
  /// The number of the site within the team.
  public var site: Int16
  /// The site's name at that time.
  public var name: String
  /// The first fix inside.
  public var arrivedAt: Instant
  /// The last fix inside. From then on to the next fix, nobody knows where the phone was.
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

/// Finds the visits of a shift to sites from its fixes, which are added in order of time.
///
/// A visit begins with a fix inside the circle. It ends only with a fix clearly outside: by more
/// than its own accuracy, and at least by `departureMargin`, so that a phone at the edge makes one
/// visit. A fix in between, a mocked one, and one less accurate than the circle is large decide
/// nothing. Neither does a gap: it leaves the visit open, with the time last seen.
public struct SiteVisits: Sendable {
  /// How far outside a fix must at least be for the end of a visit, in meters.
  public static let departureMargin = 50.0

  private let sites: [Site]
  /// The visit that has not ended, by the index of its site.
  private var current: [SiteVisit?]
  private var ended: [SiteVisit] = []

  /// - Parameter sites: May overlap: a phone can visit several at once.
  public init(to sites: [Site]) {
    self.sites = sites
    current = Array(repeating: nil, count: sites.count)
  }

  /// - Parameter instant: Not before that of the fix added last.
  public mutating func add(_ fix: Fix, at instant: Instant, isMock: Bool) {
    guard !isMock else { return }
    for (place, site) in sites.enumerated() {
      let radius = Double(site.radiusMeters)
      let error = fix.accuracyMeters ?? 0
      guard error <= radius else { continue }
      let distance = site.center.chordMeters(to: fix.coordinate)
      if distance <= radius {
        var visit =
          current[place]
          ?? SiteVisit(
            site: site.number, name: site.name, arrivedAt: instant, lastSeenAt: instant)
        visit.lastSeenAt = instant
        current[place] = visit
      } else if distance > radius + max(Self.departureMargin, error), var visit = current[place] {
        visit.hasLeft = true
        ended.append(visit)
        current[place] = nil
      }
    }
  }

  /// The visits so far, by arrival.
  public var found: [SiteVisit] {
    (ended + current.compactMap(\.self)).sorted {
      ($0.arrivedAt, $0.site) < ($1.arrivedAt, $1.site)
    }
  }
}
