import GuardRules
import GuardRulesWasm
import ShiftDomain

/// Where and when a clock-in is made, as the page hands it in.
struct PlaceCase {
  struct Circle {
    var latitude, longitude: Double
    var radius: Int32
  }

  struct Span {
    var start, end: Int64
  }

  static let sitesMax = 3
  static let shiftsMax = 2

  /// NaN: not given.
  var latitude, longitude, accuracy: Double
  var isMock: Bool
  var sites: [Circle]
  /// Milliseconds.
  var earlyWindow, knownUntil: Int64
  var shifts: [Span]
  /// Empty where it ends before it starts.
  var absence: Span

  /// 176 bytes, little-endian, as `run.mjs` reads them.
  var bytes: [UInt8] {
    let circles = (0..<Self.sitesMax).flatMap { index -> [UInt8] in
      guard index < sites.count else { return [UInt8](repeating: 0, count: 24) }
      let site = sites[index]
      return [site.latitude, site.longitude].flatMap(\.bitPattern.littleEndianBytes)
        + Int64(site.radius).littleEndianBytes
    }
    let spans = (0..<Self.shiftsMax).flatMap { index -> [UInt8] in
      guard index < shifts.count else { return [UInt8](repeating: 0, count: 16) }
      return [shifts[index].start, shifts[index].end].flatMap(\.littleEndianBytes)
    }
    let counts: [UInt32] = [isMock ? 1 : 0, UInt32(sites.count), UInt32(shifts.count), 0]
    return counts.flatMap(\.littleEndianBytes)
      + [latitude, longitude, accuracy].flatMap(\.bitPattern.littleEndianBytes) + circles
      + [earlyWindow, knownUntil].flatMap(\.littleEndianBytes) + spans
      + [absence.start, absence.end].flatMap(\.littleEndianBytes)
  }
}

/// What the place and the plan come to.
struct PlaceAnswer: Equatable {
  /// The bits of the largest margin, and of the distance from the first site.
  var margin, distance: UInt64
  var place, plan: UInt32
  /// Of the first planned shift.
  var nearness: Int64

  init(margin: Double, distance: Double, place: UInt32, plan: UInt32, nearness: Int64) {
    (self.margin, self.place, self.plan) = (margin.bitPattern, place, plan)
    self.nearness = nearness
    // A NaN has many patterns, and engines choose.
    self.distance = (distance.isNaN ? Double.nan : distance).bitPattern
  }
}

extension PlaceCase {
  /// By the functions that WebAssembly exports, called natively, as the page calls them.
  func nativeAnswer(at now: Int64) -> PlaceAnswer {
    let margin = sites.reduce(-Double.infinity) {
      shiftguardMargin(
        $0, latitude, longitude, accuracy, $1.latitude, $1.longitude, $1.radius)
    }
    let standing = shifts.reduce(0) {
      shiftguardPlanned($0, now, $1.start, $1.end, earlyWindow)
    }
    return PlaceAnswer(
      margin: margin,
      distance: sites.first.map {
        shiftguardDistance($0.latitude, $0.longitude, latitude, longitude)
      } ?? .nan,
      place: shiftguardPlace(margin, UInt32(sites.count), isMock ? 1 : 0),
      plan: shiftguardPlan(
        shiftguardAbsence(standing, now, absence.start, absence.end), now, knownUntil),
      nearness: shifts.first.map { shiftguardNearness(now, $0.start, $0.end) } ?? -1)
  }

  /// By the rules themselves.
  func ruledAnswer(at now: Int64, under policy: Policy) -> PlaceAnswer {
    let given = placeAndPlan(at: now)
    let instant = Instant(milliseconds: now)
    let position = Coordinate(latitude: latitude, longitude: longitude)
    return PlaceAnswer(
      margin: given.place?.nearest?.marginMeters ?? -.infinity,
      distance: given.place?.sites.first.flatMap { site in
        position.map { site.center.metersOverGround(to: $0) }
      } ?? .nan,
      place: given.place?.findings.rawValue ?? 0,
      plan: given.plan?.findings(at: instant, under: policy).rawValue ?? 0,
      nearness: given.plan?.planned.first?.distance(at: instant)?.milliseconds ?? -1)
  }

