import Foundation
import GuardRules
import ShiftDomain
import Testing

@Suite("Stays") struct StayTests {
  /// From a second implementation, with distances on a sphere: meters without gaps, and the stays
  /// of 90 seconds and of five minutes.
  static let recordings: [(file: String, meters: Double, short: Int, long: [String])] = [
    ("around-visnjan-with-car.gpx", 2_733, 2, []),
    ("cerknicko-jezero.gpx", 4_535, 14, ["16:07:15–16:12:38", "16:15:46–16:22:13"]),
    (
      "korita-zbevnica.gpx", 6_186, 45,
      [
        "10:25:01–10:31:31", "11:15:17–11:20:38", "11:21:40–11:26:40", "12:55:47–13:01:02",
      ]
    ),
  ]

  @Test("of real recordings are those of a second implementation", arguments: recordings)
  func recording(_ row: (file: String, meters: Double, short: Int, long: [String])) throws {
    let runs = try runs(of: row.file)
    let meters = runs.reduce(0.0) { sum, run in
      sum + zip(run, run.dropFirst()).reduce(0) { $0 + $1.0.place.meters(to: $1.1.place) }
    }
    #expect(abs(meters - row.meters) < row.meters / 500, "\(meters)")
    #expect(runs.flatMap { stays(among: $0, for: .seconds(90)) }.count == row.short)
    let long = runs.flatMap { stays(among: $0) }.map { stay in
      [stay.time.start, stay.time.end].map { $0.rfc3339.dropFirst(11).prefix(8) }
        .joined(separator: "–")
    }
    #expect(long == row.long)
  }

  /// Positions a minute apart, at these offsets from a place: north and east, in degrees.
  private static func walk(
    _ offsets: [(Double, Double)], from north: Double = 45, _ east: Double = 14
  ) throws -> [TimedPlace] {
    try offsets.enumerated().map { minute, offset in
      let longitude = (east + offset.1).remainder(dividingBy: 360)
      let place = Coordinate(latitude: north + offset.0, longitude: longitude)
      return TimedPlace(
        at: Instant(milliseconds: 0) + .minutes(Int64(minute)), place: try #require(place))
    }
  }

  @Test("need their time and their radius, to the last position near the middle")
  func limits() throws {
    #expect(stays(among: []) == [])
    let same = Array(repeating: (0.0, 0.0), count: 6)
    let stay = try #require(stays(among: try Self.walk(same)).first)
    #expect(stay.time.length == .minutes(5))
    #expect(stay.center == Coordinate(latitude: 45, longitude: 14))
    #expect(stays(among: try Self.walk(Array(same.dropLast()))) == [])
    #expect(stays(among: try Self.walk([(0, 0)])) == [])
    // One position 60 m away ends it, one 40 m away does not.
    let (far, near) = ((60 / 111_320.0, 0.0), (40 / 111_320.0, 0.0))
    #expect(stays(among: try Self.walk(same.dropLast(3) + [far] + same.dropLast(3))) == [])
    let whole = stays(among: try Self.walk(same.dropLast(3) + [near] + same.dropLast(3)))
    #expect(whole.map(\.time.length) == [.minutes(6)])
    let both = stays(among: try Self.walk(same + [far, far] + same))
    #expect(both.map(\.time.start) == [0, 8].map { Instant(milliseconds: 0) + .minutes($0) })
  }

  @Test("are found on the date line and at the poles")
  func edges() throws {
    let east = Array(repeating: [(0.0, 0.000_1), (0.0, -0.000_1)], count: 4).flatMap { $0 }
    let stay = try #require(stays(among: try Self.walk(east, from: 0, 180)).first)
    #expect(stay.time.length == .minutes(7) && abs(stay.center.longitude) > 179.999)
    // At a pole, all longitudes are the same place.
    let around = (0..<6).map { (0.0, Double($0) * 60) }
    for pole in [90.0, -90] {
      #expect(stays(among: try Self.walk(around, from: pole, 0)).count == 1)
    }
  }

  @Test("use distances that are short across the date line, and true at every latitude")
  func distances() throws {
    func place(_ north: Double, _ east: Double) throws -> Coordinate {
      try #require(Coordinate(latitude: north, longitude: east))
    }
    let line = try place(0, 179.999).meters(to: try place(0, -179.999))
    #expect(abs(line - 222.39) < 0.01)
    for (latitude, length) in [(0.0, 1_112.0), (45, 786.3), (60, 556.0), (-80, 193.1)] {
      let meters = try place(latitude, 14).meters(to: try place(latitude, 14.01))
      #expect(abs(meters - length) < 0.1, "\(latitude): \(meters)")
    }
  }

  /// The positions of a recording, divided where more than three minutes have none.
  private func runs(of file: String) throws -> [[TimedPlace]] {
    let url = try #require(
      Bundle.module.url(forResource: file, withExtension: nil, subdirectory: "Fixtures"))
    let text = try String(contentsOf: url, encoding: .utf8)
    let point = /<trkpt lat="([^"]+)" lon="([^"]+)">(?:(?!<\/trkpt>).)*<time>([^<]+)<\/time>/
    let places = try text.matches(of: point.dotMatchesNewlines()).map { match in
      let time = try Date(String(match.3), strategy: .iso8601).timeIntervalSince1970
      let place = Coordinate(
        latitude: try #require(Double(match.1)), longitude: try #require(Double(match.2)))
      return TimedPlace(
        at: Instant(milliseconds: Int64((time * 1_000).rounded())), place: try #require(place))
    }.sorted { $0.at < $1.at }
    return places.reduce(into: []) { runs, place in
      if let last = runs.last?.last, place.at - last.at <= .seconds(180) {
        runs[runs.count - 1].append(place)
      } else {
        runs.append([place])
      }
    }
  }
}
