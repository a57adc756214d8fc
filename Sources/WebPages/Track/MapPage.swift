import GuardRules
import HTTPAPI
import HTTPServing
import InsightOperations
import ManagerCore
import OperationCore
import ReadModels
import ShiftDomain

/// The last positions of the employees on shift, once a purpose is given.
struct MapView: Sendable {
  /// The teams whose positions the viewer may see, to choose from.
  var choices: [TeamRow]
  /// Whether the viewer may add teams.
  var isAdministrator: Bool
  var team: TeamID?
  var form = TrackForm()
  /// A part for each team with somebody on shift.
  var teams: [MapTeam] = []
  /// `nil` until it is opened.
  var asOf: Instant?
  var tiles: MapTiles?

  static let path = "/map"
  /// How often the script refreshes an open map.
  private static let refreshSeconds = 15

  var page: Page {
    let names = choices.filter { team == nil || $0.team == team }
    let line: HTML =
      names.count == 1
      ? "<p>\(names.first?.name), employees on shift</p>"
      : "<p>Employees on shift</p>"
    return Page(
      "Map", in: .board, below: [.board], line: line,
      """
      \(choices.isEmpty ? noTeam : question)
      \(asOf.map { live(since: $0) })
      """)
  }

  /// The script sends `data-view` again for the positions of the same view.
  private func live(since opened: Instant) -> HTML {
    let view = Query().with("purpose", form.purpose).with("team", team.map { "\($0.rawValue)" })
      .with("opened", "\(opened.milliseconds)")
    return """
      <div id="open-map" data-view="\(view.text)" data-seconds="\(Self.refreshSeconds)" \
      data-minutes="\(mapViewMax.seconds / 60)">
      <div id="lost" hidden><p role="alert"></p><p></p></div>
      <p id="age" hidden></p>
      <div class="on-map">\(positions)</div></div>
      """
  }

  /// The part that the script replaces.
  var positions: HTML {
    teams.isEmpty ? Self.nobody : "\(teams.map { $0.html(tiles) })"
  }

  private var noTeam: HTML {
    isAdministrator
      ? """
      <p class="empty">No team yet. <a href="/settings/teams">Add a team</a>.</p>
      """
      : """
      <p class="empty">You cannot see the positions of any team. An administrator can give you the \
      right to track.</p>
      """
  }

  private static let nobody: HTML = "<p class=\"empty\">Nobody is on shift.</p>"

  private var question: HTML {
    let fault = HTML.fault("Enter a purpose of at most 500 characters.")
    return """
      <section class="card" aria-labelledby="open"><h2 id="open">Last positions</h2>
      <form method="post" action="\(Self.path)" class="stack">
      \(form.isRefused ? fault : nil)
      \(choices.count > 1 ? choice : nil)
      <label for="purpose">Purpose (visible to the employees)</label>
      <input id="purpose" name="purpose" maxlength="500" required value="\(form.purpose)">
      <p class="aside">Opening the map is recorded in the audit log with your name, the time and \
      the purpose, for each employee shown. They can read this entry. The open map is refreshed \
      for an hour; employees who begin a shift meanwhile get an entry too.</p>
      <button>Show the map</button>
      </form></section>
      """
  }

  private var choice: HTML {
    """
    <label for="team">Team</label>
    <select id="team" name="team"><option value="">All teams\
    \(choices.options(chosen: team.map { String($0.rawValue) }))</select>
    """
  }
}

/// The employees of one team on shift.
struct MapTeam: Sendable {
  var team: TeamID
  var name: String
  var clock: TeamClock
  var asOf: Instant
  /// By name.
  var employees: [EmployeeOnShift]
  /// Whether the viewer may open the pages of these shifts.
  var hasLinks: Bool

  /// Those with a position.
  private var located: [(row: EmployeeOnShift, fix: TrackFix)] {
    employees.compactMap { row in
      if case .known(let fix) = row.position { (row, fix) } else { nil }
    }
  }

  func html(_ tiles: MapTiles?) -> HTML {
    let id = team.rawValue
    let map = tiles?.html(named: "\(name)")
    let laid: HTML? = located.isEmpty ? nil : "<div class=\"laid\">\(map)\(drawing)</div>"
    return """
      <section class="card" aria-labelledby="team-\(id)"><h2 id="team-\(id)">\(name)</h2>
      <p class="aside">\(located.count) of \(employees.count) on shift with a position, as of \
      \(clock.toTheSecond(asOf)).</p>
      \(laid)
      <div class="scroll" tabindex="0" role="group" aria-labelledby="team-\(id)">\
      <table class="people"><thead><tr><th scope="col">Employee<th scope="col">Last position\
      <th scope="col">Accuracy<th scope="col">Position</thead>\
      \(employees.map { row($0, hasMap: tiles != nil) })</table></div>
      </section>
      """
  }

