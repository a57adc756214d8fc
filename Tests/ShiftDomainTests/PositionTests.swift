import ShiftDomain
import Testing

@Suite("Positions") struct PositionTests {
  typealias CoordinateRow = (name: String, latitude: Double, longitude: Double, isPlace: Bool)
  // R: B8
  static let coordinates: [CoordinateRow] = [
    ("an ordinary place", 45.27, 13.71, true),
    ("the middle of nowhere", 0, 0, true),
    ("minus zero is zero", -0.0, -0.0, true),
    ("the north pole on the date line", 90, 180, true),
    ("the south pole on the date line", -90, -180, true),
    ("a hair north of the pole", 90.0000001, 0, false),
    ("a hair south of the pole", -90.0000001, 0, false),
    ("a hair east of the date line", 0, 180.0000001, false),
    ("a hair west of the date line", 0, -180.0000001, false),
    ("latitude and longitude swapped", 120.5, 45, false),
    ("latitude not a number", .nan, 0, false),
    ("longitude not a number", 0, .nan, false),
    ("latitude infinite", .infinity, 0, false),
    ("latitude infinite southward", -.infinity, 0, false),
    ("longitude infinite", 0, .infinity, false),
    ("longitude infinite westward", 0, -.infinity, false),
    ("the smallest step within", 90.0.nextDown, 180.0.nextDown, true),
    ("the smallest step beyond", 90.0.nextUp, 180, false),
  ]

  @Test("are −90…90 north and −180…180 east, and nothing else", arguments: coordinates)
  func coordinate(_ row: CoordinateRow) {
    let coordinate = Coordinate(latitude: row.latitude, longitude: row.longitude)
    #expect((coordinate != nil) == row.isPlace)
    if row.isPlace {
      #expect(coordinate?.latitude == row.latitude)
      #expect(coordinate?.longitude == row.longitude)
    }
  }

  @Test("minus zero and zero are the same place")
  func oneZero() {
    let zero = Coordinate(latitude: 0, longitude: 0)
    #expect(zero == Coordinate(latitude: -0.0, longitude: -0.0))
    #expect(zero.hashValue == Coordinate(latitude: -0.0, longitude: -0.0).hashValue)
  }

  typealias QualityRow = (
    name: String, given: Double, accuracy: Double?, speed: Double?, heading: Double?,
    altitude: Double?
  )
  static let qualities: [QualityRow] = [
    ("ordinary", 12.5, 12.5, 12.5, 12.5, 12.5),
    ("zero is no accuracy but a speed", 0, nil, 0, 0, 0),
    ("minus one is Apple's invalid", -1, nil, nil, nil, -1),
    ("a full turn is north", 360, 360, 360, 0, 360),
    (
      "the last heading", 360.0.nextDown, 360.0.nextDown, 360.0.nextDown, 360.0.nextDown,
      360.0.nextDown
    ),
    (
      "the smallest positive", .leastNonzeroMagnitude, .leastNonzeroMagnitude,
      .leastNonzeroMagnitude,
      .leastNonzeroMagnitude, .leastNonzeroMagnitude
    ),
    ("not a number", .nan, nil, nil, nil, nil),
    ("infinite is no accuracy of none", .infinity, 1_000_000, nil, nil, nil),
    ("infinite downward", -.infinity, nil, nil, nil, nil),
  ]

  @Test("keep valid qualities and drop the others", arguments: qualities)
  func quality(_ row: QualityRow) throws {
    let place = try #require(Coordinate(latitude: 45, longitude: 13))
    let fix = Fix(
      coordinate: place, accuracyMeters: row.given, speedMetersPerSecond: row.given,
      headingDegrees: row.given, altitudeMeters: row.given)
    #expect(fix.coordinate == place)
    #expect(fix.accuracyMeters == row.accuracy)
    #expect(fix.speedMetersPerSecond == row.speed)
    #expect(fix.headingDegrees == row.heading)
    #expect(fix.altitudeMeters == row.altitude)
  }

  @Test("a battery level is 0…100 percent or missing")
  func battery() {
    for (given, kept) in [(-1, nil), (0, 0), (100, 100), (101, nil), (Int.max, nil), (.min, nil)] {
      let ping = Ping(
        recordedAt: Instant(milliseconds: 0), effectiveAt: Instant(milliseconds: 0), fix: nil,
        batteryPercent: given)
      #expect(ping.batteryPercent == kept, "\(given) %")
    }
  }

  // R: B8
  @Test("exactly 0/0 and a negative accuracy are no position, whatever is beside them")
  func unknown() throws {
    func fix(_ latitude: Double, _ longitude: Double, accuracy: Double? = nil) throws -> Fix? {
      Fix(
        measuredAt: try #require(Coordinate(latitude: latitude, longitude: longitude)),
        accuracyMeters: accuracy, speedMetersPerSecond: 3, headingDegrees: 450,
        altitudeMeters: nil)
    }
    #expect(try fix(0, 0) == nil && fix(-0.0, 0, accuracy: 5) == nil)
    #expect(try fix(1, 2, accuracy: -1) == nil && fix(-1, -1, accuracy: -2_147_473) == nil)
    #expect(try fix(0, 13.4) != nil && fix(51.5, 0) != nil && fix(-1, -1) != nil)
    #expect(try fix(1, 2, accuracy: 0)?.accuracyMeters == nil)
    #expect(try fix(1, 2)?.headingDegrees == 90)
  }
}
