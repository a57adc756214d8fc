public import ShiftDomain

/// The earth as a sphere of the mean radius; distances are within 0.6 % of those on the ellipsoid.
private let earthRadiusMeters = 6_371_008.8

/// Meters in one degree of latitude.
let metersInDegree = earthRadiusMeters * Double.pi / 180

extension Coordinate {
  /// Meters to another position not far away, also across the date line. Over hundreds of
  /// kilometers, the earth is not flat enough.
  public func meters(to other: Coordinate) -> Double {
    let offset = meters(to: other, at: (latitude + other.latitude) / 2)
    return (offset.east * offset.east + offset.north * offset.north).squareRoot()
  }

  /// Meters to any other position over ground, the shortest way: right at the poles, across the
  /// date line, and to the other side of the earth. The same bits on every machine.
  /// - Source: The haversine formula, in terms that are never subtracted from each other.
  public func metersOverGround(to other: Coordinate) -> Double {
    let (apart, sum) = ((other.latitude - latitude) / 2, (other.latitude + latitude) / 2)
    let east = longitude.degreesEast(to: other.longitude) / 2
    let (near, far) = (cosine(degrees: east), sine(degrees: east))
    let half = hypotenuse(sine(degrees: apart) * near, cosine(degrees: sum) * far)
    let rest = hypotenuse(cosine(degrees: apart) * near, sine(degrees: sum) * far)
    let angle = half < rest ? arcsine(half) : Double.pi / 2 - arcsine(rest)
    return 2 * earthRadiusMeters * angle
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
    let east = other - self
    if east > 180 { return east - 360 }
    return east < -180 ? east + 360 : east
  }
}

// Series of their own, which save a library: every machine, and every page, gets the same bits.
// They end where the next term is below 1e-15. Their steps are counted in whole numbers: a stride
// of numbers with fractions needs the library again.

/// For −90…90.
func cosine(degrees: Double) -> Double {
  let angle = degrees * Double.pi / 180
  var (sum, term) = (1.0, 1.0)
  for number in 1...11 {
    let step = Double(2 * number)
    term *= -angle * angle / (step * (step - 1))
    sum += term
  }
  return sum
}

/// For −90…90.
func sine(degrees: Double) -> Double {
  let angle = degrees * Double.pi / 180
  var (sum, term) = (angle, angle)
  for number in 1...10 {
    let step = Double(2 * number + 1)
    term *= -angle * angle / (step * (step - 1))
    sum += term
  }
  return sum
}

private func hypotenuse(_ one: Double, _ other: Double) -> Double {
  (one * one + other * other).squareRoot()
}

/// In radians, for 0…1. The series converges fast up to a half; above, the other half of the right
/// angle is halved.
func arcsine(_ ratio: Double) -> Double {
  if ratio > 0.5 { return Double.pi / 2 - 2 * arcsine(((1 - ratio) / 2).squareRoot()) }
  var (sum, term) = (ratio, ratio)
  for number in 0...20 {
    let step = Double(2 * number + 1)
    term *= ratio * ratio * step / (step + 1)
    sum += term / (step + 2)
  }
  return sum
}