  private func row(_ row: EmployeeOnShift, hasMap: Bool) -> HTML {
    let path: HTML = "/employees/\(row.shift.employee.rawValue)/shifts/\(row.shift.number)"
    let name: HTML = hasLinks ? "<a href=\(path)>\(row.name)</a>" : "\(row.name)"
    switch row.position {
    case .known(let fix):
      let age = max(asOf - fix.at, .zero)
      let place = fix.fix.coordinate
      let degrees: String = "\(place.latitude),\(place.longitude)"
      return """
        <tr id=e\(row.shift.employee.rawValue)\(" data-place=\"\(degrees)\"", if: hasMap)>\
        <th scope=row>\(name)<td\(" class=old", if: age > row.fixAgeMax)>\
        \(clock.short(fix.at)), \(age.words) ago<td>\(accuracyText(fix.fix.accuracyMeters))\
        \(", mocked", if: fix.isMock)<td class="place">\(placeText(place))

        """
    case .absent(let absence):
      let reason: HTML =
        switch absence {
        case .onBreak(let since):
          "On a break since \(clock.short(since)): nothing is recorded, and nothing is shown"
        case .waitsForConfirmation: "Shift not confirmed by the employee yet: nothing is recorded"
        case .notYet: "No position since the clock-in at \(clock.short(row.startedAt))"
        }
      return """
        <tr id=e\(row.shift.employee.rawValue)><th scope=row>\(name)<td colspan=3>\(reason)

        """
    }
  }

  private var drawing: HTML {
    let projection = Projection(located.map(\.fix.fix.coordinate))
    var labels = LabelPlaces(in: projection)
    let spots = Array(zip(located, projection.spots))
    for (_, spot) in spots { labels.reserve(spot, radius: 6) }
    let marks = spots.map { person, spot -> HTML in
      let (row, fix) = person
      let isOld = asOf - fix.at > row.fixAgeMax
      let rough = fix.fix.accuracyMeters.flatMap { accuracy -> HTML? in
        accuracy < TrackDrawing.roughFrom
          ? nil : spot.circle("rough", radius: accuracy / projection.scale)
      }
      let kind: HTML = fix.isMock ? "cut" : isOld ? "from" : "to"
      return "\(rough)\(spot.circle(kind, radius: 5))\(labels.name(row.name, beside: spot))"
    }
    return """
      <svg class="track" viewBox="0 0 \(Int(Projection.width)) \(Int(projection.height))" \
      role="img" aria-label="Last positions of \(name), listed below">\(marks)\
      \(projection.rulerDrawing)</svg>
      """
  }
}

extension PageController {
  var mapRoutes: [AccessRoute] {
    [
      page(MapView.path, .listing(.track)) { request, principal in
        .page(try await mapView(of: try request.team(), for: principal).page)
      },
      // As for a track, a purpose is required each time.
      form(MapView.path, .listing(.track)) { request, fields, principal in
        let chosen = fields.text("team") ?? request.queryValue("team") ?? ""
        let team = Int32(chosen).map { TeamID($0) }
        guard team != nil || chosen.isEmpty else { throw PageNotFound() }
        var view = try await mapView(of: team, for: principal)
        guard let purpose = fields.purpose else {
          view.form = TrackForm(purpose: fields["purpose"], isRefused: true)
          return .page(view.page, status: 422)
        }
        let opened = try fields.text("opened").map { try Instant(opened: $0) }
        let map = try await operations.insight.openMap(
          of: team, by: principal, purpose: purpose, since: opened)
        view.form = TrackForm(purpose: purpose)
        try view.show(map, for: principal)
        return opened == nil ? .page(view.page) : .fragment(view.positions)
      },
    ]
  }

  private func mapView(of team: TeamID?, for principal: Principal) async throws -> MapView {
    let choices = try await teams(for: principal, with: .track, including: team)
    return MapView(
      choices: choices, isAdministrator: principal.role == .administrator, team: team,
      tiles: settings.mapTiles)
  }
}

extension Instant {
  /// When an open map was opened, as its script sends it.
  fileprivate init(opened text: String) throws(PageNotFound) {
    guard let milliseconds = Int64(text) else { throw PageNotFound() }
    self.init(milliseconds: milliseconds)
  }
}

extension MapView {
  fileprivate mutating func show(_ map: PositionMap, for principal: Principal) throws {
    asOf = map.asOf
    let byTeam = Dictionary(grouping: map.employees, by: \.team)
    teams = try choices.compactMap { row in
      guard let employees = byTeam[row.team] else { return nil }
      return MapTeam(
        team: row.team, name: row.name,
        clock: try TeamClock(zone: row.timeZone, now: map.asOf), asOf: map.asOf,
        employees: employees.sorted { ($0.name, $0.shift.employee) < ($1.name, $1.shift.employee) },
        hasLinks: principal.may(.coverage, of: row.team))
    }
  }
}
