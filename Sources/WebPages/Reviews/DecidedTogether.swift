import HTTPAPI
import HTTPServing
import ManagerCore
import OperationCore
import ReadModels
import ReviewOperations
import ShiftDomain

extension ReviewsView {
  /// The checkbox that selects a clock action; `nil`: another one has to be decided first.
  func box(of clockAction: ClockActionRow) -> HTML? {
    let employee = clockAction.device.employee
    guard let clock = clock(of: employee),
      clockAction.order(among: queue.waiting, clock) == nil
    else { return nil }
    let end = AcceptedEnd(of: clockAction, among: queue.waiting, clock, now: now)
    let value = SelectedClockAction(
      employee: employee, number: clockAction.number, endedAt: end?.proposed
    ).field
    let isTicked = typed?.all("selected").contains(value) ?? false
    return """
      <input type="checkbox" form="together" name="selected"\(" checked", if: isTicked) \
      value="\(value)" aria-label="Select \(queue.employees[employee]?.name), \
      \(clock.short(clockAction.at))">
      """
  }

  /// The form that decides on all that is selected; `nil`: there is not more than one to decide.
  var together: HTML? {
    guard queue.clockActions.rows.count > 1 else { return nil }
    return """
      <form method="post" action="/reviews/decisions" id="together" class="stack">
      <label for="together-reason">Reason for all selected (visible to the employees)</label>
      <input id="together-reason" name="reason" maxlength="500" value="\(typed?["reason"])">
      <p class="aside">A shift that is opened ends at the time that is proposed above. To change \
      the end, decide on that clock action alone.</p>
      <div class="buttons"><button name="decision" value="accepted">Open selected shifts</button>\
      <button class="quiet" name="decision" value="dismissed">Dismiss selected</button></div></form>
      """
  }
}

extension PageController {
  func decide(_ fields: FormFields, by principal: Principal) async throws -> PageAnswer {
    let selected = fields.all("selected").compactMap { SelectedClockAction(field: $0) }
    let reason = fields["reason"].isEmpty ? nil : fields["reason"]
    var view = try await reviewsView(for: principal)
    view.typed = fields
    guard !selected.isEmpty else { return view.refused("Select a clock action first.") }
    guard let decision = ReviewDecision(code: fields["decision"]) else { throw PageNotFound() }
    let refusals: [Refusal?]
    do {
      // The oldest first: a shift must not begin in one that was opened after it.
      refusals = try await operations.reviews.decide(
        on: selected.reversed(), decision, reason: reason, by: principal
      ).reversed()
    } catch {
      return try view.refused(by: error)
    }
    let count = refusals.count { $0 == nil }
    guard count < selected.count else {
      let query = Query().with("decided", decision.code).with("count", String(count))
      return .seeOther("/reviews\(query.text)")
    }
    var lines: [HTML] = []
    for (one, refusal) in zip(selected, refusals) {
      guard let refusal else { continue }
      lines.append("<li>\(try await name(of: one, for: principal)): \(refusal.html)")
    }
    view = try await reviewsView(for: principal)
    view.typed = fields
    view.done = count > 0 ? decision.done(count) : nil
    return view.refused("<p>Not decided:</p><ul>\(lines)</ul>")
  }

  /// Names nobody whom the viewer may not see.
  private func name(of one: SelectedClockAction, for principal: Principal) async throws -> HTML {
    let number: HTML = "clock action \(one.number) of employee \(one.employee.rawValue)"
    do throws(OperationError) {
      let found = try await operations.insight.employeeAndTeam(one.employee)
      guard principal.may(.coverage, of: found.team.team) else { return number }
      return "\(found.row.name), clock action \(one.number)"
    } catch {
      guard case .notFound = error else { throw error }
      return number
    }
  }
}

extension HTTPRequest {
  /// What the form for selected clock actions did before this page.
  var decidedTogether: HTML? {
    guard let decision = queryValue("decided").flatMap({ ReviewDecision(code: $0) }),
      let count = queryValue("count").flatMap({ Int($0) })
    else { return nil }
    return decision.done(count)
  }
}

extension ReviewDecision {
  fileprivate func done(_ count: Int) -> HTML {
    let actions: HTML = count == 1 ? "1 clock action" : "\(count) clock actions"
    return switch self {
    case .accepted: "\(actions) accepted. Their shifts are on the board and in the time sheets."
    case .dismissed: "\(actions) dismissed. No shift was changed."
    }
  }
}

extension SelectedClockAction {
  /// As a checkbox names it: employee, number and end in milliseconds, if there is one.
  fileprivate var field: String {
    "\(employee.rawValue)/\(number)/\(endedAt.map { String($0.milliseconds) } ?? "")"
  }

  fileprivate init?(field: String) {
    let parts = field.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let employee = Int32(parts[0]), let number = Int32(parts[1]) else {
      return nil
    }
    let end = Int64(parts[2]).map { Instant(milliseconds: $0) }
    guard end != nil || parts[2].isEmpty else { return nil }
    self.init(employee: EmployeeID(employee), number: number, endedAt: end)
  }
}
