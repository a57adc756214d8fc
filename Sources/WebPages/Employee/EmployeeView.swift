import GuardRules
import InsightOperations
import ManagerCore
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

  func employeeView(of employee: EmployeeID, for principal: Principal) async throws
    -> EmployeeView
  {
    let page = try await operations.insight.page(of: employee, shiftsMax: Self.shiftsMax)
    let now = settings.now()
    var frame = EmployeeFrame(page.employee, for: principal)
    (frame.ways, frame.isMailSetUp) = (page.ways.map { usable($0) }, isMailSetUp)
    return EmployeeView(
      frame: frame,
      clock: try TeamClock(zone: page.employee.team.timeZone, now: now), now: now,
      check: page.check, devices: page.devices, shifts: page.shifts, waiting: page.waiting,
      claimed: page.claimed, overrides: page.overrides)
  }
}
