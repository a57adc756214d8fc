import GuardRules
import ShiftDomain
import Testing

/// Where an employee clocks in, by RULES 10.
@Suite("Place of a clock-in") struct PlaceRuleTests {
  /// The meters of one degree to the north.
  private static let degree = 6_371_008.8 * Double.pi / 180
  private static let depot = coordinate(45.3, 13.7)

  /// The place this many meters north of the depot.
  private static func north(_ meters: Double) -> Coordinate {
    coordinate(depot.latitude + meters / degree, depot.longitude)
  }

  private static func site(
    _ number: Int16 = 1, at center: Coordinate = depot, radius: Int32 = 100
  ) -> Site {
    Site(number: number, name: "Site \(number)", center: center, radiusMeters: radius)
  }

  private static func place(
    _ position: Coordinate?, among sites: [Site] = [site()], accuracy: Double? = nil,
    isMock: Bool = false
  ) -> ClockInPlace {
    ClockInPlace(
      sites: sites,
      position: position.map {
        ClockInPlace.Position($0, accuracyMeters: accuracy, isMock: isMock)
      })
  }

  typealias Row = (name: String, meters: Double, accuracy: Double?, finds: FindingSet)
  // R: G1, G2
  /// From the center of a site with a radius of 100 m.
  static let rows: [Row] = [
    ("at the center", 0, nil, []),
    ("just inside", 99.999, nil, []),
    ("just outside", 100.001, nil, .of(.offSite)),
    ("just outside, an accuracy of 0 is none", 100.001, 0, .of(.offSite)),
    ("far away", 20_000, nil, .of(.offSite)),
    ("just outside, with a small doubt", 100.001, 0.01, []),
    ("the doubt reaches the edge", 150, 50.001, []),
    ("the doubt ends before the edge", 150, 49.999, .of(.offSite)),
    ("inside, whatever the doubt", 99, 120, []),
    ("a doubt of just below 200 m reaches it", 299.998, 199.999, []),
    ("a doubt of just below 200 m does not", 300, 199.999, .of(.offSite)),
    ("a doubt of 200 m reaches it", 299.999, 200, []),
    ("a doubt of 200 m does not", 300.001, 200, .of(.offSite)),
    ("a doubt of just over 200 m counts 200 m", 300.001, 200.01, .of(.offSite)),
    ("a doubt of just over 200 m still reaches it", 299.999, 200.01, []),
    ("a doubt of 350 m counts 200 m", 300.001, 350, .of(.offSite)),
    ("a doubt of 350 m still reaches it", 299.999, 350, []),
    ("a doubt of just below 500 m counts 200 m", 300.001, 500.0.nextDown, .of(.offSite)),
    ("a doubt of 500 m counts 200 m", 300.001, 500, .of(.offSite)),
    ("a doubt of 500 m still reaches it", 299.999, 500, []),
    ("a doubt of 500 m, at the center", 0, 500, []),
    ("too inaccurate by a hair, outside", 300.001, 500.0.nextUp, .of(.siteUnknown)),
    ("too inaccurate, outside", 20_000, 500.001, .of(.siteUnknown)),
    ("too inaccurate by a hair, at the center", 0, 500.0.nextUp, .of(.siteUnknown)),
    ("as inaccurate as can be", 0, 1e6, .of(.siteUnknown)),
  ]

  @Test("is off site only beyond every doubt, unknown if too inaccurate", arguments: rows)
  func finds(_ row: Row) {
    #expect(Self.place(Self.north(row.meters), accuracy: row.accuracy).findings == row.finds)
    let mock = Self.place(Self.north(row.meters), accuracy: row.accuracy, isMock: true)
    #expect(mock.findings == row.finds.union(.of(.mockLocation)))  // R: G4
  }

  // R: G2
  @Test("is unknown without a position where there are sites")
  func noPosition() {
    for count in Int16(1)...3 {
      let place = Self.place(nil, among: (1...count).map { Self.site($0) })
      #expect(place.findings == .of(.siteUnknown))
      #expect(place.nearest == nil && place.kept == nil)
    }
  }

  // R: G2, G4
  @Test("is no finding without sites, but a mock position still is")
  func noSites() {
    #expect(Self.place(nil, among: []).findings.isEmpty)
    for accuracy: Double? in [nil, 5, 500, 500.001] {
      let real = Self.place(Self.depot, among: [], accuracy: accuracy)
      #expect(real.findings.isEmpty && real.nearest == nil && real.kept == nil)
      let mock = Self.place(Self.depot, among: [], accuracy: accuracy, isMock: true)
      #expect(mock.findings == .of(.mockLocation) && mock.nearest == nil && mock.kept == nil)
    }
  }

