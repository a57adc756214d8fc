import GuardRules
import OperationCore
import ReadModels
import ShiftDomain
import Testing

@testable import WebPages

@Suite("The drawing of a track") struct TrackDrawingTests {
  private static let start = DemoDay.six

  private static func clock() throws -> TeamClock {
    try TeamClock(zone: "Europe/Zagreb", now: start + .hours(9))
  }

  private static func point(
    _ minute: Double, _ north: Double, _ east: Double, accuracy: Double? = 8, isMock: Bool = false
  ) throws -> TrackPoint {
    TrackPoint(
      at: start + .milliseconds(Int64(minute * 60_000)),
      place: try #require(Coordinate(latitude: north, longitude: east)), accuracy: accuracy,
      isMock: isMock)
  }

  private static func track(
    _ points: [TrackPoint], untracked: [Interval] = [], breaks: [Interval] = []
  ) -> Track {
    Track([
      TrackPart(points, fixAgeMax: .minutes(3), untracked: untracked, breaks: breaks)
    ])
  }

  private static func section(_ track: Track, page: Int = 1, tiles: MapTiles? = nil) throws
    -> String
  {
    let section = TrackSection(
      track: track, purpose: "</p>\"'<script>", clock: try clock(), action: "/track", page: page,
      tiles: tiles)
    return String(decoding: section.html.bytes, as: UTF8.self)
  }

