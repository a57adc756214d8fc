// The entry points for place and plan. There is no memory for lists: the page calls a function for
// each site and planned shift with what came of those before, and begins with minus infinity or 0.
internal import GuardRules
internal import ShiftDomain

/// The larger of two margins: how far a position is inside the best site.
/// - Parameters:
///   - before: Of the sites before; minus infinity: there were none.
///   - latitude, longitude: Of the position, in degrees. A position that is not on earth, or is
///     exactly 0/0, does not count.
///   - accuracy: Its radius of uncertainty in meters; NaN or 0: not given. A position with a radius
///     below 0 does not count.
///   - siteLatitude, siteLongitude: Of the site's center; one that is not on earth is no site.
///   - radius: The site's, in meters.
/// - Returns: Minus infinity if no site can be compared with the position.
@c(shiftguard_margin)
public func shiftguardMargin(
  _ before: Double, _ latitude: Double, _ longitude: Double, _ accuracy: Double,
  _ siteLatitude: Double, _ siteLongitude: Double, _ radius: Int32
) -> Double {
  guard let center = Coordinate(latitude: siteLatitude, longitude: siteLongitude),
    let position = Fix(latitude, longitude, accuracy)?.position,
    let margin = position.marginMeters(in: center, radiusMeters: radius)
  else { return before }
  return margin > before ? margin : before
}

/// Meters over ground between two places in degrees; NaN if one of them is not on earth.
@c(shiftguard_distance)
public func shiftguardDistance(
  _ latitude: Double, _ longitude: Double, _ otherLatitude: Double, _ otherLongitude: Double
) -> Double {
  guard let place = Coordinate(latitude: latitude, longitude: longitude),
    let other = Coordinate(latitude: otherLatitude, longitude: otherLongitude)
  else { return .nan }
  return place.metersOverGround(to: other)
}

/// What the place of a clock-in comes to.
/// - Parameters:
///   - margin: Of `shiftguard_margin` over all sites.
///   - hasSites, isMock: 0 for no.
/// - Returns: A bit at each finding's raw value.
@c(shiftguard_place)
public func shiftguardPlace(_ margin: Double, _ hasSites: UInt32, _ isMock: UInt32) -> UInt32 {
  PlaceStanding(
    hasSites: hasSites != 0, marginMeters: margin > -.infinity ? margin : nil, isMock: isMock != 0
  ).findings.rawValue
}

/// Adds a planned shift to what others came to, as a standing word. Times are milliseconds.
/// - Parameter earlyWindow: How long before its start the employee may clock in.
@c(shiftguard_planned)
public func shiftguardPlanned(
  _ before: UInt32, _ now: Int64, _ start: Int64, _ end: Int64, _ earlyWindow: Int64
) -> UInt32 {
  let standing = PlanStanding(
    of: Interval(from: Instant(milliseconds: start), to: Instant(milliseconds: end)),
    at: Instant(milliseconds: now), earlyWindow: .milliseconds(earlyWindow))
  return before | standing.rawValue
}

/// How far the start of a planned shift is from `now`: the sites that the nearest one names are in
/// force, of equally near ones the one that starts first. -1: this one is over, or begins more than
/// twelve hours later.
@c(shiftguard_nearness)
public func shiftguardNearness(_ now: Int64, _ start: Int64, _ end: Int64) -> Int64 {
  let span = Interval(from: Instant(milliseconds: start), to: Instant(milliseconds: end))
  return PlannedSpan(span).distance(at: Instant(milliseconds: now))?.milliseconds ?? -1
}

/// Adds an absence, likewise.
@c(shiftguard_absence)
public func shiftguardAbsence(
  _ before: UInt32, _ now: Int64, _ start: Int64, _ end: Int64
) -> UInt32 {
  let standing = PlanStanding(
    ofAbsence: Interval(from: Instant(milliseconds: start), to: Instant(milliseconds: end)),
    at: Instant(milliseconds: now))
  return before | standing.rawValue
}

/// What a plan comes to.
/// - Parameters:
///   - standing: Of all planned shifts and absences.
///   - knownUntil: What begins from then on may be missing.
/// - Returns: A bit at each finding's raw value.
@c(shiftguard_plan)
public func shiftguardPlan(_ standing: UInt32, _ now: Int64, _ knownUntil: Int64) -> UInt32 {
  PlanStanding(rawValue: standing)
    .findings(
      at: Instant(milliseconds: now), knownUntil: Instant(milliseconds: knownUntil)
    ).rawValue
}

extension Fix {
  /// As a page has it, whose numbers are NaN where something is missing.
  fileprivate init?(_ latitude: Double, _ longitude: Double, _ accuracy: Double) {
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else { return nil }
    self.init(
      measuredAt: coordinate, accuracyMeters: accuracy.isNaN ? nil : accuracy,
      speedMetersPerSecond: nil, headingDegrees: nil, altitudeMeters: nil)
  }

  fileprivate var position: ClockInPlace.Position {
    ClockInPlace.Position(coordinate, accuracyMeters: accuracyMeters)
  }
}
