import APIJSON
import CommandParsing
import JSONText
import ManagerOperations
import OperationCore
import PeopleOperations
import ShiftDomain

private let siteArgument = Argument.integer(
  "site", "the site's number within the team", in: 1...Int(Int16.max))

private let siteOptions = [
  Option.text("name", "the site's name"),
  .text("center", "latitude and longitude, such as `45.3, 13.7`"),
  .integer(
    "radius", "in meters", in: Int(Site.radii.lowerBound)...Int(Site.radii.upperBound)),
]

let siteCommands = Group(
  "site", "places of work: circles whose arrivals are shown", brief: "places of work",
  [
    Leaf(
      listCommand("list a team's sites", options: [rowsOption], arguments: [teamArgument]),
      .operations(listSites)),
    Leaf(
      Command(
        "add", "add a site to a team",
        options: siteOptions.map { option in
          var option = option
          option.isRequired = true
          return option
        } + [byOption], arguments: [teamArgument],
        footer: "A position that begins with a minus: --center=-33.87,151.21"),
      .operations(addSite)),
    Leaf(
      Command(
        "edit", "change a site", options: siteOptions + [byOption],
        arguments: [teamArgument, siteArgument], footer: "Omitted fields do not change."),
      .operations(editSite)),
    Leaf(
      removeCommand(
        "remove", "remove a site", options: [byOption], arguments: [teamArgument, siteArgument]),
      .operations(removeSite)),
  ])

private func listSites(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let team = try call.team
  return Listing(
    call.limited(try await operations.people.sites(of: team)),
    whenEmpty: "No sites yet. Add one: `guardctl site add \(team.rawValue) --help`")
}

private func addSite(_ call: Invocation, _ operations: ManagerOperations) async throws -> any Answer
{
  let team = try call.team
  guard let center = try call.center() else {
    throw Complaint.usage("give the position by `--center`")
  }
  let site = try await operations.people.addSite(
    name: call.text("name"), center: center, radiusMeters: call.number("radius"), to: team,
    by: call.principal
  ).get()
  return Made(
    value: "\(site.number)",
    explanation: ["Added site \(site.number), \(site.name.showable), to team \(team.rawValue)."],
    object: site.json)
}

private func editSite(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let change = SiteChange(
    name: call.parsed.string("name"), center: try call.center(),
    radiusMeters: call.optionalNumber("radius"))
  guard change != SiteChange() else {
    throw Complaint.usage("nothing to change: add `--name`, `--center` or `--radius`")
  }
  let site = try await operations.people.changeSite(
    call.site, of: call.team, change, by: call.principal
  ).get()
  return Card(site)
}

private func removeSite(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let (team, number) = (try call.team, try call.site)
  try await operations.people.removeSite(number, from: team, by: call.principal)
  return Confirmation(
    text: ["Removed site \(number) from team \(team.rawValue)."],
    json: ["team": JSONValue(team.rawValue), "site": JSONValue(number)])
}

extension Invocation {
  fileprivate var site: Int16 {
    get throws { Int16(clamping: try number("site")) }
  }

  /// `nil` if it is not given.
  fileprivate func center() throws(Complaint) -> Coordinate? {
    guard let text = parsed.string("center") else { return nil }
    guard let center = Coordinate(degrees: text) else {
      throw .usage(
        "`--center` must be latitude and longitude in degrees, such as `45.3, 13.7`, not "
          + "`\(text.showable)`")
    }
    return center
  }
}

extension Site: Shown {
  var fields: [Field] {
    [
      Field("site", FieldValue(number)), Field("name", .text(name)),
      Field("center", .text(center.degrees)),
      Field("radius", FieldValue(radiusMeters)),
    ]
  }
}
