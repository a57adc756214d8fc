import GuardRules
import ShiftDomain
import ShiftOperations

/// Somebody as their page shows them.
struct EmployeeView: Sendable {
  var employee: EmployeeAndTeam
  var clock: TeamClock
  var now: Instant
  /// What the guard would answer them now.
  var check: EmployeeCheck
  var devices: [DeviceRow]
  /// The newest first.
  var shifts: [ShiftRow]
  /// Taps that wait for a manager's word, the newest first.
  var waiting: [AttemptRow]
  /// Clock-ins that wait no longer, and still claim working time.
  var claimed: [AttemptRow]
  /// The newest first.
  var overrides: [OverrideRow]
  /// What they are to work from today on, in order.
  var plans: [PlannedShift]
  /// A form that could not be done as it was sent.
  var refused: RefusedForm?
  /// What was done by the form sent before.
  var done: EmployeeDeed?

  var number: Int32 { employee.row.employee.rawValue }
  var path: String { "/employees/\(number)" }
}

/// A form with what was typed and why it was not done.
struct RefusedForm: Sendable {
  enum Form: Hashable, Sendable {
    case override
    case attempt(Int32)
    case plan
  }

  var form: Form
  var fields: FormFields
  var fault: HTML
}

/// What a form on an employee's page does, as the address of the page behind it says.
enum EmployeeDeed: String, Sendable {
  case given, withdrawn, opened, dismissed, planned, unplanned

  var text: HTML {
    switch self {
    case .given: "Leave is given: the next clock-in within 12 hours goes through."
    case .withdrawn: "The leave is withdrawn."
    case .opened: "The shift is open, and the employee is told."
    case .dismissed: "The tap rests; nothing was changed."
    case .planned: "The shift is planned."
    case .unplanned: "The plan is taken back."
    }
  }
}

extension PageDesk {
  /// How many shifts and leaves are listed.
  private static let shiftsMax = 60

  /// Somebody's page before anything was typed.
  func employeeView(of employee: EmployeeAndTeam) async throws -> EmployeeView {
    let id = employee.row.employee
    let now = settings.now()
    let clock = try TeamClock(zone: employee.team.timeZone, now: now)
    return EmployeeView(
      employee: employee, clock: clock, now: now,
      check: try await operations.check(employee: id, device: nil, preset: nil),
      devices: try await operations.devices(of: id),
      shifts: try await operations.shifts(of: id, openOnly: false, limit: Self.shiftsMax),
      waiting: try await operations.attempts(of: id, awaitingOnly: true, limit: 10),
      claimed: try await operations.attempts(of: id, awaitingOnly: false, limit: 50)
        .filter { $0.claimed != nil && !$0.needsReview && $0.isOvertaken },
      overrides: try await operations.overrides(of: id, limit: 5),
      plans: try await operations.plans(of: id, from: clock.day.start))
  }
}
