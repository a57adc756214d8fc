public import ShiftDomain

/// Meters in one degree of latitude.
let metersInDegree = 111_320.0

private let earthRadiusMeters = metersInDegree * 180 / Double.pi

extension Coordinate {
  /// Meters to another position not far away, also across the date line. Over hundreds of
  /// kilometers, the earth is not flat enough.
  public func meters(to other: Coordinate) -> Double {
    let offset = meters(to: other, at: (latitude + other.latitude) / 2)
    return (offset.east * offset.east + offset.north * offset.north).squareRoot()
  }

  /// Meters to any other position in a straight line, through the earth: right at the poles and at
  /// the date line. Up to ten kilometers, the way over ground is longer by a millimeter.
  /// - Source: The haversine formula, without its last step.
  public func chordMeters(to other: Coordinate) -> Double {
    let north = sine(degrees: (other.latitude - latitude) / 2)
    let east = sine(degrees: longitude.degreesEast(to: other.longitude) / 2)
    let parallels = cosine(degrees: latitude) * cosine(degrees: other.latitude)
    // The series may give a cosine just below zero at a pole.
    let square = max(north * north + parallels * east * east, 0)
    return 2 * earthRadiusMeters * square.squareRoot()
  }

  /// Meters to another position, as on a map that is true to scale at `latitude`.
  public func meters(to other: Coordinate, at latitude: Double) -> (east: Double, north: Double) {
    (
      east: longitude.degreesEast(to: other.longitude) * metersInDegree
        * cosine(degrees: latitude),
      north: (other.latitude - self.latitude) * metersInDegree
    )
  }
}

extension Double {
  /// From this longitude to another one, the shorter way: −180…180.
  public func degreesEast(to other: Double) -> Double {
    (other - self).remainder(dividingBy: 360)
  }
}

/// For −90…90. The series ends where the next term is below a hundred-millionth, which saves a
/// library.
private func cosine(degrees: Double) -> Double {
  let angle = degrees * Double.pi / 180
  var (sum, term) = (1.0, 1.0)
  for step in stride(from: 2.0, through: 14, by: 2) {
    term *= -angle * angle / (step * (step - 1))
    sum += term
  }
  return sum
}

/// For −90…90, also by a series.
private func sine(degrees: Double) -> Double {
  let angle = degrees * Double.pi / 180
  var (sum, term) = (angle, angle)
  for step in stride(from: 3.0, through: 15, by: 2) {
    term *= -angle * angle / (step * (step - 1))
    sum += term
  }
  return sum
}
