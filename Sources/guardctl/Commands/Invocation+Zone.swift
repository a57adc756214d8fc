import ManagerOperations
import ShiftDomain

extension Invocation {
  /// The time zone of the team that the command is about; UTC if it is about several zones, or if
  /// `--utc` asks for it.
  func zone(_ operations: ManagerOperations) async -> ShownZone {
    let isForPrograms = (try? format) == .json
    // What is wrong with the database or a number, the command itself reports.
    guard !parsed.flag(utcOption.name), !isForPrograms, let teams = try? await operations.teams()
    else { return .utc }
    var team = optionalNumber("team").map { TeamID($0) }
    if let subject {
      guard let profile = try? await operations.employee(subject) else { return .utc }
      team = profile.team
    }
    let zones = Set(teams.filter { team == nil || $0.team == team }.map(\.timeZone))
    return zones.count == 1 ? zones.first.flatMap { ShownZone($0) } ?? .utc : .utc
  }

  /// The employee that the command is about.
  private var subject: EmployeeID? {
    if let employee = employee("employee") { return employee }
    for name in ["shift", "device", "incident", "subject", "clock-action", "override"] {
      guard let text = parsed.string(name), text.contains("/") else { continue }
      return text.split(separator: "/").first.flatMap { Int32($0) }.map { EmployeeID($0) }
    }
    return nil
  }
}
