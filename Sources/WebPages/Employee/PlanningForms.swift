import CivilTime
import GuardRules
import HTTPAPI
import HTTPServing
import ManagerCore
import ReadModels
import ShiftDomain

/// The forms that plan shifts and absences of an employee, with what is planned: on the employee's
/// tab *Shifts*, and in the plan of the team.
struct PlanningForms: Sendable {
  var employee: EmployeeID
  var name: String
  var isActive: Bool
  var timeZone: String
  /// Where the forms' addresses begin.
  var path: String
  /// The page with these forms.
  var back: String
  var clock: TeamClock
  var now: Instant
  /// The day that they suggest.
  var day: CivilDate
  /// Those of the team.
  var sites: [Site]
  /// In order.
  var plannedShifts: [PlannedShiftRow]
  /// In order.
  var absences: [Absence]
  var refused: RefusedPlannedShift?
  var refusedAbsence: RefusedFields?

  init(
    of profile: EmployeeProfile, in team: TeamRow, at path: String, back: String,
    _ clock: TeamClock, now: Instant, day: CivilDate, sites: [Site],
    plannedShifts: [PlannedShiftRow], absences: [Absence]
  ) {
    (employee, name) = (profile.employee, profile.name)
    (isActive, timeZone) = (profile.deactivatedAt == nil, team.timeZone)
    (self.path, self.back, self.clock, self.now, self.day) = (path, back, clock, now, day)
    (self.sites, self.plannedShifts, self.absences) = (sites, plannedShifts, absences)
  }

  /// The refusal of a form that is not shown any more.
  var unplaced: HTML? {
    refused.flatMap { refused in
      refused.id.flatMap { id in
        plannedShifts.contains { $0.plannedShift.id == id } ? nil : refused.fault
      }
    }
  }
}

/// A form for a planned shift that changed nothing, and why.
struct RefusedPlannedShift: Sendable {
  /// The planned shift to be changed; `nil`: a new one.
  var id: Int64?
  var fields: FormFields
  var fault: HTML
}

/// A form for an absence or a past shift that changed nothing, and why.
struct RefusedFields: Sendable {
  var fields: FormFields
  var fault: HTML
}

/// A page with these forms.
protocol PlanningView: Sendable {
  var forms: PlanningForms { get set }
  var page: Page { get }
  func asking(_ question: Confirmation) -> PageAnswer
}

extension PlanningView {
  /// The address of the page after a form was sent.
  func done(_ action: CompletedEmployeeAction, _ remark: ClockRemark? = nil) -> PageAnswer {
    .seeOther(
      forms.back
        + Query().with("done", action.rawValue).with("clock", remark?.rawValue).text)
  }
}

extension PageController {
  typealias Planning = @Sendable (HTTPRequest, Principal) async throws -> any PlanningView

  /// The routes of the forms at `path`, which has the employee.
  func planningRoutes(at path: String, on view: @escaping Planning) -> [AccessRoute] {
    plannedShiftForms(at: path + "/planned-shifts", on: view)
      + absenceForms(at: path + "/absences", on: view)
  }
}
