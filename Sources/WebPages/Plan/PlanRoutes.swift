import CivilTime
import GuardRules
import HTTPAPI
import HTTPServing
import ManagerCore
import OperationCore
import PeopleOperations
import ReadModels
import ShiftDomain

extension PageController {
  /// How many employees a page of a plan shows.
  private static let plannedEmployeesMax = 200

  var planRoutes: [AccessRoute] {
    let editor = PlanView.path + "/{employee}/{date}"
    return [
      page(PlanView.path, .listing(.coverage)) { request, principal in
        let after = request.queryValue("after").flatMap { Int32($0) }.map { EmployeeID($0) }
        guard var view = try await planView(for: principal, request, after: after) else {
          return .page(PlanView.nothing)
        }
        view.done = request.queryValue("copied").flatMap { Int($0) }.map { copied in
          let skipped = request.queryValue("skipped").flatMap { Int($0) } ?? 0
          return "\(PlanView.count(copied)) planned. Not copied: \(skipped)."
        }
        return .page(view.page, status: view.fault == nil ? 200 : 422)
      },
      form(PlanView.path + "/copy", .listing(.coverage)) { request, fields, principal in
        guard try request.team() != nil, let view = try await planView(for: principal, request)
        else { throw PageNotFound() }
        return try await copyWeek(of: view, fields, by: principal)
      },
      page(editor, .employee(.coverage)) { request, principal in
        var view = try await planEditor(request, principal)
        let done = request.completed?.text(nil)
        view.plan.done = done.map { done in
          request.clockRemark.map { "\(done) \($0.text)" } ?? done
        }
        return .page(view.page)
      },
    ] + planningRoutes(at: editor) { try await planEditor($0, $1) }
  }

  /// The week that the address names.
  /// - Returns: `nil` if there is no team that the viewer may see.
  private func planView(
    for principal: Principal, _ request: HTTPRequest, after: EmployeeID? = nil
  ) async throws -> PlanView? {
    let asked = try request.team()
    let choices = try await teams(for: principal)
    guard let team = choices.first(where: { asked == nil || $0.team == asked }) else {
      if asked != nil { throw PageNotFound() }
      return nil
    }
    let clock = try TeamClock(zone: team.timeZone, now: settings.now())
    let text = request.queryValue("day") ?? ""
    let named = text == "tomorrow" ? clock.today.advanced(by: 1) : CivilDate(text)
    let day = named ?? clock.today
    let week = try await operations.people.week(
      of: team, with: day, after: after, limit: Self.plannedEmployeesMax)
    var view = try PlanView(week, among: choices, clock, now: settings.now(), day: day)
    if named == nil, !text.isEmpty { view.fault = "Enter a day such as 2026-11-30." }
    return view
  }

  /// The week with the forms for the employee and the day in the address.
  private func planEditor(_ request: HTTPRequest, _ principal: Principal) async throws -> PlanEditor
  {
    guard let day = request.parameters["date"].flatMap({ CivilDate($0) }) else {
      throw PageNotFound()
    }
    let employee = try await employee(in: request)
    let (profile, team) = (employee.row, employee.team)
    let now = settings.now()
    let clock = try TeamClock(zone: team.timeZone, now: now)
    // Of a large team, the page begins with this employee.
    let isLarge = team.employees > Self.plannedEmployeesMax
    let week = try await operations.people.week(
      of: team, with: day,
      after: isLarge ? EmployeeID(profile.employee.rawValue - 1) : nil,
      limit: Self.plannedEmployeesMax)
    let plan = try PlanView(
      week, among: try await teams(for: principal), clock, now: now, day: day)
    let own = week.employees.first { $0.profile.employee == profile.employee }
    let span = clock.time.span(of: day)
    let path = plan.path(to: profile.employee, on: day.text)
    return PlanEditor(
      plan: plan,
      forms: PlanningForms(
        of: profile, in: team, at: path, back: path, clock, now: now, day: day, sites: week.sites,
        plannedShifts: own.map { plan.plannedShifts(of: $0, in: span) } ?? [],
        absences: own.map { plan.absences(of: $0, in: span) } ?? []))
  }

  /// Says what copying would do, or does it.
  private func copyWeek(of plan: PlanView, _ fields: FormFields, by principal: Principal)
    async throws -> PageAnswer
  {
    var view = plan
    view.target = fields["to"]
    guard let target = CivilDate(fields["to"]) else {
      return view.refused("Enter a day of the week to copy to, such as 2026-11-30.")
    }
    do {
      let copy = try await operations.people.copyWeek(
        of: view.week.team.team, from: view.week.monday, to: target, isTrial: !fields.isSure,
        by: principal
      ).get()
      if !copy.isTrial {
        let query = Query().with("copied", String(copy.added))
          .with("skipped", String(copy.skipped.count))
        return .seeOther(view.address(of: target, query))
      }
      guard copy.added > 0 else {
        return view.refused("<p>Nothing is left to copy. \(view.summary(of: copy))")
      }
      return view.question(copy, to: target)
    } catch {
      return try view.refused(by: error)
    }
  }
}
