import HTTPAPI
import HTTPServing
import ManagerCore
import ReadModels
import ReviewOperations
import ShiftDomain

struct ReviewsView: FormView {
  var queue: ReviewQueue
  var teams: [TeamID: (name: String, clock: TeamClock)]
  var now: Instant
  var done: HTML?
  var undo: PageHead.Undo?
  /// Why not all that was selected was decided on.
  var fault: HTML?
  /// What was typed for the selected clock actions.
  var typed: FormFields?

  var page: Page {
    Page(
      "Reviews", in: .reviews, line: "<p>What waits for a manager’s decision</p>", done: done,
      undo: undo, fault: fault,
      """
      \(section(
        "clock-actions", "Clock actions", ["Time", "Employee", "Clock action", "Cause"],
        queue.clockActions, "No clock action waits for a decision.", row, after: together))
      \(section(
        "shifts", "Shifts", ["Start", "Employee", "End", "Cause"],
        queue.shifts, "No shift waits for a decision.", row))
      \(section(
        "overrides", "Unused overrides", ["Valid until", "Employee", "Findings", "Reason"],
        queue.overrides, "No override waits for its clock-in.", row))
      """)
  }

  private func section<Row>(
    _ name: StaticString, _ title: HTML, _ columns: [HTML], _ list: ListPage<Row>,
    _ nothing: HTML, _ row: (Row) -> HTML, after more: HTML? = nil
  ) -> HTML {
    let id = name.description
    let older = list.next.map { place -> HTML in
      let query = Query().with(name, place.cursor)
      return "<p><a class=\"button\" href=\"/reviews\(query.text)#\(id)\">Older</a></p>"
    }
    let table: HTML = """
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="\(id)">\
      <table class="reviews"><thead><tr>\
      \(columns.map { "<th scope=\"col\">\($0)" as HTML })</thead>\
      \(list.rows.map(row))</table></div>\(more)\(older)
      """
    return """
      <section class="card" aria-labelledby="\(id)"><h2 id="\(id)">\(title)</h2>
      \(list.rows.isEmpty ? "<p class=\"aside\">\(nothing)</p>" : table)</section>

      """
  }

  private func row(_ clockAction: ClockActionRow) -> HTML {
    let employee = clockAction.device.employee
    let place: HTML = "#clock-action-\(clockAction.number)"
    return line(
      employee, place, clockAction.at, clockAction.title,
      "\(clockAction.cause)\(decision(on: clockAction))", box: box(of: clockAction))
  }

  /// A clock-in is decided here; another clock action where its shift can be corrected.
  private func decision(on clockAction: ClockActionRow) -> HTML? {
    let employee = clockAction.device.employee
    let own: HTML = "/employees/\(employee.rawValue)"
    guard let clock = clock(of: employee) else { return nil }
    let anchor: HTML = "#clock-action-\(clockAction.number)"
    guard clockAction.outcome.asksForShift else {
      return clockAction.order(among: queue.waiting, clock)
        ?? "<p><a href=\"\(own)\(anchor)\">Correct the shift, or dismiss</a></p>"
    }
    let place: HTML = "\(own)/clock-actions/\(clockAction.number)"
    let name = queue.employees[employee]?.name
    let end = AcceptedEnd(of: clockAction, among: queue.waiting, clock, now: now)
    let id: HTML = "end-\(employee.rawValue)-\(clockAction.number)"
    let field = end.map {
      "<label>End \($0.input(id: id, label: "End for \(name)"))</label>" as HTML
    }
    return """
      <form method="post" action="\(place)/accept\(anchor)" class="decision">\
      <input type="hidden" name="next" value="reviews">\
      <input name="reason" maxlength="500" placeholder="Reason (visible to the employee)" \
      aria-label="Reason for \(name), visible to the employee">\(field)\
      <button class="small">\(end == nil ? "Open" : "Accept") the shift from \
      \(time(clockAction.at, of: employee))</button>\
      <button class="quiet small" formaction="\(place)/dismiss\(anchor)">Dismiss</button></form>
      """
  }

  func clock(of employee: EmployeeID) -> TeamClock? {
    (queue.employees[employee]?.team).flatMap { teams[$0]?.clock }
  }

  private func row(_ shift: ShiftRow) -> HTML {
    let end: HTML = shift.endedAt.map { time($0, of: shift.shift.employee) } ?? "open"
    return line(
      shift.shift.employee, "/shifts/\(shift.shift.number)#correct", shift.startedAt, end,
      shift.remark)
  }

  private func row(_ override: OverrideRow) -> HTML {
    line(
      override.employee, "#override", override.expiresAt,
      override.findings.ranked.map(\.name).joined(by: ", "),
      "“\(override.reason)”, \(override.author == .employee ? "the employee" : override.givenBy)")
  }

  /// A row that leads to the place where the decision is made.
  private func line(
    _ employee: EmployeeID, _ place: HTML, _ instant: Instant, _ what: HTML, _ why: HTML,
    box: HTML? = nil
  ) -> HTML {
    let profile = queue.employees[employee]
    let team = (profile?.team).flatMap { teams[$0]?.name }
    return """
      <tr><td>\(time(instant, of: employee))\
      <th scope="row">\(box)<a href="/employees/\(employee.rawValue)\(place)">\(profile?.name)</a>\
      <p class="aside">\(team)</p><td>\(what)<td>\(why)

      """
  }

  private func time(_ instant: Instant, of employee: EmployeeID) -> HTML {
    "\(clock(of: employee)?.short(instant))"
  }
}

extension PageController {
  /// How many of each list a page has.
  private static let reviewsMax = selectedReviewsMax

  var reviewRoutes: [AccessRoute] {
    [
      page("/reviews", .listing(.coverage)) { request, principal in
        let places = try ReviewQueue.Places(request)
        var view = try await reviewsView(for: principal, after: places)
        // What was there has been decided.
        if view.queue.isOver(after: places) { return .seeOther("/reviews") }
        view.done = request.completed?.text(nil) ?? request.decidedTogether
        view.undo = request.undo()
        return .page(view.page)
      },
      form("/reviews/decisions", .listing(.coverage), bodyMax: 32_768) { _, fields, principal in
        try await decide(fields, by: principal)
      },
    ]
  }

  func reviewsView(
    for principal: Principal, after places: ReviewQueue.Places = ReviewQueue.Places()
  ) async throws -> ReviewsView {
    let now = settings.now()
    var teams: [TeamID: (name: String, clock: TeamClock)] = [:]
    let rows = try await self.teams(for: principal)
    let isOneZone = Set(rows.map(\.timeZone)).count == 1
    for row in rows {
      let name = isOneZone ? row.name : "\(row.name), \(row.timeZone)"
      teams[row.team] = (name, try TeamClock(zone: row.timeZone, now: now))
    }
    let queue = try await operations.reviews.reviewQueue(
      for: principal, after: places, limit: Self.reviewsMax)
    return ReviewsView(queue: queue, teams: teams, now: now)
  }
}

extension ReviewQueue.Places {
  /// Of the links of the page.
  fileprivate init(_ request: HTTPRequest) throws(PageNotFound) {
    func place(_ name: String) throws(PageNotFound) -> ListPlace? {
      guard let cursor = request.queryValue(name) else { return nil }
      guard let place = ListPlace(cursor: cursor) else { throw PageNotFound() }
      return place
    }
    self.init(
      clockActions: try place("clock-actions"), shifts: try place("shifts"),
      overrides: try place("overrides"))
  }
}