  // R: G1
  @Test("exactly at the edge is inside, with and without doubt")
  func edge() {
    for meters in [250.0, 299.5, 300, 377.7] {
      let there = Self.north(meters)
      let distance = Self.depot.metersOverGround(to: there)
      // Exact, because it is between half and twice the radius: the sum of the margin is zero.
      let missing = distance - 200
      let sites = [Self.site(radius: 200)]
      let onEdge = Self.place(there, among: sites, accuracy: missing)
      #expect(onEdge.nearest?.marginMeters == 0, "\(meters)")
      #expect(onEdge.findings.isEmpty, "\(meters)")
      let beyond = Self.place(there, among: sites, accuracy: missing - 1e-6)
      #expect(beyond.findings == .of(.offSite), "\(meters)")
      let whole = Int32(distance.rounded(.up))
      #expect(Self.place(there, among: [Self.site(radius: whole)]).findings.isEmpty)
      let smaller = Self.place(there, among: [Self.site(radius: whole - 1)])
      #expect(smaller.findings == .of(.offSite), "\(meters)")
    }
  }

  typealias Far = (
    name: String, site: (Double, Double), radius: Int32, at: (Double, Double), accuracy: Double?,
    isOff: Bool
  )
  // R: G1
  static let farPlaces: [Far] = [
    ("at the north pole, by any longitude", (90, 0), 50, (90, 123.4), nil, false),
    ("111 m from the north pole", (90, 0), 112, (89.999, -77), nil, false),
    ("111 m from the north pole, too far", (90, 0), 111, (89.999, -77), nil, true),
    ("222 m from the north pole, in doubt", (90, 180), 200, (89.998, 5), 22.4, false),
    ("222 m from the north pole, in less doubt", (90, 180), 200, (89.998, 5), 22.3, true),
    ("on the south pole", (-90, 180), 50, (-90, -33), nil, false),
    ("167 m from the south pole", (-90, 180), 167, (-89.9985, 12), nil, false),
    ("167 m from the south pole, too far", (-90, 180), 166, (-89.9985, 12), nil, true),
    ("across the north pole", (89.999, 0), 223, (89.999, 180), nil, false),
    ("across the north pole, too far", (89.999, 0), 222, (89.999, 180), nil, true),
    ("across the south pole", (-89.999, -90), 223, (-89.999, 90), nil, false),
    ("on the date line, by both names", (0, 180), 50, (0, -180), nil, false),
    ("across the date line", (-17, 179.999), 213, (-17, -179.999), nil, false),
    ("across the date line, too far", (-17, 179.999), 212, (-17, -179.999), nil, true),
    ("across the date line to the west", (-17, -179.999), 213, (-17, 179.999), nil, false),
    ("the antipodes", (45, 13), 5_000, (-45, -167), 500, true),
    ("from pole to pole", (90, 0), 5_000, (-90, 0), 500, true),
    ("a degree to the east on the equator", (0, 0.5), 5_000, (0, -0.5), nil, true),
  ]

  @Test("is judged the same at the poles and at the date line", arguments: farPlaces)
  func farAway(_ row: Far) {
    let site = Self.site(at: coordinate(row.site.0, row.site.1), radius: row.radius)
    let position = coordinate(row.at.0, row.at.1)
    let place = Self.place(position, among: [site], accuracy: row.accuracy)
    #expect(place.findings == (row.isOff ? .of(.offSite) : []))
  }

