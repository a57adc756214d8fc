import GuardRules
import ShiftDomain

/// A track drawn without a map: north is up, lengths are to scale, and the line is dashed where no
/// positions are known.
struct TrackDrawing: Sendable {
  private static let width = 440.0
  private static let heightMax = 340.0
  private static let margin = 26.0
  /// A longer time between two points is a gap, where the line is a guess.
  private let gapMin: TimeSpan
  private var places: [(x: Double, y: Double)] = []
  private let points: [TrackPoint]
  private(set) var height = 140.0
  /// Metres for one unit of the drawing.
  private var scale = 1.0

  /// The largest number of points drawn: more cannot be told apart.
  private static let pointsMax = 2_000

  /// - Parameter points: In order of time; at least one.
  init(_ points: [TrackPoint], gapMin: TimeSpan) {
    self.gapMin = gapMin
    let step = max(1, points.count / Self.pointsMax)
    self.points = stride(from: 0, to: points.count, by: step).map { points[$0] }
    project()
  }

  private mutating func project() {
    guard let first = points.first else { return }
    let latitudes = points.map(\.latitude)
    let middle = ((latitudes.min() ?? 0) + (latitudes.max() ?? 0)) / 2
    let eastward = 111_320 * cosine(degrees: middle)
    let metres = points.map { point in
      (
        x: (point.longitude - first.longitude) * eastward,
        y: (first.latitude - point.latitude) * 111_320
      )
    }
    let (left, right) = (metres.map(\.x).min() ?? 0, metres.map(\.x).max() ?? 0)
    let (top, bottom) = (metres.map(\.y).min() ?? 0, metres.map(\.y).max() ?? 0)
    let room = (x: Self.width - 2 * Self.margin, y: Self.heightMax - 2 * Self.margin)
    scale = max((right - left) / room.x, (bottom - top) / room.y, 0.1)
    height = max(140, (bottom - top) / scale + 2 * Self.margin)
    let indent = (Self.width - (right - left) / scale) / 2
    let drop = (height - (bottom - top) / scale) / 2
    places = metres.map { (x: ($0.x - left) / scale + indent, y: ($0.y - top) / scale + drop) }
  }

  private func isGap(_ index: Int) -> Bool {
    points[index].at - points[index - 1].at > gapMin
  }

  var gaps: Int { points.indices.dropFirst().count { isGap($0) } }

  /// The length of the track without its gaps, in metres.
  var length: Double {
    points.indices.dropFirst().filter { !isGap($0) }.reduce(0) { sum, index in
      let (dx, dy) = (
        places[index].x - places[index - 1].x, places[index].y - places[index - 1].y
      )
      return sum + (dx * dx + dy * dy).squareRoot() * scale
    }
  }

  /// - Parameter name: The text for screen readers.
  func html(named name: HTML) -> HTML {
    var known: [UInt8] = []
    var unknown: [UInt8] = []
    for index in points.indices {
      let place = text(places[index])
      if index > 0, !isGap(index) {
        known += "L\(place)".utf8
      } else {
        known += "M\(place)".utf8
        if index > 0 { unknown += "M\(text(places[index - 1]))L\(place)".utf8 }
      }
    }
    return """
      <svg class="track" viewBox="0 0 \(Int(Self.width)) \(Int(height))" role="img" \
      aria-label="\(name)">\
      <path class="gap" d="\(String(decoding: unknown, as: UTF8.self))"/>\
      <path class="way" d="\(String(decoding: known, as: UTF8.self))"/>\
      \(ends)\(ruler)</svg>
      """
  }

  /// The marks of start and end; one label where two would overlap.
  private var ends: HTML? {
    guard let first = places.first, let last = places.last else { return nil }
    let isLoop = abs(first.x - last.x) < 48 && abs(first.y - last.y) < 18
    return """
      \(mark(first, "from", isLoop ? nil : "start"))\
      \(mark(last, "to", isLoop ? "start and end" : "end"))
      """
  }

  private func mark(_ place: (x: Double, y: Double), _ kind: HTML, _ word: HTML?) -> HTML {
    let label = word.map { word -> HTML in
      "<text x=\"\(oneDigit(place.x + 10))\" y=\"\(oneDigit(place.y + 5))\">\(word)</text>"
    }
    return """
      <circle class="\(kind)" cx="\(oneDigit(place.x))" cy="\(oneDigit(place.y))" r="6"/>\(label)
      """
  }

  /// A round length for scale: 1, 2 or 5 with zeros, at most a fifth of the width.
  private var ruler: HTML {
    let room = Self.width / 5 * scale
    var length = 1.0
    for step in [2, 2.5, 2].cycled(12) where length * step <= room { length *= step }
    let end = 16 + length / scale
    let name: HTML = length >= 1_000 ? "\(Int(length / 1_000)) km" : "\(Int(length)) m"
    return """
      <path class="ruler" d="M16 \(Int(height) - 22)v6H\(oneDigit(end))v-6"/>\
      <text x="\(oneDigit(end + 8))" y="\(Int(height) - 13)">\(name)</text>
      """
  }

  private func text(_ place: (x: Double, y: Double)) -> String {
    "\(oneDigit(place.x)) \(oneDigit(place.y))"
  }
}

extension [Double] {
  /// The elements repeated, `count` in all: factors 2, 2.5, 2 give the lengths 1, 2, 5, 10, 20 …
  fileprivate func cycled(_ count: Int) -> [Double] { (0..<count).map { self[$0 % self.count] } }
}

private func oneDigit(_ number: Double) -> String {
  let tenths = Int((number * 10).rounded())
  return "\(tenths / 10).\(abs(tenths % 10))"
}

/// Bhaskara's formula, exact to two thousandths: enough for a drawing, without a library.
private func cosine(degrees: Double) -> Double {
  let square = degrees * degrees
  return (32_400 - 4 * square) / (32_400 + square)
}
