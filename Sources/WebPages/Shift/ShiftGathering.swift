import HTTPAPI
import HTTPServing
import InsightOperations
import ManagerCore
import OperationCore
import ReadModels
import ShiftDomain

extension PageController {
  func employee(in request: HTTPRequest) async throws -> EmployeeAndTeam {
    try await operations.insight.employeeAndTeam(request.pathEmployee)
  }

  func shiftView(in request: HTTPRequest, for principal: Principal) async throws -> ShiftView {
    let page = try await operations.insight.page(of: request.pathShift, for: principal)
    let (details, team, now) = (page.details, page.employee.team, settings.now())
    let clock = try TeamClock(zone: team.timeZone, now: now)
    let mayTrack = settings.openTrack != nil && principal.may(.track, of: team.team)
    return ShiftView(
      details: details, recorded: page.recorded, team: team, clock: clock, now: now,
      trackAccess: mayTrack ? .onPurpose(TrackForm()) : .none, visits: page.visits,
      correction: CorrectionForm(details.times, clock),
      isAdministrator: principal.role == .administrator,
      ways: page.ways.map { usable($0) })
  }
}
