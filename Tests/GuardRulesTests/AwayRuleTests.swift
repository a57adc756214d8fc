import GuardRules
import ShiftDomain
import Testing

/// When an employee is away from all sites, by RULES 10.
@Suite("Away from all sites") struct AwayRuleTests {
  private static let eight = Instant(milliseconds: 1_772_438_400_000)
  private static let depot = coordinate(45.3, 13.7)
  /// 3 km north of the depot.
  private static let yard = coordinate(45.327, 13.7)

  /// The place this many meters north of the depot.
  private static func north(_ meters: Double) -> Coordinate {
    coordinate(depot.latitude + meters / (6_371_008.8 * Double.pi / 180), depot.longitude)
  }

  private static func site(_ center: Coordinate = depot, radius: Int32 = 100) -> Site {
    Site(number: 1, name: "", center: center, radiusMeters: radius)
  }

  /// Seconds from eight, and meters from the depot.
  private struct At {
    let second: Int64
    let meters: Double
    var accuracy: Double?
    var isMock = false

    init(_ second: Int64, _ meters: Double, accuracy: Double? = nil, isMock: Bool = false) {
      (self.second, self.meters) = (second, meters)
      (self.accuracy, self.isMock) = (accuracy, isMock)
    }
  }

  /// `0–600 900–`: from and to in seconds, nothing after a span that lasts.
  private static func away(
    _ positions: [At], breaks: [(Int64, Int64)] = [], sites: [Site] = [site()],
    after seconds: Int64 = 600
  ) -> String {
    var spans = AwaySpans(
      from: sites,
      breaks: IntervalSet(
        breaks.map { Interval(from: eight + .seconds($0.0), to: eight + .seconds($0.1)) }),
      after: .seconds(seconds))
    for position in positions {
      spans.add(
        ClockInPlace.Position(
          north(position.meters), accuracyMeters: position.accuracy, isMock: position.isMock),
        at: eight + .seconds(position.second))
    }
    return spans.found.map { span in
      "\((span.start - eight).seconds)–\(span.end.map { "\(($0 - eight).seconds)" } ?? "")"
    }.joined(separator: " ")
  }

  // R: G7
  @Test("begins with the first of positions that span the policy's time, and ends with one inside")
  func spans() {
    let rows: [(String, [At], String)] = [
      ("no positions", [], ""),
      ("always there", [At(0, 0), At(600, 50), At(1_200, 99)], ""),
      ("exactly as long", [At(0, 900), At(600, 900)], "0–"),
      ("a second shorter", [At(0, 900), At(599, 900)], ""),
      ("one position spans nothing", [At(0, 900)], ""),
      ("there before", [At(0, 0), At(60, 900), At(660, 900)], "60–"),
      ("back", [At(0, 900), At(600, 900), At(700, 0), At(800, 0)], "0–700"),
      ("back too early, whatever the time until then", [At(0, 900), At(540, 900), At(700, 0)], ""),
      (
        "a position inside begins the run again",
        [At(0, 900), At(300, 0), At(360, 900), At(900, 900)], ""
      ),
      (
        "twice", [At(0, 900), At(600, 900), At(660, 0), At(720, 900), At(1_320, 900)],
        "0–660 720–"
      ),
      ("a gap without positions does not end it", [At(0, 900), At(20_000, 900)], "0–"),
      ("a gap does not begin it", [At(0, 0), At(20_000, 900)], ""),
      ("a gap before the return", [At(0, 900), At(600, 900), At(9_000, 0)], "0–9000"),
    ]
    for (name, positions, expected) in rows {
      #expect(Self.away(positions) == expected, "\(name)")
    }
  }

  // R: G7
  @Test("is ended by a break, and begins again after it")
  func breaks() {
    let long = [At(0, 900), At(600, 900)]
    let rows: [(String, [At], [(Int64, Int64)], String)] = [
      (
        "an hour's break cuts it", long + [At(4_500, 900), At(5_100, 900)], [(900, 4_500)],
        "0–900 4500–"
      ),
      (
        "what is left is too short", long + [At(4_500, 900), At(5_099, 900)], [(900, 4_500)],
        "0–900"
      ),
      (
        "a short break ends a run, too", [At(0, 900), At(590, 900), At(620, 900)], [(591, 600)], ""
      ),
      ("a break that goes on", long, [(700, 99_999)], "0–700"),
      ("a break before it", long, [(-900, 0)], "0–"),
      ("a position at the start of a break is in it", long, [(600, 900)], ""),
      ("one at its end is not", [At(900, 900), At(1_500, 900)], [(600, 900)], "900–"),
      ("one in a break ends nothing", long + [At(650, 0)], [(640, 660)], "0–640"),
      ("a return after the break ends nothing more", long + [At(700, 0)], [(640, 660)], "0–640"),
      ("two breaks end it once", long + [At(9_000, 900)], [(640, 660), (700, 800)], "0–640"),
    ]
    for (name, positions, breaks, expected) in rows {
      #expect(Self.away(positions, breaks: breaks) == expected, "\(name)")
    }
  }

