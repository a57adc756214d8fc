import Foundation
import GuardRules
import ShiftDomain
import Testing

@Suite("Visits to sites") struct SiteVisitTests {
  private static let degree = 111_320.0
  private static let depot = coordinate(45.3, 13.7)

  private static func site(
    _ number: Int16 = 1, at center: Coordinate = depot, radius: Int32 = 200
  ) -> Site {
    Site(number: number, name: "Depot \(number)", center: center, radiusMeters: radius)
  }

  /// A fix this many meters north of the depot.
  struct Step: Sendable {
    var minute: Int64
    var meters: Double
    var accuracy: Double?
    var proof: FixProof?
    var isStationary = false
    /// The minute until which it rests.
    var rest: Int64?

    init(
      _ minute: Int64, _ meters: Double, accuracy: Double? = nil, _ proof: FixProof = .position,
      rest: Int64? = nil
    ) {
      (self.minute, self.meters, self.accuracy) = (minute, meters, accuracy)
      (self.proof, self.rest) = (proof, rest)
    }

    /// A sign of life.
    init(_ minute: Int64, isStationary: Bool = false, rest: Int64? = nil) {
      (self.minute, meters, proof) = (minute, 0, nil)
      (self.isStationary, self.rest) = (isStationary, rest)
    }
  }

