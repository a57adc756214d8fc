import ManagerCore
import PeopleOperations
import ReadModels
import ShiftDomain

/// The places of work of a team.
struct SitesView: FormView {
  var team: TeamRow
  var sites: [Site]
  var principal: Principal
  /// The site that the form changes; `nil`: it adds one.
  var changing: Site?
  /// The site whose removal must be confirmed.
  var removing: Site?
  var typed: FormFields?
  var done: HTML?
  var fault: HTML?
  var tiles: MapTiles?

  /// Meters, for a new site.
  static let usualRadius = "200"

  private var mayChange: Bool { principal.role == .administrator }
  private var path: String { Self.path(of: team.team) }

  static func path(of team: TeamID) -> String { "/settings/teams/\(team.rawValue)/sites" }

  /// `nil` for those who may not add a site.
  static func path(of team: TeamID, ifChangedBy principal: Principal) -> String? {
    principal.role == .administrator ? path(of: team) : nil
  }

  private var center: String { typed?["center"] ?? changing?.center.degrees ?? "" }
  private var radius: String {
    typed?["radius"] ?? changing.map { String($0.radiusMeters) } ?? Self.usualRadius
  }

  var page: Page {
    Page(
      setting: "Sites",
      below: Crumb(name: "\(team.name)", path: "/settings/teams/\(team.team.rawValue)"),
      line: "<p>Places of work of \(team.name)</p>", done: done, fault: fault,
      """
      \(removal)
      <div class="columns even"><div>\(list)</div><div>\(mayChange ? form : onlyReading)</div></div>
      """)
  }

  private var onlyReading: HTML {
    "<p class=\"aside\">Only administrators can change the sites.</p>"
  }

  private var removal: HTML? {
    removing.map { site in
      Confirmation(
        question: "Remove \(site.name)?",
        consequences: """
          <p>New shifts will not show visits to this site. Ended shifts keep theirs until they \
          are computed again, for example after a correction.</p>
          """, button: "Remove site", action: "\(path)/\(site.number)/remove",
        keep: Crumb(name: "Keep site", path: "\(path)")
      ).card
    }
  }

  private var list: HTML {
    let none: HTML = "<p class=\"aside\">No sites yet: clock-in is allowed anywhere.</p>"
    return """
      <section aria-labelledby="all"><h2 id="all">Sites</h2>
      \(sites.isEmpty ? none : "<ul class=\"given\">\(sites.map { line($0) })</ul>")
      <p class="aside">The <a href="/settings/teams/\(team.team.rawValue)">policy</a> says what \
      happens to a clock-in off site, and whether employees away from every site are shown.</p>
      <p class="aside">When a shift has ended, it shows managers who may see tracks when the \
      employee’s phone came to a site and when it was last there; so does the time sheet.</p>\
      </section>
      """
  }

  private func line(_ site: Site) -> HTML {
    let actions: HTML = """
      <div class="buttons"><a class="button quiet small" href="\(path)?site=\(site.number)" \
      aria-label="Change: \(site.name)">Change</a>\
      <form method="post" action="\(path)/\(site.number)/remove">\
      <button class="quiet small" aria-label="Remove: \(site.name)">Remove</button></form></div>
      """
    return """
      <li data-site="\(site.center.degrees), \(site.radiusMeters)"><b>\(site.name)</b>\
      <p class="aside">\(site.radiusMeters) m around \
      \(site.center.degrees)</p>\(mayChange ? actions : nil)

      """
  }

  private var picker: SitePicker {
    SitePicker(
      sites: sites.filter { $0.number != changing?.number },
      chosen: Coordinate(degrees: center).map { center in
        let meters = Int32(radius).flatMap { Site.radii.contains($0) ? Double($0) : nil }
        return SitePicker.Circle(center: center, radius: meters ?? 0)
      }, tiles: tiles)
  }

  private var form: HTML {
    let action = changing.map { "\(path)/\($0.number)" } ?? path
    let title: HTML = changing.map { "Change \($0.name)" } ?? "New site"
    let keep: HTML = "<a class=\"button quiet\" href=\"\(path)\">Cancel</a>"
    let radii = Site.radii
    return """
      <section aria-labelledby="site"><h2 id="site">\(title)</h2>
      \(picker.html)
      <form class="stack" method="post" action="\(action)">
      <label for="name">Name</label>\
      <input id="name" name="name" required maxlength="100" autocomplete="off" \
      value="\(typed?["name"] ?? changing?.name ?? "")">
      <label for="center">Latitude and longitude</label>\
      <input id="center" name="center" required maxlength="100" autocomplete="off" \
      spellcheck="false" placeholder="45.3000, 13.7000" aria-describedby="about-center" \
      value="\(center)">
      <p class="aside" id="about-center">In degrees. Right-click the place on a map to copy them, \
      or make a stop of a track a site.</p>
      <label for="radius">Radius in meters</label>\
      <input id="radius" name="radius" type="number" required min="\(radii.lowerBound)" \
      max="\(radii.upperBound)" step="1" value="\(radius)">
      <div class="row"><button>\(changing == nil ? "Add site" : "Save changes")</button>\
      \(changing == nil ? nil : keep)</div></form></section>
      """
  }
}
