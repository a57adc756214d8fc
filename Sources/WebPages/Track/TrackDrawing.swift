import GuardRules
import ShiftDomain

/// A track drawn without a map. The line ends where positions are missing.
struct TrackDrawing: Sendable {
  typealias Spot = Projection.Spot

  /// The largest number of positions drawn: more cannot be told apart.
  static let placesMax = 2_000
  /// A position that may be this far off, in meters, is drawn with its circle.
  static let roughFrom = 50.0
  private static let circlesMax = 100
  private static let timesMax = 8

  let places: [Track.Place]
  private let projection: Projection
  private let stays: [Stay]
  private let staySpots: [Spot]
  private let clock: TeamClock
  private var labels: LabelPlaces

  /// - Parameter track: With at least one position.
  init(_ track: Track, clock: TeamClock) {
    places = track.thinned(to: Self.placesMax)
    stays = track.stays
    self.clock = clock
    projection = Projection(places.map(\.point.place) + stays.map(\.center))
    staySpots = Array(projection.spots.dropFirst(places.count))
    labels = LabelPlaces(in: projection)
  }

  /// - Parameter name: The text for screen readers.
  func html(named name: HTML) -> HTML {
    var drawing = self
    // Start, end and stops get their places before the times.
    let marks = drawing.marks()
    let times = drawing.times()
    return """
      <svg class="track" viewBox="0 0 \(Int(Projection.width)) \(Int(projection.height))" \
      role="img" aria-label="\(name)">\(circles)\
      <path class="way" d="\(way)"/>\(cuts)\(mocked)\(times)\(marks)\(projection.rulerDrawing)\
      <circle class="here" r="7" hidden /></svg>
      """
  }

  /// What the script needs to show a position of the slider: x, y, time, accuracy, meters since the
  /// start, kind; with a map also latitude and longitude.
  func points(withCoordinates: Bool) -> String {
    zip(places, projection.spots).map { place, spot in
      let point = place.point
      let kind = point.isMock ? "m" : place.cut != nil ? "c" : ""
      var fields = [
        oneDigit(spot.x), oneDigit(spot.y), clock.toTheSecond(point.at),
        point.accuracy.map { "\(Int($0.rounded()))" } ?? "", "\(Int(place.meters.rounded()))", kind,
      ]
      if withCoordinates { fields += ["\(point.place.latitude)", "\(point.place.longitude)"] }
      return fields.joined(separator: ",")
    }.joined(separator: ";")
  }

  private var drawn: [(place: Track.Place, spot: Spot)] {
    Array(zip(places, projection.spots)).map { (place: $0.0, spot: $0.1) }
  }

  private var way: String {
    var bytes: [UInt8] = []
    for (place, spot) in drawn where !place.point.isMock {
      bytes += "\(bytes.isEmpty || place.cut != nil ? "M" : "L")\(spot.text)".utf8
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A mark at both ends of each interruption.
  private var cuts: [HTML] {
    var last: Spot?
    var ends: [Spot] = []
    for (place, spot) in drawn where !place.point.isMock {
      if place.cut != nil, let last { ends += [last, spot] }
      last = spot
    }
    return ends.map { $0.circle("cut", radius: 3.5) }
  }

  private var mocked: HTML? {
    let spots = drawn.filter { $0.place.point.isMock }.map(\.spot)
    guard !spots.isEmpty else { return nil }
    let crosses = spots.map { "M\(Spot(x: $0.x - 4, y: $0.y - 4).text)l8 8m-8 0l8-8" }
    return "<path class=\"mock\" d=\"\(crosses.joined())\"/>"
  }

  private var circles: [HTML] {
    let rough = drawn.filter { ($0.place.point.accuracy ?? 0) >= Self.roughFrom }
    let step = max(1, (rough.count + Self.circlesMax - 1) / Self.circlesMax)
    return stride(from: 0, to: rough.count, by: step).map { index in
      let (place, spot) = rough[index]
      return spot.circle("rough", radius: (place.point.accuracy ?? 0) / projection.scale)
    }
  }

  /// Start, end and stops.
  private mutating func marks() -> HTML {
    guard let first = drawn.first, let last = drawn.last else { return "" }
    var html = first.spot.circle("from", radius: 7)
    labels.reserve(first.spot, radius: 8)
    if places.count > 1 {
      html.append(last.spot.circle("to", radius: 4))
      labels.reserve(last.spot, radius: 5)
    }
    var numbered: [HTML] = []
    for (index, spot) in staySpots.enumerated() {
      guard labels.reserve(spot, radius: 8) else { continue }
      numbered.append(
        """
        \(spot.circle("stop", radius: 8))<text class="inside" x="\(oneDigit(spot.x))" \
        y="\(oneDigit(spot.y + 4))">\(index + 1)</text>
        """)
    }
    html.append("\(numbered)")
    let start = clock.hourAndMinute(first.place.point.at)
    html.append("\(labels.label(places.count > 1 ? "start \(start)" : start, beside: first.spot))")
    if places.count > 1 {
      let end = clock.hourAndMinute(last.place.point.at)
      html.append("\(labels.label("end \(end)", beside: last.spot))")
    }
    return html
  }

  /// The time of the first position after each round time, where there is room.
  private mutating func times() -> [HTML] {
    guard let first = places.first?.point.at, let last = places.last?.point.at else { return [] }
    let steps: [Int64] = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720, 1_440]
    let step = steps.first { (last - first).seconds / ($0 * 60) <= Self.timesMax } ?? 2_880
    var next = clock.hourBegin(first)
    var html: [HTML] = []
    for (place, spot) in drawn where !place.point.isMock && place.point.at >= next {
      defer { while next <= place.point.at { next = next + .minutes(step) } }
      // After an interruption, another time than the round one would be shown.
      guard next > first, place.point.at - next <= .minutes(2) else { continue }
      if let text = labels.label(clock.hourAndMinute(place.point.at), beside: spot) {
        html.append("\(spot.circle("tick", radius: 2.5))\(text)")
      }
    }
    return html
  }
}