  struct Walk: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var steps: [Step]
    /// `arrival–last seen`, in minutes, with a full stop behind one that has ended.
    var visits: [String]
  }

  static let walks = [
    Walk(testDescription: "no fix", steps: [], visits: []),
    Walk(testDescription: "never inside", steps: [Step(0, 900), Step(1, 201)], visits: []),
    Walk(
      testDescription: "the edge itself is inside", steps: [Step(0, 900), Step(1, 199.9)],
      visits: ["1–1"]),
    Walk(
      testDescription: "from the first fix inside to the last",
      steps: [Step(0, 900), Step(1, 150), Step(2, 0), Step(9, 10), Step(10, 900)],
      visits: ["1–9."]),
    Walk(
      testDescription: "still there at the end", steps: [Step(0, 0), Step(30, 5)],
      visits: ["0–30"]),
    Walk(
      testDescription: "a gap leaves it open", steps: [Step(0, 0), Step(1, 0), Step(200, 0)],
      visits: ["0–200"]),
    Walk(
      testDescription: "after a gap outside, it was last seen before",
      steps: [Step(0, 0), Step(1, 0), Step(200, 5_000)], visits: ["0–1."]),
    Walk(
      testDescription: "jitter at the edge makes one visit",
      steps: [Step(0, 190), Step(1, 210), Step(2, 195), Step(3, 249), Step(4, 180), Step(5, 251)],
      visits: ["0–4."]),
    Walk(
      testDescription: "an inaccurate fix must be further outside",
      steps: [Step(0, 0), Step(1, 299, accuracy: 100), Step(2, 301, accuracy: 100)],
      visits: ["0–0."]),
    Walk(
      testDescription: "a fix less accurate than the circle decides nothing",
      steps: [
        Step(0, 0, accuracy: 201), Step(1, 0, accuracy: 200), Step(2, 0, accuracy: 201),
        Step(3, 5_000, accuracy: 201),
      ],
      visits: ["1–1"]),
    Walk(
      testDescription: "a mocked fix decides nothing",
      steps: [Step(0, 0, .mock), Step(1, 0), Step(2, 900, .mock), Step(3, 0, .mock)],
      visits: ["1–1"]),
    Walk(
      testDescription: "a fix less accurate than the policy requires decides nothing",
      steps: [Step(0, 0, .coarse), Step(1, 0), Step(2, 900, .coarse), Step(3, 0, .coarse)],
      visits: ["1–1"]),
    Walk(
      testDescription: "a phone that stands still is there, any other without a fix is not",
      steps: [
        Step(0, isStationary: true), Step(2, 0), Step(10, 0), Step(120, isStationary: true),
        Step(240, isStationary: true), Step(245), Step(250, 900), Step(260, isStationary: true),
      ],
      visits: ["2–240."]),
    Walk(
      testDescription: "a phone that stands still at the edge, after a fix outside, is not",
      steps: [Step(0, 0), Step(1, 210), Step(9, isStationary: true)], visits: ["0–0"]),
    Walk(
      testDescription: "a rest lasts up to its end", steps: [Step(0, 0), Step(5, rest: 30)],
      visits: ["0–30"]),
    Walk(
      testDescription: "a rest lasts up to its end, also with a fix and a later ping",
      steps: [Step(0, 0, rest: 30), Step(40), Step(50, 900)], visits: ["0–30."]),
    Walk(
      testDescription: "a rest lasts at most up to the next ping",
      steps: [Step(0, 0, rest: 30), Step(20), Step(50, 900)], visits: ["0–20."]),
    Walk(
      testDescription: "twice", steps: [Step(0, 0), Step(1, 900), Step(2, 0), Step(3, 900)],
      visits: ["0–0.", "2–2."]),
  ]

  @Test("are found among fixes", arguments: walks)
  func walk(_ walk: Walk) {
    var visits = SiteVisits(to: [Self.site()])
    for step in walk.steps {
      let place = coordinate(45.3 + step.meters / Self.degree, 13.7)
      let start = Instant(milliseconds: 0)
      visits.add(
        ReceivedPing(
          device: 1, effectiveAt: start + .minutes(step.minute), fix: step.proof,
          isStationary: step.isStationary, restsUntil: step.rest.map { start + .minutes($0) }),
        at: step.proof.map { _ in Fix(coordinate: place, accuracyMeters: step.accuracy) })
    }
    let found = visits.found.map { visit in
      "\(visit.arrivedAt.milliseconds / 60_000)–\(visit.lastSeenAt.milliseconds / 60_000)"
        + (visit.hasLeft ? "." : "")
    }
    #expect(found == walk.visits)
    #expect(visits.found.allSatisfy { $0.site == 1 && $0.name == "Depot 1" })
  }

  @Test("to sites that overlap are several, by arrival")
  func overlapping() {
    var visits = SiteVisits(to: [Self.site(1, radius: 100), Self.site(2, radius: 1_000)])
    for (minute, meters) in [(0, 500.0), (1, 50), (2, 500), (3, 5_000)] {
      visits.add(minute, coordinate(45.3 + meters / Self.degree, 13.7))
    }
    #expect(visits.found.map(\.site) == [2, 1])
    #expect(visits.found.map(\.lastSeenAt.milliseconds) == [120_000, 60_000])
  }

  @Test("are at most so many, the first ones")
  func bounded() {
    var visits = SiteVisits(to: [Self.site()])
    for minute in 0..<1_000 {
      let place = coordinate(45.3 + (minute.isMultiple(of: 2) ? 0 : 0.01), 13.7)
      visits.add(minute, place)
      #expect(visits.isFull == (minute >= 399))
    }
    #expect(visits.found.count == SiteVisits.countMax)
    #expect(visits.found.last?.arrivedAt == Instant(milliseconds: 398 * 60_000))
  }

  struct Pair: Sendable {
    var one: (Double, Double)
    var other: (Double, Double)
    var isInside: Bool
  }

  /// Sites with a radius of 300 m at places where a flat map fails.
  static let places = [
    Pair(one: (0, 179.9999), other: (0, -179.9999), isInside: true),
    Pair(one: (0, 180), other: (0, -180), isInside: true),
    Pair(one: (-17, -179.999), other: (-17, 179.999), isInside: true),
    Pair(one: (-17, -179.998), other: (-17, 179.998), isInside: false),
    Pair(one: (0, 179), other: (0, -179), isInside: false),
    // 223 m beyond the pole on the other side; on a map true to scale there, 350 m.
    Pair(one: (89.999, 0), other: (89.999, 180), isInside: true),
    Pair(one: (-89.999, -90), other: (-89.999, 90), isInside: true),
    Pair(one: (89.998, 0), other: (89.998, 180), isInside: false),
    Pair(one: (90, 0), other: (90, 123), isInside: true),
    Pair(one: (90, 0), other: (89.998, -77), isInside: true),
    Pair(one: (-90, 0), other: (90, 0), isInside: false),
    Pair(one: (90, 0), other: (89.997, 5), isInside: false),
  ]

  @Test("are found at the date line and at the poles", arguments: places)
  func extremes(_ pair: Pair) {
    let center = coordinate(pair.one.0, pair.one.1)
    let place = coordinate(pair.other.0, pair.other.1)
    var visits = SiteVisits(to: [Self.site(at: center, radius: 300)])
    visits.add(0, place)
    #expect(visits.found.count == (pair.isInside ? 1 : 0))
  }
}

extension SiteVisits {
  /// Adds a fix.
  fileprivate mutating func add(_ minute: Int, _ place: Coordinate) {
    let at = Instant(milliseconds: 0) + .minutes(Int64(minute))
    add(
      ReceivedPing(device: 1, effectiveAt: at, fix: .position), at: Fix(coordinate: place))
  }
}