  struct Several: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// Meters north of the depot and radius, numbered from 1.
    var sites: [(meters: Double, radius: Int32)]
    var meters: Double
    var accuracy: Double?
    var nearest: Int16
    var margin: Double
    var isOff: Bool
  }

  // R: G1
  static let several = [
    Several(
      testDescription: "off both; the larger circle is nearer, its center further away",
      sites: [(300, 50), (-1_000, 900)], meters: 0, nearest: 2, margin: -100, isOff: true),
    Several(
      testDescription: "off both; the center decides when the circles are equal",
      sites: [(-400, 100), (390, 100)], meters: 0, nearest: 2, margin: -290, isOff: true),
    Several(
      testDescription: "inside the one whose center is further away",
      sites: [(100, 50), (-700, 1_000)], meters: 0, nearest: 2, margin: 300, isOff: false),
    Several(
      testDescription: "inside both; the larger margin",
      sites: [(0, 200), (500, 1_000), (50, 150)], meters: 0, nearest: 2, margin: 500, isOff: false),
    Several(
      testDescription: "only the doubt reaches the nearest",
      sites: [(5_000, 300), (280, 100)], meters: 0, accuracy: 181, nearest: 2, margin: 1,
      isOff: false),
    Several(
      testDescription: "the doubt, at most 200 m, reaches none",
      sites: [(5_000, 300), (310, 100), (-9_000, 5_000)], meters: 0, accuracy: 400, nearest: 2,
      margin: -10, isOff: true),
    Several(
      testDescription: "far from a site and inside the other", sites: [(20_000, 50), (0, 50)],
      meters: 20_020, nearest: 1, margin: 30, isOff: false),
  ]

  @Test("is off site only if no site can contain it; the margin decides", arguments: several)
  func severalSites(_ row: Several) throws {
    let sites = row.sites.enumerated().map { index, site in
      Self.site(Int16(index + 1), at: Self.north(site.meters), radius: site.radius)
    }
    for sites in [sites, sites.reversed()] {
      let place = Self.place(Self.north(row.meters), among: sites, accuracy: row.accuracy)
      #expect(place.findings == (row.isOff ? .of(.offSite) : []))
      let nearest = try #require(place.nearest)
      #expect(nearest.site.number == row.nearest)
      #expect(abs(nearest.marginMeters - row.margin) < 1e-4)
      let meters = abs(row.sites[Int(row.nearest) - 1].meters - row.meters)
      #expect(abs(nearest.meters - meters) < 1e-4)
    }
  }

  // R: G1, G2
  @Test("of random positions among random sites follows from the distances")
  func randomPlaces() throws {
    var random = SeededRandom(seed: 10)
    var seen: Set<FindingSet> = []
    for round in 0..<3_000 {
      let count = Int16.random(in: 0...20, using: &random)
      var sites: [Site] = []
      for number in 0..<count {
        let radius = Int32.random(in: 50...5_000, using: &random)
        sites.append(Self.site(number + 1, at: Self.near(10_000, &random), radius: radius))
      }
      let position = random.oneIn(10) ? nil : Self.near(15_000, &random)
      let measured = Double.random(in: 0...600, using: &random)
      let accuracies: [Double?] = [nil, measured, 200, 500]
      let accuracy = accuracies.pick(&random)
      let place = Self.place(position, among: sites, accuracy: accuracy)
      seen.insert(place.findings)
      guard let position, accuracy ?? 0 <= 500, !sites.isEmpty else {
        #expect(place.findings == (sites.isEmpty ? [] : .of(.siteUnknown)), "round \(round)")
        continue
      }
      let doubt = min(accuracy ?? 0, 200)
      let margins = sites.map { site in
        Double(site.radiusMeters) - site.center.metersOverGround(to: position) + doubt
      }
      let largest = try #require(margins.max())
      let nearest = try #require(place.nearest)
      #expect(abs(nearest.marginMeters - largest) < 1e-6, "round \(round)")
      if abs(largest) > 1e-6 {
        #expect(place.findings == (largest < 0 ? .of(.offSite) : []), "round \(round)")
      }
    }
    #expect(seen.count == 3)
  }

  /// A place up to so many meters north or south, and about as far east or west, of the depot.
  private static func near(_ meters: Double, _ random: inout SeededRandom) -> Coordinate {
    let reach = meters / degree
    return coordinate(
      depot.latitude + Double.random(in: -reach...reach, using: &random),
      depot.longitude + Double.random(in: -reach...reach, using: &random))
  }
}

/// What is stored of a clock-in attempt in a team with sites, by RULES 10.
@Suite("Place kept of a clock-in") struct KeptPlaceTests {
  private static let degree = 6_371_008.8 * Double.pi / 180

  private static func place(
    _ meters: Double, accuracy: Double?, isMock: Bool = false
  ) throws -> ClockInPlace {
    let depot = try #require(Coordinate(latitude: 45.3, longitude: 13.7))
    let yard = try #require(Coordinate(latitude: 45.3 + 1_000 / degree, longitude: 13.7))
    let there = try #require(Coordinate(latitude: 45.3 + meters / degree, longitude: 13.7))
    return ClockInPlace(
      sites: [
        Site(number: 4, name: "Depot", center: depot, radiusMeters: 100),
        Site(number: 9, name: "Yard", center: yard, radiusMeters: 500),
      ],
      position: ClockInPlace.Position(there, accuracyMeters: accuracy, isMock: isMock))
  }

  typealias Row = (
    name: String, meters: Double, accuracy: Double?, site: Int16, distance: Double, margin: Double
  )
  // R: G1, G6
  static let rows: [Row] = [
    ("at the center of a site", 0, nil, 4, 0, 100),
    ("nearer to one center, nearer to the other circle", 400, nil, 9, 600, -100),
    ("off every site", -900, nil, 4, 900, -800),
    ("the whole accuracy up to 200 m counts", -900, 200, 4, 900, -600),
    ("of more, 200 m count and the whole is kept", -900, 350.5, 4, 900, -600),
    ("as inaccurate as a position may be", 1_000, 500, 9, 0, 700),
  ]

  @Test("is the site with the largest margin, its distance, and the accuracy", arguments: rows)
  func kept(_ row: Row) throws {
    for isMock in [false, true] {
      let place = try Self.place(row.meters, accuracy: row.accuracy, isMock: isMock)
      let kept = try #require(place.kept)
      #expect(kept.site == row.site)
      #expect(abs(kept.meters - row.distance) < 1e-4)
      #expect(abs(kept.marginMeters - row.margin) < 1e-4)
      #expect(kept.accuracyMeters == row.accuracy)
      let nearest = try #require(place.nearest)
      #expect(nearest.site.number == kept.site && nearest.meters == kept.meters)
      #expect(nearest.marginMeters == kept.marginMeters)
    }
  }

  // RULES 10 leaves open whether a position that is too inaccurate leaves anything.
  @Test("says nothing wrong of a position that is too inaccurate")
  func inaccurate() throws {
    let place = try Self.place(0, accuracy: 600)
    #expect(place.findings == .of(.siteUnknown))
    if let kept = place.kept {
      #expect(kept.accuracyMeters == 600 && kept.site == 4)
    }
  }
}
