import GuardRules
import ShiftDomain

/// Fits positions into a drawing: north is up, lengths are to scale.
struct Projection: Sendable {
  struct Spot: Hashable, Sendable {
    var x: Double
    var y: Double

    /// Such as `12.3 40.0`.
    var text: String { "\(oneDigit(x)) \(oneDigit(y))" }

    func circle(_ kind: HTML, radius: Double) -> HTML {
      """
      <circle class="\(kind)" cx="\(oneDigit(x))" cy="\(oneDigit(y))" r="\(oneDigit(radius))"/>
      """
    }
  }

  static let width = 360.0
  private static let heightMax = 320.0
  private static let margin = 26.0
  /// The strip below the positions in which the ruler lies.
  private static let rulerHeight = 24.0

  private(set) var spots: [Spot] = []
  private(set) var height = 140.0
  /// Meters in one unit of the drawing.
  private(set) var scale = 1.0
  /// Degrees in one unit of the drawing.
  private(set) var degrees = (latitude: 0.0, longitude: 0.0)

  /// - Parameters:
  ///   - fitting: How many of `places`, from the first, must lie in the drawing; `nil`: all.
  ///   - reach: The meters around them that must lie in it too.
  init(_ places: [Coordinate], fitting: Int? = nil, reach: Double = 0) {
    guard let first = places.first else { return }
    let latitudes = places.prefix(fitting ?? places.count).map(\.latitude)
    let middle = ((latitudes.min() ?? 0) + (latitudes.max() ?? 0)) / 2
    let meters = places.map { place -> Spot in
      let offset = first.meters(to: place, at: middle)
      return Spot(x: offset.east, y: -offset.north)
    }
    let fitted = meters.prefix(fitting ?? meters.count)
    let (xs, ys) = (fitted.map(\.x), fitted.map(\.y))
    let (left, right) = ((xs.min() ?? 0) - reach, (xs.max() ?? 0) + reach)
    let (top, bottom) = ((ys.min() ?? 0) - reach, (ys.max() ?? 0) + reach)
    let room = Spot(x: Self.width - 2 * Self.margin, y: Self.heightMax - 2 * Self.margin)
    scale = max((right - left) / room.x, (bottom - top) / room.y, 0.1)
    let inside = max(140, (bottom - top) / scale + 2 * Self.margin).rounded(.up)
    height = inside + Self.rulerHeight
    let indent = (Self.width - (right - left) / scale) / 2
    let drop = (inside - (bottom - top) / scale) / 2
    spots = meters.map {
      Spot(x: ($0.x - left) / scale + indent, y: ($0.y - top) / scale + drop)
    }
    guard let zero = Coordinate(latitude: 0, longitude: 0),
      let one = Coordinate(latitude: 1, longitude: 1)
    else { return }
    let degree = zero.meters(to: one, at: middle)
    // At a pole, a degree of longitude has no length.
    degrees = (latitude: scale / degree.north, longitude: scale / max(degree.east, 1))
  }

  /// A round length for scale: 1, 2 or 5 with zeros, at most a fifth of the width.
  private var ruler: (length: Double, name: HTML) {
    var length = 1.0
    for step in [2, 2.5, 2].cycled(12) where length * step <= Self.width / 5 * scale {
      length *= step
    }
    return (length, length >= 1_000 ? "\(Int(length / 1_000)) km" : "\(Int(length)) m")
  }

  private var rulerEnd: Double { 16 + ruler.length / scale }

  /// Where no label may stand.
  var rulerBox: LabelPlaces.Box {
    LabelPlaces.Box(left: 0, top: height - 30, right: rulerEnd + 60, bottom: height)
  }

  var rulerDrawing: HTML {
    """
    <path class="ruler" d="M16 \(Int(height) - 22)v6H\(oneDigit(rulerEnd))v-6"/>\
    <text x="\(oneDigit(rulerEnd + 8))" y="\(Int(height) - 13)">\(ruler.name)</text>
    """
  }
}

/// Finds places for labels, so that none lies over another one or over a mark.
struct LabelPlaces: Sendable {
  struct Box: Sendable {
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double

    func overlaps(_ other: Box) -> Bool {
      left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }
  }

  private static let lineHeight = 15.0
  /// A little more than the widest digit.
  private static let letterWidth = 7.4

  private let height: Double
  private var taken: [Box] = []

  init(in projection: Projection) {
    height = projection.height
    taken = [projection.rulerBox]
  }

  /// Keeps labels away from a mark, and says whether it had the place for itself.
  @discardableResult
  mutating func reserve(_ spot: Projection.Spot, radius: Double) -> Bool {
    let box = Box(
      left: spot.x - radius, top: spot.y - radius, right: spot.x + radius,
      bottom: spot.y + radius)
    let isFree = !taken.contains { $0.overlaps(box) }
    taken.append(box)
    return isFree
  }

  /// A name, shortened if it is long.
  mutating func name(_ name: String, beside spot: Projection.Spot) -> HTML? {
    label(name.count > 24 ? "\(name.prefix(23))…" : name, beside: spot)
  }

  /// `nil`: there is no room.
  mutating func label(_ text: String, beside spot: Projection.Spot) -> HTML? {
    place(text, beside: spot).map {
      "<text x=\"\(oneDigit($0.x))\" y=\"\(oneDigit($0.y))\">\(text)</text>"
    }
  }

  /// Where the text begins.
  private mutating func place(_ text: String, beside spot: Projection.Spot) -> Projection.Spot? {
    let width = Double(text.count) * Self.letterWidth
    let (half, line) = (width / 2, Self.lineHeight)
    let (right, left) = (spot.x + 11, spot.x - 11 - width)
    let (above, below) = (spot.y - 10 - line, spot.y + 10)
    let corners = [
      (right, spot.y - line / 2), (left, spot.y - line / 2), (spot.x - half, above),
      (spot.x - half, below), (right, above), (left, above), (right, below), (left, below),
    ]
    for (x, y) in corners {
      let box = Box(left: x, top: y, right: x + width, bottom: y + line)
      guard x >= 2, y >= 2, box.right <= Projection.width - 2, box.bottom <= height - 2,
        !taken.contains(where: { $0.overlaps(box) })
      else { continue }
      taken.append(box)
      return Projection.Spot(x: x, y: y + 12)
    }
    return nil
  }
}

extension [Double] {
  /// The elements repeated, `count` in all: factors 2, 2.5, 2 give the lengths 1, 2, 5, 10, 20 …
  fileprivate func cycled(_ count: Int) -> [Double] { (0..<count).map { self[$0 % self.count] } }
}

func oneDigit(_ number: Double) -> String {
  let tenths = Int((number * 10).rounded())
  return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
}
