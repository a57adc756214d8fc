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
      notifications: try await notifications(about: details),
      trackAccess: mayTrack ? .onPurpose(TrackForm()) : .none,
      correction: CorrectionForm(
        start: clock.fieldText(details.row.startedAt),
        end: details.row.endedAt.map { clock.fieldText($0) } ?? ""),
      tiles: settings.mapLibrary == nil ? nil : settings.tiles)
  }

  private static let notificationsMax = 50

  /// The notifications about a shift and its incidents, with their delivery attempts.
  private func notifications(about details: ShiftDetails) async throws -> [NotificationEntry] {
    let employee = details.row.shift.employee
    let incidents = Set(details.history.incidents.map(\.incident.number))
    let waiting = try await operations.notifications(of: employee, limit: 1_000)
    let finished = try await operations.finishedNotifications(
      of: employee, deadOnly: false, limit: 1_000)
    let about = (waiting + finished).filter { row in
      switch row.notification.topic {
      case .incident, .unstable, .restored: incidents.contains(row.notification.subject)
      case .clockOutReminder, .endedAtLimit, .longBreak, .shiftCorrected, .shiftOpened:
        row.notification.subject == details.row.shift.number
      case .clockInBlocked, .clockActionForReview, .test: false
      }
    }
    var notifications: [NotificationEntry] = []
    for row in about.sorted(by: { $0.queuedAt < $1.queuedAt }).prefix(Self.notificationsMax) {
      notifications.append(
        NotificationEntry(row: row, attempts: try await operations.deliveryAttempts(of: row)))
    }
    return notifications
  }
}
