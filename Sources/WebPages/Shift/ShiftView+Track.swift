import ShiftDomain

extension ShiftView {
  /// The track, or the form that asks for a purpose; `nil` without the right to see it.
  var track: HTML? {
    switch trackAccess {
    case .none: nil
    case .onPurpose(let form):
      form.html(
        action: path + "/track", employee: details.row.name,
        downloads: ["gpx", "geojson", "csv"].map { download($0) }, aside: day)
    case .open(let section): section.html
    }
  }

  private var day: HTML {
    let date = clock.time.date(of: details.row.startedAt)
    let path = DayTrackView.path(of: shift.employee, on: date)
    return "<p class=\"aside\"><a href=\"\(path)\">All shifts of this day on one track</a></p>"
  }

  /// The download is recorded as an export.
  private func download(_ format: String) -> HTML {
    """
    <button class="quiet" formmethod="get" formaction="/v1\(path)/track" name="format" \
    value="\(format)">\(format == "geojson" ? "GeoJSON" : format.uppercased())</button>
    """
  }
}

extension TrackForm {
  /// The form that asks for the purpose of opening a track.
  /// - Parameters:
  ///   - downloads: Further buttons.
  ///   - aside: Shown below the form.
  func html(action: String, employee: String, downloads: [HTML] = [], aside: HTML? = nil) -> HTML {
    let fault = HTML.fault("Enter a purpose of at most 500 characters.")
    return """
      <section class="card" aria-labelledby="track"><h2 id="track">Track</h2>
      <form method="post" action="\(action)#track" class="stack">
      \(isRefused ? fault : nil)
      <label for="purpose">Purpose (visible to the employee)</label>
      <input id="purpose" name="purpose" maxlength="500" required value="\(purpose)">
      <p class="aside">Opening the track is recorded in the audit log with your name, the time and \
      the purpose. \(employee) can read this entry.</p>
      <div class="buttons"><button>Show the track</button>\(downloads)</div>
      </form>\(aside)</section>
      """
  }
}
