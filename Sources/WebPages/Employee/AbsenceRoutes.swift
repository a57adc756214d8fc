import CivilTime
import GuardRules
import HTTPAPI
import HTTPServing
import ManagerCore
import PeopleOperations
import ReadModels
import ShiftDomain

extension PageController {
  /// How many absences of an employee a page lists.
  static let absencesMax = 100
  /// How many planned shifts of an employee a page lists.
  static let plannedShiftsMax = 1_000

  func absenceForms(at path: String, on view: @escaping Planning) -> [AccessRoute] {
    [
      form(path, .employee(.coverage)) { request, fields, principal in
        var view = try await view(request, principal)
        let forms = view.forms
        func refused(_ fault: HTML) -> PageAnswer {
          view.forms.refusedAbsence = RefusedFields(fields: fields, fault: fault)
          return .page(view.page, status: 422)
        }
        guard forms.isActive else { return refused("\(forms.name) is inactive.") }
        guard let typed = TypedAbsence(fields, by: forms.clock) else {
          return refused("Enter the first and the last day, and times such as 08:00, or none.")
        }
        let outcome = try await operations.people.addAbsence(
          of: forms.employee, typed.span, note: fields["note"], by: principal)
        if let fault = outcome.fault(forms.clock) { return refused(fault) }
        return view.done(.absenceAdded, typed.remark)
      },
      form(path + "/{absence}/remove", .employee(.coverage)) { request, fields, principal in
        let view = try await view(request, principal)
        let id: Int64 = try request.pathNumber("absence")
        guard fields.isSure else {
          return view.forms.question(beforeRemovingAbsence: id).map { view.asking($0) }
            ?? .seeOther(view.forms.back)
        }
        try await operations.people.removeAbsence(id, of: view.forms.employee, by: principal)
        return view.done(.absenceRemoved)
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
