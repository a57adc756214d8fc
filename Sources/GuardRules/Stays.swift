public import ShiftDomain

/// A position and its time.
public struct TimedPlace: Hashable, Sendable {
  public var at: Instant
  public var place: Coordinate

  public init(at: Instant, place: Coordinate) { (self.at, self.place) = (at, place) }
}

/// A time in which all positions lay near each other.
public struct Stay: Hashable, Sendable {
  /// From the first of them to the last.
  public var time: Interval
  /// Their middle.
  public var center: Coordinate
}

/// How far from their middle the positions of a stay may lie, in meters.
public let stayRadius = 50.0
/// The shortest stay.
public let stayMin = TimeSpan.minutes(5)

/// The stays among `places`, in order. What lies between two positions has to be known: a stay does
/// not go on across a gap, even if the phone is at the same place after it.
/// - Parameters:
///   - places: In order of time, without gaps.
///   - radius: In meters.
public func stays(
  among places: [TimedPlace], within radius: Double = stayRadius, for shortest: TimeSpan = stayMin
) -> [Stay] {
  var found: [Stay] = []
  var start = 0
  while start < places.count {
    var middle = Middle(places[start].place)
    var end = start + 1
    while end < places.count, middle.place.meters(to: places[end].place) <= radius {
      middle.add(places[end].place)
      end += 1
    }
    let time = Interval(from: places[start].at, to: places[end - 1].at)
    if time.length >= shortest {
      found.append(Stay(time: time, center: middle.place))
      start = end
    } else {
      start += 1
    }
  }
  return found
}

/// The mean of positions that are close to each other, also at the date line.
private struct Middle {
  private let first: Coordinate
  private var (north, east, count) = (0.0, 0.0, 1.0)

  init(_ first: Coordinate) { self.first = first }

  mutating func add(_ place: Coordinate) {
    north += place.latitude - first.latitude
    east += first.longitude.degreesEast(to: place.longitude)
    count += 1
  }

  var place: Coordinate {
    let longitude = (first.longitude + east / count).remainder(dividingBy: 360)
    return Coordinate(latitude: first.latitude + north / count, longitude: longitude) ?? first
  }
}
