import GuardRules
import ShiftDomain
import ShiftOperations

extension ShiftView {
  /// Where somebody was, or the question what for; nothing for those without the right.
  var track: HTML? {
    switch trackAccess {
    case .none: nil
    case .onPurpose(let form): question(form)
    case .open(let points, let purpose): drawing(points, purpose)
    }
  }

  private func question(_ form: TrackForm) -> HTML {
    let fault = HTML.fault("Say what for, in 500 characters at most.")
    return """
      <section class="card" aria-labelledby="track"><h2 id="track">Track</h2>
      <form method="post" action="\(path)/track#track" class="stack">
      \(form.isRefused ? fault : nil)
      <label for="purpose">What is it for?</label>
      <input id="purpose" name="purpose" maxlength="500" required value="\(form.purpose)">
      <p class="aside">Where \(story.row.name) was is shown for a purpose. Who opened it, when and \
      what for is logged, and \(story.row.name) can read that.</p>
      <div class="buttons"><button>Show the track</button>\
      \(["gpx", "geojson", "csv"].map { download($0) })</div>
      </form></section>
      """
  }

  /// Takes the track home as a file, which is logged as that.
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
      <p class="aside">\(name); where nothing is known the line is dashed</p>
      """
    let content: HTML =
      points.isEmpty
      ? "<p>There is no position in this shift, or they are no longer kept.</p>"
      : "<div class=\"laid\">\(map(points, name))\(drawing.html(named: name))</div>\(caption)"
    return """
      <section class="card" aria-labelledby="track"><h2 id="track">Track</h2>
      <p class="aside">For: “\(purpose)”. This is logged.</p>
      \(content)
      </section>
      """
  }

  /// What the script makes a map of, where there are tiles to lay below.
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
