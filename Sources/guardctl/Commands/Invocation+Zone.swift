import JSONText
import ManagerOperations
import PeopleOperations
import ShiftDomain

extension Invocation {
  /// The time zone in which times are shown: that of the team, or UTC for programs and if `--utc`
  /// asks for it.
  func zone(_ operations: ManagerOperations) async -> ShownZone {
    let isForPrograms = (try? format) == .json
    return parsed.flag(utcOption.name) || isForPrograms ? .utc : await teamZone(operations)
  }

  /// The time zone of the team that the command is about; UTC if it is about several zones.
  func teamZone(_ operations: ManagerOperations) async -> ShownZone {
    // What is wrong with the database or a number, the command itself reports.
    guard let teams = try? await operations.people.teams() else { return .utc }
    var team = optionalNumber("team").map { TeamID($0) }
    if let subject {
      guard let profile = try? await operations.people.employee(subject) else { return .utc }
      team = profile.team
    }
    let zones = Set(teams.filter { team == nil || $0.team == team }.map(\.timeZone))
    return zones.count == 1 ? zones.first.flatMap { ShownZone($0) } ?? .utc : .utc
  }

  /// The employee that the command is about.
  private var subject: EmployeeID? {
    if let employee = employee("employee") { return employee }
    for name in Self.withinEmployee {
      guard let text = parsed.string(name), text.contains("/") else { continue }
      return text.split(separator: "/").first.flatMap { Int32($0) }.map { EmployeeID($0) }
    }
    return nil
  }

  /// The arguments that begin with an employee's number, as `7/12` does.
  static let withinEmployee = [
    "shift", "device", "incident", "subject", "clock-action", "override", "planned-shift",
    "absence",
  ]
}
