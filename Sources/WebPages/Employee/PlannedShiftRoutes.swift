import CivilTime
import GuardRules
import HTTPAPI
import HTTPServing
import ManagerCore
import PeopleOperations
import ReadModels
import ShiftDomain

extension PageController {
  var plannedShiftRoutes: [AccessRoute] {
    [
      page("/employees/{employee}/shifts", .employee(.coverage)) { request, principal in
        var view = try await employeeShiftsView(of: employee(in: request), for: principal)
        view.frame.done = request.completed
        view.frame.clockRemark = request.clockRemark
        return .page(view.page)
      }
    ]
      + planningRoutes(at: "/employees/{employee}") { request, principal in
        try await employeeShiftsView(of: employee(in: request), for: principal)
      }
  }

  func plannedShiftForms(at path: String, on view: @escaping Planning) -> [AccessRoute] {
    [
      plannedShiftForm(path, on: view) { _ in
        nil
      } act: { _, employee, typed, principal in
        try await operations.people.planShift(
          employee, typed.span, sites: typed.sites, by: principal)
      },
      plannedShiftForm(path + "/{plannedShift}/change", on: view) { request in
        try request.pathNumber("plannedShift")
      } act: { request, employee, typed, principal in
        try await operations.people.changePlannedShift(
          request.pathNumber("plannedShift"), of: employee, start: typed.span.start,
          end: typed.span.end, sites: typed.sites, by: principal)
      },
      form(path + "/{plannedShift}/remove", .employee(.coverage)) { request, fields, principal in
        let view = try await view(request, principal)
        let id: Int64 = try request.pathNumber("plannedShift")
        guard fields.isSure else {
          return view.forms.question(beforeRemoving: id).map { view.asking($0) }
            ?? .seeOther(view.forms.back)
        }
        try await operations.people.deletePlannedShift(id, of: view.forms.employee, by: principal)
        return view.done(.unplanned)
      },
    ]
  }

  /// A form with the times of a planned shift. Afterwards the page is shown again, with the error
  /// if there is one.
  /// - Parameter id: Of the planned shift to be changed; `nil` for a new one.
  private func plannedShiftForm(
    _ pattern: String, on view: @escaping Planning,
    id: @escaping @Sendable (HTTPRequest) throws -> Int64?,
    act:
      @escaping @Sendable (HTTPRequest, EmployeeID, TypedPlannedShift, Principal) async throws ->
      PlannedShiftOutcome
  ) -> AccessRoute {
    form(pattern, .employee(.coverage)) { request, fields, principal in
      var view = try await view(request, principal)
      let id = try id(request)
      let forms = view.forms
      func refused(_ fault: HTML) -> PageAnswer {
        view.forms.refused = RefusedPlannedShift(id: id, fields: fields, fault: fault)
        return .page(view.page, status: 422)
      }
      guard forms.isActive else { return refused("\(forms.name) is inactive.") }
      switch TypedPlannedShift.read(fields, by: forms.clock, now: settings.now()) {
      case .failure(let fault): return refused(fault.text)
      case .success(let typed):
        let outcome = try await act(request, forms.employee, typed, principal)
        if let fault = outcome.fault(of: forms.name, forms.clock) { return refused(fault) }
        return view.done(id == nil ? .planned : .replanned, typed.remark)
      }
    }
  }
}

extension HTTPRequest {
  var clockRemark: ClockRemark? { queryValue("clock").flatMap { ClockRemark(rawValue: $0) } }
}

/// What is special about a time that was typed, because the clock changes.
enum ClockRemark: String, Sendable {
  case skipped, twice

  var text: HTML {
    switch self {
    case .skipped:
      "The clock goes forward and skips a time that you entered, so that time was moved forward."
    case .twice:
      "The clock goes back and shows a time that you entered twice: the first one is used."
    }
  }
}

/// The times of a planned shift, as typed in the team's time zone.
struct TypedPlannedShift: Sendable {
  struct Fault: Error {
    var text: HTML
  }

  var span: Interval
  /// `nil`: the form asked for none, because the team has none.
  var sites: [Int16]?
  var remark: ClockRemark?

  /// 24:00 is the end of the day.
  static func read(_ fields: FormFields, by clock: TeamClock, now: Instant) -> Result<
    TypedPlannedShift, Fault
  > {
    let (from, to) = (fields["from"].prefix(5), fields["to"].prefix(5))
    guard from != "24:00", let first = WallTime("\(fields["day"])T\(from)"),
      var last = WallTime("\(fields["day"])T\(to)")
    else { return fault("Enter a day and two times, such as 08:00 and 16:00.") }
    guard to != from else { return fault("Start and end must be different.") }
    if to < from { last = last.advanced(by: 1) }
    let (start, end) = WallTime.span(first, last, by: clock.time)
    guard end - start <= PeopleOperations.plannedShiftMax else {
      return fault("A shift can last at most 24 hours.")
    }
    guard end > now else { return fault("This shift is in the past.") }
    let ticked = fields.all("sites").joined(separator: " ")
    guard let sites = [Int16](siteNumbers: ticked) else {
      return fault("Choose at most \(PlannedShift.sitesMax) sites.")
    }
    let remarks = [
      clock.remark(on: start, typed: from),
      clock.remark(on: end, typed: to == "24:00" ? "00:00" : to),
    ]
    return .success(
      TypedPlannedShift(
        span: Interval(from: start, to: end),
        sites: fields.text("sites") == nil ? nil : sites,
        remark: remarks.compactMap { $0 }.first))
  }

  private static func fault(_ text: HTML) -> Result<TypedPlannedShift, Fault> {
    .failure(Fault(text: text))
  }
}

extension TeamClock {
  func remark(on instant: Instant, typed: Substring) -> ClockRemark? {
    guard shown(instant) == typed else { return .skipped }
    return time.offsetText(at: instant) == nil ? nil : .twice
  }
}

extension PlannedShiftOutcome {
  /// Why nothing was planned or changed; `nil` if it was. Unlike `Refusal`, the page knows the
  /// team's time zone and can name the times.
  fileprivate func fault(of name: String, _ clock: TeamClock) -> HTML? {
    switch self {
    case .planned: nil
    case .overlaps(let other):
      """
      This overlaps the shift planned from \(clock.short(other.span.start)) to \
      \(clock.short(other.span.end)).
      """
    case .over: "The planned shift is over, so it cannot be changed."
    case .worked:
      "\(name) has already worked in this planned shift, so it cannot be changed."
    case .inThePast: "This shift is in the past."
    case .unknownSite(let number, _): "The team has no site \(number)."
    case .tooManySites: "A planned shift may name at most \(PlannedShift.sitesMax) sites."
    }
  }
}
