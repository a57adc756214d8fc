import CivilTime
import GuardRules
import HTTPAPI
import HTTPServing
import ManagerCore
import PeopleOperations
import ReadModels
import ShiftDomain

extension PageController {
  /// How many absences of an employee the page lists.
  static let absencesMax = 100

  var absenceRoutes: [AccessRoute] {
    let path = "/employees/{employee}/absences"
    return [
      form(path, .employee(.coverage)) { request, fields, principal in
        let employee = try await employee(in: request)
        var view = try await employeeShiftsView(of: employee, for: principal)
        func refused(_ fault: HTML) -> PageAnswer {
          view.refusedAbsence = RefusedAbsence(fields: fields, fault: fault)
          return .page(view.page, status: 422)
        }
        guard view.frame.isActive else { return refused("\(employee.row.name) is inactive.") }
        guard let typed = TypedAbsence(fields, by: view.clock) else {
          return refused("Enter the first and the last day, and times such as 08:00, or none.")
        }
        let outcome = try await operations.people.addAbsence(
          of: employee.row.employee, typed.span, note: fields["note"], by: principal)
        if let fault = outcome.fault(view.clock) { return refused(fault) }
        let done = CompletedEmployeeAction.absenceAdded.rawValue
        let remark = typed.remark.map { "&clock=\($0.rawValue)" } ?? ""
        return .seeOther("\(view.frame.path)/shifts?done=\(done)\(remark)")
      },
      form(path + "/{absence}/remove", .employee(.coverage)) { request, fields, principal in
        let (found, id): (_, Int64) = (
          try await employee(in: request), try request.pathNumber("absence")
        )
        guard fields.isSure else {
          let view = try await employeeShiftsView(of: found, for: principal)
          return view.asking(toRemoveAbsence: id) ?? .seeOther("\(view.frame.path)/shifts")
        }
        let employee = found.row.employee
        try await operations.people.removeAbsence(id, of: employee, by: principal)
        let done = CompletedEmployeeAction.absenceRemoved.rawValue
        return .seeOther("/employees/\(employee.rawValue)/shifts?done=\(done)")
      },
    ]
  }
}

/// The times of an absence, as typed in the team's time zone.
private struct TypedAbsence {
  var span: Interval
  var remark: ClockRemark?

  /// Without a time, a day is meant from its beginning, or to its end; 24:00 is the end, too. `nil`
  /// for what is no day and no time, and for an end that is not after the start.
  init?(_ fields: FormFields, by clock: TeamClock) {
    let (from, to) = (fields["from"], fields["to"])
    let isToEnd = to.isEmpty || to == "24:00"
    guard let first = CivilDate(fields["first"]), let last = CivilDate(fields["last"]) else {
      return nil
    }
    let start =
      from.isEmpty
      ? clock.time.span(of: first).start : clock.instant(fieldText: "\(first.text)T\(from)")
    let end =
      isToEnd ? clock.time.span(of: last).end : clock.instant(fieldText: "\(last.text)T\(to)")
    guard let start, let end, start < end else { return nil }
    span = Interval(from: start, to: end)
    remark =
      (from.isEmpty ? nil : clock.remark(on: start, typed: from.prefix(5)))
      ?? (isToEnd ? nil : clock.remark(on: end, typed: to.prefix(5)))
  }
}

extension AbsenceOutcome {
  /// Why nothing was added; `nil` if it was. Unlike `Refusal`, the page knows the team's time zone
  /// and can name the times.
  fileprivate func fault(_ clock: TeamClock) -> HTML? {
    switch self {
    case .added: nil
    case .overlaps(let other):
      """
      This overlaps the absence from \(clock.short(other.span.start)) to \
      \(clock.short(other.span.end)).
      """
    case .badLength: "An absence must last at least a minute and at most 366 days."
    case .badNote:
      "The note must be on one line, and have at most \(Absence.noteMax) characters."
    }
  }
}
