import ReadModels
import ShiftDomain

/// The sites of a team on a drawing, or on a map where tiles are configured. With the script, the
/// place of another one is chosen on it; without, it only shows the circles.
struct SitePicker: Sendable {
  struct Circle: Sendable {
    var center: Coordinate
    /// In meters.
    var radius: Double
  }

  /// So many meters around the sites can be chosen on a drawing.
  private static let reach = 1_000.0
  /// Smaller circles could not be seen.
  private static let radiusMin = 3.0

  var sites: [Site]
  /// The circle in the form.
  var chosen: Circle?
  var tiles: MapTiles?

  /// `nil` while there is neither a map nor a place to draw.
  var html: HTML? {
    let drawing = self.drawing
    guard tiles != nil || drawing != nil else { return nil }
    return """
      <div class="laid pick">\
      \(tiles?.html(named: "choose a place", describedBy: "about-pick"))\(drawing)</div>
      <p class="aside" id="about-pick" hidden>Click the place, or move the cross with the arrow \
      keys and press Enter. Without a map, Shift makes smaller steps.</p>
      <p class="aside" id="picked" role="status"></p>
      """
  }

  private var drawing: HTML? {
    let places = (chosen.map { [$0.center] } ?? []) + sites.map(\.center)
    guard let first = places.first else { return nil }
    let widest = chosen?.radius ?? sites.map { Double($0.radiusMeters) }.max() ?? 0
    let projection = Projection(
      places, fitting: chosen == nil ? nil : 1, reach: max(Self.reach, 3 * widest))
    let origin = projection.spots[0]
    let fit: String = [
      first.latitude, first.longitude, origin.x, origin.y, projection.degrees.latitude,
      projection.degrees.longitude, projection.scale,
    ].map { "\($0)" }.joined(separator: ",")
    let (x, y): (String, String) = (oneDigit(origin.x), oneDigit(origin.y))
    let radius = max((chosen?.radius ?? 0) / projection.scale, Self.radiusMin)
    return """
      <svg class="track" viewBox="0 0 \(Int(Projection.width)) \(Int(projection.height))" \
      role="img" aria-label="Drawing of the sites" aria-describedby="about-pick" \
      data-fit="\(fit)">\(circles(in: projection))\(projection.rulerDrawing)\
      <circle class="chosen" cx="\(x)" cy="\(y)" r="\(oneDigit(radius))"\
      \(" hidden", if: chosen == nil) />\
      <path class="aim" d="M-9 0H9M0-9V9" hidden /></svg>
      """
  }

  private func circles(in projection: Projection) -> [HTML] {
    var labels = LabelPlaces(in: projection)
    return zip(sites, projection.spots.suffix(sites.count)).map { site, spot in
      labels.reserve(spot, radius: 6)
      let radius = max(Double(site.radiusMeters) / projection.scale, Self.radiusMin)
      return "\(spot.circle("site", radius: radius))\(labels.name(site.name, beside: spot))"
    }
  }
}
