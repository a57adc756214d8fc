import GuardRules
import ManagerOperations
import ShiftDomain

extension ShiftView {
  /// The track, or the form that asks for a purpose; `nil` without the right to see it.
  var track: HTML? {
    switch trackAccess {
    case .none: nil
    case .onPurpose(let form): question(form)
    case .open(let points, let purpose): drawing(points, purpose)
    }
  }

  private func question(_ form: TrackForm) -> HTML {
    let fault = HTML.fault("Enter a purpose of at most 500 characters.")
    return """
      <section class="card" aria-labelledby="track"><h2 id="track">Track</h2>
      <form method="post" action="\(path)/track#track" class="stack">
      \(form.isRefused ? fault : nil)
      <label for="purpose">Purpose (visible to the employee)</label>
      <input id="purpose" name="purpose" maxlength="500" required value="\(form.purpose)">
      <p class="aside">Opening the track is recorded in the audit log with your name, the time and \
      the purpose. \(details.row.name) can read this entry.</p>
      <div class="buttons"><button>Show the track</button>\
      \(["gpx", "geojson", "csv"].map { download($0) })</div>
      </form></section>
      """
  }

  /// The download is recorded as an export.
  private func download(_ format: String) -> HTML {
    """
    <button class="quiet" formmethod="get" formaction="/v1\(path)/track" name="format" \
    value="\(format)">\(format == "geojson" ? "GeoJSON" : format.uppercased())</button>
    """
  }

  private func drawing(_ points: [TrackPoint], _ purpose: String) -> HTML {
    let drawing = TrackDrawing(points, gapMin: .minutes(3))
    let kilometres = Int((drawing.length / 100).rounded())
    let gaps: HTML = drawing.gaps == 1 ? "1 gap" : "\(drawing.gaps) gaps"
    let name: HTML = """
      \(points.count) positions, \(kilometres / 10).\(kilometres % 10) km, \(gaps)
      """
    let caption: HTML = """
      <p class="aside">\(name). Dashed lines are gaps without positions.</p>
      """
    let content: HTML =
      points.isEmpty
      ? "<p>This shift has no positions, or they have been deleted.</p>"
      : "<div class=\"laid\">\(map(points, name))\(drawing.html(named: name))</div>\(caption)"
    return """
      <section class="card" aria-labelledby="track"><h2 id="track">Track</h2>
      <p class="aside">Purpose: “\(purpose)”. This is logged.</p>
      \(content)
      </section>
      """
  }

  /// The data from which the script draws a map, if map tiles are configured.
  private func map(_ points: [TrackPoint], _ name: HTML) -> HTML? {
    guard let tiles else { return nil }
    let places = points.map { "\($0.latitude),\($0.longitude),\($0.at.milliseconds / 1_000)" }
    return """
      <div id="map" class="map" role="group" aria-label="Map: \(name)" hidden \
      data-tiles="\(tiles.template)" data-thanks="\(tiles.attribution)" \
      data-points="\(places.joined(separator: ";"))"></div>
      """
  }
}