  func placeAndPlan(at now: Int64) -> PlaceAndPlan {
    let sites = sites.enumerated().compactMap { index, circle in
      Coordinate(latitude: circle.latitude, longitude: circle.longitude).map {
        Site(number: Int16(index + 1), name: "", center: $0, radiusMeters: circle.radius)
      }
    }
    let plan = ClockInPlan(
      planned: shifts.map(\.interval), absences: [absence.interval],
      knownUntil: Instant(milliseconds: knownUntil))
    return PlaceAndPlan(
      place: ClockInPlace(sites: sites, position: position),
      plan: plan)
  }

  /// What phones write when they do not know where they are is no position.
  private var position: ClockInPlace.Position? {
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude), !(accuracy < 0),
      latitude != 0 || longitude != 0
    else { return nil }
    return ClockInPlace.Position(
      coordinate, accuracyMeters: accuracy > 0 ? min(accuracy, 1e6) : nil, isMock: isMock)
  }
}

extension PlaceCase.Span {
  fileprivate var interval: Interval {
    Interval(from: Instant(milliseconds: start), to: Instant(milliseconds: end))
  }
}

extension PlaceCase {
  /// Positions all over the earth, its poles and the date line included, and beyond it; sites
  /// beside them and anywhere; plans around `now`.
  static func random(around now: Int64, _ random: inout SeededRandom) -> PlaceCase {
    let latitudes: [Double] = [
      90, -90, 0, random.degrees(90), random.degrees(90), 90.5, -.infinity,
    ]
    let longitudes: [Double] = [
      180, -180, 0, random.degrees(180), random.degrees(180), 180.5, .nan,
    ]
    let hour: Int64 = 3_600_000
    var made = PlaceCase(
      latitude: latitudes.pick(&random), longitude: longitudes.pick(&random),
      accuracy: [.nan, 0, 5, 199.99, 200, 500, 500.0.nextUp, 1e9, .infinity, -1].pick(&random),
      isMock: false, sites: [], earlyWindow: [0, 900_000, 4 * hour, -1, .max].pick(&random),
      knownUntil: now &+ [24 * hour, 12 * hour, 12 * hour + 1, 0, 1, .max].pick(&random),
      shifts: [], absence: Span(start: 0, end: 0))
    made.isMock = made.position != nil && random.oneIn(3)
    for _ in 0..<Int(random.next() % UInt64(sitesMax + 1)) {
      made.sites.append(made.site(&random))
    }
    for _ in 0..<Int(random.next() % UInt64(shiftsMax + 1)) {
      let start = now &+ [0, 900_000, 900_001, hour, 12 * hour, 12 * hour + 1, -hour].pick(&random)
      made.shifts.append(Span(start: start, end: start &+ [1, hour, 9 * hour].pick(&random)))
    }
    if random.oneIn(4) {
      let start = now &+ [0, 1, -hour].pick(&random)
      made.absence = Span(start: start, end: start &+ [1, hour, 9 * hour].pick(&random))
    }
    return made
  }

  /// Beside the position, across pole and date line too, or anywhere.
  private func site(_ random: inout SeededRandom) -> Circle {
    let radius: Int32 = [50, 100, 5_000, 0, -1, .max].pick(&random)
    guard let place = Coordinate(latitude: latitude, longitude: longitude), !random.oneIn(4) else {
      return Circle(
        latitude: random.degrees(90), longitude: random.degrees(180), radius: radius)
    }
    let reach = [0, 0.000_5, 0.002, 0.05].pick(&random)
    var (north, east) = (
      place.latitude + random.degrees(reach), place.longitude + random.degrees(reach)
    )
    if abs(north) > 90 { (north, east) = (north > 0 ? 180 - north : -180 - north, east + 180) }
    if east > 180 { east -= 360 }
    if east < -180 { east += 360 }
    return Circle(latitude: north, longitude: east, radius: radius)
  }
}

extension SeededRandom {
  /// Between `-limit` and `limit`.
  fileprivate mutating func degrees(_ limit: Double) -> Double {
    (Double(next() >> 11) / Double(1 << 53) * 2 - 1) * limit
  }
}
