import HTTPAPI
import HTTPServing
import ManagerOperations
import OperationCore
import ReadModels
import ShiftDomain

struct EmployeeAndTeam: Sendable {
  var row: EmployeeProfile
  var team: TeamRow
}

extension PageController {
  func employee(in request: HTTPRequest) async throws -> EmployeeAndTeam {
    let row = try await operations.employee(request.pathEmployee)
    return EmployeeAndTeam(row: row, team: try await operations.team(row.team))
  }

  func shiftView(in request: HTTPRequest, for principal: Principal) async throws -> ShiftView {
    let employee = try await employee(in: request)
    let shift = try request.pathShift
    let now = settings.now()
    let clock = try TeamClock(zone: employee.team.timeZone, now: now)
    let details = try await operations.shiftDetails(of: shift)
    let mayTrack = settings.openTrack != nil && principal.may(.track, of: employee.team.team)
    return ShiftView(
      details: details, team: employee.team, clock: clock, now: now,
      notifications: try await operations.notifications(
        about: details, limit: Self.notificationsMax),
      trackAccess: mayTrack ? .onPurpose(TrackForm()) : .none,
      visits: try await operations.siteVisits(of: details.row, for: principal),
      correction: CorrectionForm(
        start: clock.fieldText(details.row.startedAt),
        end: details.row.endedAt.map { clock.fieldText($0) } ?? ""),
      tiles: settings.mapLibrary == nil ? nil : settings.tiles)
  }

  private static let notificationsMax = 50
}