  // R: G7
  @Test("leaves out positions that are inaccurate or mock, and counts the doubt of others")
  func left() {
    let rows: [(String, [At], String)] = [
      ("500 m counts", [At(0, 900, accuracy: 500), At(600, 900, accuracy: 500)], "0–"),
      ("501 m does not begin it", [At(0, 900, accuracy: 501), At(600, 900)], ""),
      ("501 m does not make it last", [At(0, 900), At(600, 900, accuracy: 501)], ""),
      (
        "501 m does not end it",
        [At(0, 900), At(600, 900), At(700, 0, accuracy: 501), At(800, 900)], "0–"
      ),
      ("a mock one does not begin it", [At(0, 900, isMock: true), At(600, 900)], ""),
      ("a mock one does not end it", [At(0, 900), At(300, 0, isMock: true), At(600, 900)], "0–"),
      ("the doubt reaches the site", [At(0, 299, accuracy: 200), At(600, 299, accuracy: 200)], ""),
      ("the doubt does not", [At(0, 301, accuracy: 200), At(600, 301, accuracy: 200)], "0–"),
      ("at most 200 m of doubt", [At(0, 301, accuracy: 500), At(600, 301, accuracy: 500)], "0–"),
      ("an accuracy that is not given is no doubt", [At(0, 101), At(600, 101)], "0–"),
    ]
    for (name, positions, expected) in rows {
      #expect(Self.away(positions) == expected, "\(name)")
    }
  }

  // R: G7
  @Test("is from every site, and never without sites or under a policy that asks for none")
  func sites() {
    let positions = [At(0, 900), At(600, 900)]
    #expect(Self.away(positions, sites: []) == "")
    #expect(Self.away(positions, after: 0) == "")
    #expect(Self.away(positions, sites: [Self.site(), Self.site(Self.yard)]) == "0–")
    // The smallest and the largest radius.
    for (radius, meters) in [(Int32(50), 50.0), (5_000, 5_000)] {
      let sites = [Self.site(radius: radius)]
      #expect(Self.away([At(0, meters - 1), At(600, meters - 1)], sites: sites) == "", "\(radius)")
      #expect(
        Self.away([At(0, meters + 1), At(600, meters + 1)], sites: sites) == "0–", "\(radius)")
    }
    // At the other one for a moment.
    let round = [At(0, 900), At(300, 3_000), At(600, 900)]
    #expect(Self.away(round, sites: [Self.site(), Self.site(Self.yard)]) == "")
    #expect(Self.away(round) == "0–")
  }

  // R: G7
  @Test("the shortest and the longest time that a policy may name")
  func policy() {
    for seconds in [Int64(300), 7_200] {
      #expect(Self.away([At(0, 900), At(seconds, 900)], after: seconds) == "0–")
      #expect(Self.away([At(0, 900), At(seconds - 1, 900)], after: seconds) == "")
    }
    let allowed: [Int64] = [0, 300, 301, 7_200]
    let refused: [Int64] = [-1, 1, 60, 299, 7_201]
    for seconds in allowed { #expect(PolicySpan.awayAfter.allows(.seconds(seconds))) }
    for seconds in refused { #expect(!PolicySpan.awayAfter.allows(.seconds(seconds))) }
    #expect(!PolicySpan.awayAfter.allows(.milliseconds(300_500)))
    for preset in Preset.allCases { #expect(Policy.policy(of: preset).awayAfter == .zero) }
  }

  typealias Ended = (position: Coordinate?, accuracy: Double?, isOffSite: EndedOffSite)

  // R: G7
  @Test("a clock-out is off site, or not, or nobody knows; without sites nobody asks")
  func clockOut() {
    let rows: [Ended] = [
      (Self.depot, nil, .no), (Self.north(99), nil, .no), (Self.north(101), nil, .yes),
      (Self.north(299), 200, .no), (Self.north(301), 200, .yes), (Self.north(301), 500, .yes),
      (Self.north(301), 500.001, .unknown), (Self.depot, 501, .unknown), (nil, nil, .unknown),
    ]
    for row in rows {
      let position = row.position.map { ClockInPlace.Position($0, accuracyMeters: row.accuracy) }
      let place = ClockInPlace(sites: [Self.site()], position: position)
      #expect(place.endedOffSite == row.isOffSite, "\(row)")
      #expect(ClockInPlace(sites: [], position: position).endedOffSite == nil)
    }
  }
}
