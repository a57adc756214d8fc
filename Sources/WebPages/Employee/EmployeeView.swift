import GuardRules
import ManagerOperations
import OperationCore
import ReadModels
import ShiftDomain

/// The tab *Now*: the present, and what a manager can decide.
struct EmployeeView: Sendable {
  var frame: EmployeeFrame
  var clock: TeamClock
  var now: Instant
  var check: EmployeeCheck
  var devices: [DeviceRow]
  /// The newest first.
  var shifts: [ShiftRow]
  /// Clock actions to be reviewed, the newest first.
  var waiting: [ClockActionRow]
  /// Clock-in attempts that left the queue and still claim working time.
  var claimed: [ClockActionRow]
  /// The newest first.
  var overrides: [OverrideRow]
  var refused: RefusedForm?
  /// How notifications about the employee can be sent.
  var ways: NotificationWays?

  var path: String { frame.path }

  /// Whether the open shift waits for the employee's confirmation.
  var waitsForConfirmation: Bool { shifts.contains(where: \.waitsForConfirmation) }
}

struct RefusedForm: Sendable {
  enum Form: Hashable, Sendable {
    case override
    case clockAction(Int32)
    case opening
    case reminder
  }

  var form: Form
  var fields: FormFields
  var fault: HTML
}

extension PageController {
  static let shiftsMax = 60

  func employeeView(of employee: EmployeeAndTeam, for principal: Principal) async throws
    -> EmployeeView
  {
    let id = employee.row.employee
    let now = settings.now()
    let clock = try TeamClock(zone: employee.team.timeZone, now: now)
    return EmployeeView(
      frame: EmployeeFrame(employee, for: principal), clock: clock, now: now,
      check: try await operations.check(employee: id, device: nil, preset: nil),
      devices: try await operations.devices(of: id),
      shifts: try await operations.shifts(of: id, openOnly: false, limit: Self.shiftsMax),
      waiting: try await operations.clockActions(of: id, awaitingOnly: true, limit: 100),
      claimed: try await operations.clockActions(of: id, awaitingOnly: false, limit: 50)
        .filter { $0.claimed != nil && !$0.needsReview && $0.isOvertaken },
      overrides: try await operations.overrides(of: id, limit: 5),
      ways: try await operations.notificationWays(of: [id])[id])
  }
}
