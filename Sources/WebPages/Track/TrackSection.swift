import GuardRules
import ReadModels
import ShiftDomain

/// An opened track: its drawing, a slider, the stops and the list of positions.
struct TrackSection: Sendable {
  /// The positions on one page of the list.
  static let rowsMax = 1_000

  var track: Track
  var purpose: String
  var clock: TeamClock
  /// The address of the form by which it was opened.
  var action: String
  /// The page of the list, from 1.
  var page = 1
  var tiles: MapTiles?
  /// The address of the team's sites, for viewers who may add one; `nil`: they may not.
  var sites: String?

  var html: HTML {
    """
    <section class="card" aria-labelledby="track"><h2 id="track">Track</h2>
    <p class="aside">Purpose: “\(purpose)”. This is logged.</p>
    \(track.places.isEmpty ? Self.nothing : content)
    </section>
    """
  }

  private static let nothing: HTML = """
    <p>There are no positions, or they have been deleted.</p>
    """

  private var content: HTML {
    let drawing = TrackDrawing(track, clock: clock)
    return """
      <div class="laid" data-points="\(drawing.points(withCoordinates: tiles != nil))">\
      \(tiles?.html(named: name))\(drawing.html(named: name))</div>
      <div class="scrub" hidden><label for="at">Position</label>\
      <input id="at" type="range" min="0" max="\(drawing.places.count - 1)" value="0" />\
      <label for="clock">Time</label><input id="clock" type="time" />\
      <output for="at clock"></output></div>
      <p class="aside">\(name).\(legend)</p>
      \(track.stays.isEmpty ? nil : stops)
      \(list)
      """
  }

  private var name: HTML {
    let length = oneDigit(track.length / 1_000)
    let (gaps, breaks) = (track.count(of: .gap), track.count(of: .onBreak))
    return """
      \(counted(track.places.count, "position")), \(length) km, \(counted(gaps, "gap"))\
      \(", \(counted(breaks, "break"))", if: breaks > 0)\
      \(", \(track.mocked) mocked", if: track.mocked > 0)
      """
  }

  private var legend: HTML {
    let isRough = track.places.contains {
      ($0.point.accuracy ?? 0) >= TrackDrawing.roughFrom
    }
    return """
      \(" The line ends where positions are missing.", if: track.places.contains { $0.cut != nil })\
      \(" Circles show how far off an inaccurate position may be.", if: isRough)\
      \(" Crosses are positions that another app mocked.", if: track.mocked > 0)
      """
  }

  private var stops: HTML {
    let rows = track.stays.enumerated().map { index, stay -> HTML in
      """
      <tr><td>\(index + 1)<td>\(clock.hourAndMinute(stay.time.start))–\
      \(clock.hourAndMinute(stay.time.end))<td>\(stay.time.length.words)\
      <td class="place">\(placeText(stay.center))\
      \(sites.map { path -> HTML in "<td>\(makeSite(of: stay, index + 1, on: path))" })

      """
    }
    return """
      <h3 id="stops">Stops</h3>
      <p class="aside">At least \(stayMin.words) within \(Int(stayRadius)) m.</p>
      <div class="scroll" tabindex="0" role="group" aria-labelledby="stops"><table><thead><tr>\
      <th scope="col">No.<th scope="col">Time<th scope="col">Length<th scope="col">Middle\
      \("<th scope=\"col\">Site", if: sites != nil)</thead>\
      \(rows)</table></div>
      """
  }

  /// By a form, because an address with a position in it would be kept in histories and logs.
  private func makeSite(of stay: Stay, _ number: Int, on path: String) -> HTML {
    """
    <form method="post" action="\(path)#site">\
    <input type="hidden" name="center" value="\(placeText(stay.center))">\
    <button class="quiet small" aria-label="Make this a site: stop \(number)">\
    Make this a site</button></form>
    """
  }

  private var list: HTML {
    let first = (page - 1) * Self.rowsMax
    let shown = track.places.dropFirst(first).prefix(Self.rowsMax)
    return """
      <h3 id="positions">Positions</h3>
      <div class="scroll" tabindex="0" role="group" aria-labelledby="positions"><table>\
      <thead><tr><th scope="col">Time<th scope="col">Accuracy<th scope="col">Source\
      <th scope="col">Position</thead>\(shown.map { row($0) })</table></div>
      \(track.places.count > Self.rowsMax ? pages(first + 1, first + shown.count) : nil)
      """
  }

  private func row(_ place: Track.Place) -> HTML {
    let point = place.point
    let cut: HTML? = place.cut.map { cut in
      let reason: HTML =
        switch cut {
        case .gap: "No positions"
        case .onBreak: "Break, no positions"
        case .betweenShifts: "Off shift"
        }
      return "<tr class=\"cut\"><td colspan=\"4\">\(reason) for \(place.pause.words)\n"
    }
    return """
      \(cut)<tr><td>\(clock.toTheSecond(point.at))<td>\(accuracyText(point.accuracy))\
      <td>Phone \(point.device)\(", mocked", if: point.isMock)\
      <td class="place">\(placeText(point.place))

      """
  }

  /// The other pages of the list. Each is another view, which is recorded.
  private func pages(_ first: Int, _ last: Int) -> HTML {
    func button(_ page: Int, _ name: HTML) -> HTML {
      "<button class=\"quiet\" name=\"page\" value=\"\(page)\">\(name)</button>"
    }
    return """
      <form method="post" action="\(action)#positions">
      <p class="aside">Positions \(first) to \(last) of \(track.places.count). Other pages are \
      recorded as views too.</p>
      <input type="hidden" name="purpose" value="\(purpose)">
      <div class="row">\(button(page - 1, "Earlier"), if: page > 1)\
      \(button(page + 1, "Later"), if: last < track.places.count)</div></form>
      """
  }
}

/// Such as `8 m`.
func accuracyText(_ meters: Double?) -> HTML {
  meters.map { "\(Int($0.rounded())) m" } ?? "unknown"
}

/// Latitude and longitude with five decimals, about a meter.
func placeText(_ place: Coordinate) -> String {
  "\(fiveDigits(place.latitude)), \(fiveDigits(place.longitude))"
}

private func fiveDigits(_ degrees: Double) -> String {
  let places = Int((degrees * 100_000).rounded())
  let digits = String(abs(places) % 100_000)
  return "\(places < 0 ? "-" : "")\(abs(places) / 100_000)."
    + String(repeating: "0", count: 5 - digits.count) + digits
}

private func counted(_ number: Int, _ word: HTML) -> HTML {
  "\(number) \(word)\("s", if: number != 1)"
}