  /// The boxes of all labels, as a browser would draw them.
  private static func labels(_ html: String) throws -> [(text: Substring, box: LabelPlaces.Box)] {
    try html.matches(of: /<text x="([\d.-]+)" y="([\d.-]+)">([^<]+)</).map { match in
      let (x, y) = (try #require(Double(match.1)), try #require(Double(match.2)))
      let width = Double(match.3.count) * 7
      return (match.3, LabelPlaces.Box(left: x, top: y - 11, right: x + width, bottom: y + 2))
    }
  }

  private static func checkLabels(_ html: String) throws {
    let labels = try labels(html)
    for (index, one) in labels.enumerated() {
      #expect(one.box.left >= 0 && one.box.right <= Projection.width, "\(one)")
      for other in labels.dropFirst(index + 1) {
        #expect(!one.box.overlaps(other.box), "\(one.text) over \(other.text)")
      }
    }
  }

  @Test("of a round tour has labels for start, end and times, none over another one")
  func loop() throws {
    let points = try (0...120).map { minute in
      let part = Double(minute) / 30
      let corner = [(0.0, 0.0), (0.0, 0.1), (0.1, 0.1), (0.1, 0.0), (0.0, 0.0)]
      let (from, to) = (corner[Int(part)], corner[min(Int(part) + 1, 4)])
      let share = part - part.rounded(.down)
      return try Self.point(
        Double(minute), 45 + from.0 + (to.0 - from.0) * share,
        14 + from.1 + (to.1 - from.1) * share)
    }
    let html = try Self.section(Self.track(points))
    let texts = try Self.labels(html).map(\.text)
    for text in ["start 06:00", "end 08:00", "06:30", "07:30"] {
      #expect(texts.contains { $0 == text }, "\(texts)")
    }
    #expect(try Self.labels(html).count <= 12)
    try Self.checkLabels(html)
    #expect(html.contains("121 positions, 38.0 km, 0 gaps"))
    // At one place all the time there is no room for times.
    let still = try (0...120).map { try Self.point(Double($0), 45, 14) }
    let stayed = try Self.section(Self.track(still))
    try Self.checkLabels(stayed)
    #expect(stayed.contains("<td>06:00–08:00<td>2 h<td class=\"place\">45.00000, 14.00000"))
    #expect(stayed.contains("0.0 km"))
  }

  @Test("of sites has the place that a point of it means, also at the date line and near a pole")
  func places() throws {
    for (first, second) in [
      ((45.0, 14.0), (45.01, 14.02)), ((-17.0, 179.99), (-17.02, -179.98)),
      ((89.0, 10.0), (89.001, 11.0)),
    ] {
      let places = [
        try #require(Coordinate(latitude: first.0, longitude: first.1)),
        try #require(Coordinate(latitude: second.0, longitude: second.1)),
      ]
      let drawing = Projection(places, reach: 500)
      let (from, to) = (drawing.spots[0], drawing.spots[1])
      let north = places[0].latitude - (to.y - from.y) * drawing.degrees.latitude
      let east = places[0].longitude + (to.x - from.x) * drawing.degrees.longitude
      #expect(abs(north - places[1].latitude) < 1e-9)
      #expect(abs(east.degreesEast(to: places[1].longitude)) < 1e-9)
      for spot in drawing.spots {
        let room = min(spot.x, Projection.width - spot.x, spot.y, drawing.height - spot.y)
        #expect(room * drawing.scale >= 500)
      }
      // Only the first one must lie in it.
      let near = Projection(places, fitting: 1, reach: 500)
      #expect(near.scale < drawing.scale && abs(near.spots[0].x - Projection.width / 2) < 1e-6)
    }
    let pole = Projection([try #require(Coordinate(latitude: 90, longitude: 0))], reach: 500)
    #expect(pole.degrees.longitude.isFinite)
  }

  @Test("ends the line at gaps and breaks, and not while a resting phone is tracked")
  func gaps() throws {
    let points = try [0.0, 1, 20, 21, 40, 41, 60].map {
      try Self.point($0, 45 + $0 / 1_000, 14)
    }
    func time(_ from: Int64, _ to: Int64) -> Interval {
      Interval(from: Self.start + .minutes(from), to: Self.start + .minutes(to))
    }
    let track = Self.track(points, untracked: [time(4, 20)], breaks: [time(22, 39)])
    #expect(track.places.map(\.cut) == [nil, nil, .gap, nil, .onBreak, nil, nil])
    let html = try Self.section(track)
    let way = try #require(html.firstMatch(of: /class="way" d="([^"]+)"/)).1
    #expect(way.split(separator: "M").count == 3)
    #expect(html.split(separator: "class=\"cut\" cx").count == 5)
    #expect(html.contains("colspan=\"4\">No positions for 19 min"))
    #expect(html.contains("colspan=\"4\">Break, no positions for 19 min"))
    #expect(html.contains("1 gap, 1 break"))
    // Only what was walked: 1, 1, 1 and 19 minutes.
    #expect(abs(track.length - 22 * 111.195) < 1)
  }

  @Test("marks mocked positions, which are no part of the line, and inaccurate ones")
  func quality() throws {
    let points = [
      try Self.point(0, 45, 14), try Self.point(1, 45.001, 14, accuracy: 49),
      try Self.point(2, 46, 15, isMock: true), try Self.point(3, 45.002, 14, accuracy: 200),
      try Self.point(4, 45.003, 14, accuracy: nil),
    ]
    let html = try Self.section(Self.track(points))
    let way = try #require(html.firstMatch(of: /class="way" d="([^"]+)"/)).1
    #expect(way.split(separator: "L").count == 4)
    #expect(html.split(separator: "class=\"rough\"").count == 2)
    #expect(html.contains("class=\"mock\"") && html.contains("Phone 1, mocked"))
    #expect(html.contains("5 positions, 0.3 km, 0 gaps, 1 mocked."))
    #expect(html.contains("<td>200 m<td>") && html.contains("<td>unknown<td>"))
    #expect(html.contains(",200,222,;") && html.contains(",8,111,m;"))
  }

  @Test("works for no position and for a single one, and escapes the purpose")
  func few() throws {
    #expect(try Self.section(Self.track([])).contains("There are no positions"))
    let html = try Self.section(Self.track([try Self.point(5, 45, 14)]))
    #expect(try Self.labels(html).map(\.text).first == "06:05")
    #expect(html.contains("1 position, 0.0 km, 0 gaps.") && html.contains("max=\"0\""))
    #expect(html.contains("“&lt;/p&gt;&quot;&#39;&lt;script&gt;”"))
    #expect(!html.contains("<script"))
    let mocked = try Self.section(Self.track([try Self.point(5, 45, 14, isMock: true)]))
    #expect(mocked.contains("class=\"mock\"") && mocked.contains("class=\"way\" d=\"\""))
  }

  @Test("is short across the date line, and fits at a pole")
  func edges() throws {
    let line = Self.track([try Self.point(0, -17, 179.99), try Self.point(1, -17, -179.99)])
    #expect(abs(line.length - 2_129) < 5)
    #expect(try Self.section(line).contains("2.1 km"))
    for north in [90.0, -90] {
      let track = Self.track(
        try (0..<6).map { try Self.point(Double($0), north, Double($0) * 60 - 150) })
      #expect(track.length < 0.01)
      try Self.checkLabels(try Self.section(track))
    }
  }

  @Test("of 10,000 positions is thinned out, and their list is complete, page by page")
  func many() throws {
    // Each 3 seconds, with a gap every thousand.
    let points = try (0..<10_000).map { index in
      let minute = Double(index) / 20 + Double(index / 1_000 * 10)
      return try Self.point(minute, 45 + Double(index) / 1_000_000, 14)
    }
    let untracked = (1..<10).map { hole in
      let end = points[hole * 1_000].at
      return Interval(from: end - .minutes(5), to: end)
    }
    let track = Self.track(points, untracked: untracked)
    #expect(track.count(of: .gap) == 9)
    let thin = track.thinned(to: TrackDrawing.placesMax)
    #expect(thin.count <= 2_020 && thin.count { $0.cut == .gap } == 9)
    #expect(thin.first == track.places.first && thin.last == track.places.last)
    var times: [Substring] = []
    for page in 1...10 {
      let html = try Self.section(track, page: page)
      #expect(html.utf8.count < 300_000, "\(html.utf8.count)")
      let rows = html.matches(of: /<tr><td>(\d\d:\d\d:\d\d)<td>/).map(\.1)
      #expect(rows.count == 1_000)
      times += rows
      #expect(html.contains("value=\"\(page + 1)\">Later") == (page < 10))
      #expect(html.contains("value=\"\(page - 1)\">Earlier") == (page > 1))
      #expect(html.contains("Positions \(page * 1_000 - 999) to \(page * 1_000) of 10000"))
    }
    let clock = try Self.clock()
    #expect(times.map { String($0) } == points.map { clock.toTheSecond($0.at) })
  }
}
