import CivilTime
import GuardRules
import OperationCore
import ReadModels
import ShiftDomain

/// A column of a plan.
struct PlanDay: Sendable {
  let date: CivilDate
  /// As addresses name it.
  let text: String
  let span: Interval
  /// Whose today this is, so that it need not look up each of the day's times.
  let clock: TeamClock
}

/// A team's week as a grid: a row for each employee, a column for each day. A narrow window shows
/// only the column of `day`.
struct PlanView: FormView {
  static let path = "/plan"

  var week: Week
  /// All teams that the viewer may see.
  var choices: [TeamRow]
  /// Of the team.
  var clock: TeamClock
  var now: Instant
  /// A day of the week, whose column is marked.
  var day: CivilDate
  private(set) var days: [PlanDay] = []
  var done: HTML?
  var fault: HTML?
  /// The day that was typed as the week to copy to.
  var target: String?

  init(
    _ week: Week, among choices: [TeamRow], _ clock: TeamClock, now: Instant, day: CivilDate
  ) throws(OperationError) {
    (self.week, self.choices, self.clock) = (week, choices, clock)
    (self.now, self.day) = (now, day)
    for date in week.days {
      let span = clock.time.span(of: date)
      days.append(
        PlanDay(
          date: date, text: date.text, span: span,
          clock: try TeamClock(zone: week.team.timeZone, now: span.start)))
    }
  }

  var page: Page { page(with: nil) }

  /// The address of the week with `day`.
  func address(of day: CivilDate, _ more: Query = Query()) -> String {
    Self.path
      + more.with("team", String(week.team.team.rawValue)).with("day", day.text).text
  }

  /// The address of the form that copies the week.
  var copyAction: String {
    "\(Self.path)/copy"
      + Query().with("team", String(week.team.team.rawValue)).with("day", week.monday.text).text
  }

  /// The address of the forms for an employee and a day, such as `2026-11-20`.
  func path(to employee: EmployeeID, on day: String) -> String {
    "\(Self.path)/\(employee.rawValue)/\(day)"
  }

  /// Those that begin on this day.
  func plannedShifts(of employee: EmployeeWeek, in day: Interval) -> [PlannedShiftRow] {
    employee.plannedShifts.filter { row in
      day.start <= row.plannedShift.span.start && row.plannedShift.span.start < day.end
    }
  }

  func absences(of employee: EmployeeWeek, in day: Interval) -> [Absence] {
    employee.absences.filter { $0.span.overlaps(day) }
  }

  /// `1 shift` or `12 shifts`
  static func count(_ shifts: Int) -> String { shifts == 1 ? "1 shift" : "\(shifts) shifts" }

  /// The question before a week is copied.
  func question(_ copy: WeekCopy, to target: CivilDate) -> PageAnswer {
    let name = target.monday.short(asOf: clock.today)
    let question = Confirmation(
      question: "Copy to the week of \(name)?",
      consequences: """
        <p>\(Self.count(copy.added)) of \(week.team.name) will be planned, at the same times of \
        day. \(summary(of: copy))
        """, button: "Copy week",
      action: copyAction,
      keep: Crumb(name: "Do not copy", path: "\(address(of: day))"), fields: ["to": target.text])
    return question.page(
      "Copy week", way: [Crumb(name: "Plan", path: "\(address(of: day))")], section: .plan)
  }

  private static let shownMax = 100

  /// What is not copied, and why: the rest of a paragraph, and a list.
  func summary(of copy: WeekCopy) -> HTML {
    let kept: HTML =
      copy.unchanged > 0 ? "\(Self.count(copy.unchanged)) planned already. " : ""
    guard !copy.skipped.isEmpty else { return "\(kept)</p>" }
    let lines = copy.skipped.prefix(Self.shownMax).map { skipped -> HTML in
      """
      <li>\(skipped.name), \(clock.short(skipped.span.start))–\
      \(clock.end(skipped.span.end, after: skipped.span.start)): \(text(of: skipped.reason))
      """
    }
    let rest = copy.skipped.count - lines.count
    return """
      \(kept)\(Self.count(copy.skipped.count)) cannot be copied:</p><ul class="items">\(lines)\
      \("<li>and \(rest) more", if: rest > 0)</ul>
      """
  }

  private func text(of reason: WeekCopy.Skipped.Reason) -> HTML {
    switch reason {
    case .overlaps(let other):
      """
      overlaps the shift planned from \(clock.short(other.start)) to \(clock.short(other.end))
      """
    case .absent(let span):
      "absent from \(clock.short(span.start)) to \(clock.short(span.end))"
    case .past: "is in the past"
    case .clockChange: "the clock changes then, and the shift would not fit"
    }
  }

  /// The page of a viewer who may see no team.
  static let nothing = Page(
    title: "Plan", section: .plan,
    content: "<h1>Plan</h1><p class=\"empty\">There is no team that you can see.</p>")
}

/// The plan with the forms for one employee and day above it.
struct PlanEditor: PlanningView {
  var plan: PlanView
  var forms: PlanningForms

  var page: Page {
    var plan = plan
    plan.fault = forms.unplaced
    return plan.page(
      with: """
        <div class="title edit" id="edit"><h2>\(forms.name), \
        \(plan.day.long(asOf: plan.clock.today))</h2>\
        <a href="\(plan.address(of: plan.day))">Close</a></div>
        <div class="columns even"><div>\(forms.planned)</div><div>\(forms.absent)</div></div>
        """)
  }

  func asking(_ question: Confirmation) -> PageAnswer {
    question.page(
      "Plan", way: [Crumb(name: "Plan", path: "\(plan.address(of: plan.day))")], section: .plan)
  }
}
