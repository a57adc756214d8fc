import GuardRules
import ManagerOperations
import OperationCore
import ReadModels
import ShiftDomain

struct EmployeeView: Sendable {
  var employee: EmployeeAndTeam
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
  /// Planned shifts from today on, in order.
  var plannedShifts: [PlannedShift]
  /// Of those that have begun, by id.
  var attendances: [Int64: Attendance] = [:]
  var refused: RefusedForm?
  /// Whether the viewer may edit the employee and enrol phones.
  var mayEdit = false
  /// How notifications about the employee can be sent.
  var ways: NotificationWays?
  var done: EmployeeDeed?
  /// What is special about a planned time, because the clock changes.
  var clockRemark: ClockRemark?

  var number: Int32 { employee.row.employee.rawValue }
  var path: String { "/employees/\(number)" }

  /// Whether the open shift waits for the employee's confirmation.
  var waitsForConfirmation: Bool { shifts.contains(where: \.waitsForConfirmation) }
}

struct RefusedForm: Sendable {
  enum Form: Hashable, Sendable {
    case override
    case clockAction(Int32)
    case plannedShift
    case plannedShiftChange(Int64)
    case opening
  }

  var form: Form
  var fields: FormFields
  var fault: HTML
}

/// What a form on an employee's page did; stands in the address of the page shown after it.
enum EmployeeDeed: String, Sendable {
  case given, withdrawn, opened, dismissed, planned, replanned, unplanned, waiting

  var text: HTML {
    switch self {
    case .given: "Override given: its findings do not block one clock-in within 12 hours."
    case .withdrawn: "Override withdrawn."
    case .opened: "Shift opened. The employee is notified."
    case .dismissed: "Clock action dismissed. No shift was changed."
    case .planned: "Shift planned."
    case .replanned: "Planned shift changed."
    case .unplanned: "Planned shift removed."
    case .waiting: "Shift opened. The employee is notified and must confirm it."
    }
  }
}

extension PageController {
  private static let shiftsMax = 60

  func employeeView(of employee: EmployeeAndTeam, for principal: Principal) async throws
    -> EmployeeView
  {
    let id = employee.row.employee
    let now = settings.now()
    let clock = try TeamClock(zone: employee.team.timeZone, now: now)
    return EmployeeView(
      employee: employee, clock: clock, now: now,
      check: try await operations.check(employee: id, device: nil, preset: nil),
      devices: try await operations.devices(of: id),
      shifts: try await operations.shifts(of: id, openOnly: false, limit: Self.shiftsMax),
      waiting: try await operations.clockActions(of: id, awaitingOnly: true, limit: 100),
      claimed: try await operations.clockActions(of: id, awaitingOnly: false, limit: 50)
        .filter { $0.claimed != nil && !$0.needsReview && $0.isOvertaken },
      overrides: try await operations.overrides(of: id, limit: 5),
      plannedShifts: try await operations.plannedShifts(of: id, from: clock.day.start),
      attendances: try await operations.attendances(of: id, since: clock.day.start),
      mayEdit: principal.role == .administrator,
      ways: try await operations.notificationWays(of: [id])[id])
  }
}
