import GuardRules
import ManagerOperations
import ReadModels
import ShiftDomain

extension EmployeeShiftsView {
  var planned: HTML {
    let none: HTML = """
      <p class="aside">No planned shifts.</p>
      """
    let list: HTML = """
      <div class="scroll" tabindex="0" role="group" aria-labelledby="planned">\
      <ul class="given">\(plannedShifts.map { item($0) })</ul></div>
      """
    return """
      <section aria-labelledby="planned"><h2 id="planned">Planned shifts</h2>
      \(plannedShifts.isEmpty ? none : list)\
      \(frame.isActive ? form : fault.map { .fault($0) })</section>
      """
  }

  private var form: HTML {
    """
    <form method="post" action="\(frame.path)/planned-shifts#planned" class="stack">
    \(fault.map { .fault($0) })
    <div class="times"><div><label for="planned-shift-day">Day</label>\
    <input id="planned-shift-day" name="day" type="date" required \
    value="\(typed?["day"] ?? clock.today.text)"></div>
    <div><label for="planned-shift-from">From</label>\
    <input id="planned-shift-from" name="from" type="time" required \
    value="\(typed?["from"])"></div>
    <div><label for="planned-shift-to">To</label>\
    <input id="planned-shift-to" name="to" type="time" required \
    value="\(typed?["to"])"></div></div>
    <p class="aside">Times in \(frame.team.timeZone). If the end is earlier than the start, \
    the shift ends on the next day.</p>
    <button class="quiet">Add planned shift</button></form>
    """
  }

  private func name(of plannedShift: PlannedShift) -> HTML {
    let (start, end) = (plannedShift.span.start, plannedShift.span.end)
    let day = clock.isToday(start) ? "Today" : clock.shortDay(start)
    return "\(day), \(clock.hourAndMinute(start))–\(clock.hourAndMinute(end))"
  }

  /// The question before a planned shift is removed.
  /// - Returns: `nil` if there is none of this id from today on: it may be removed already.
  func asking(toRemove id: Int64) -> PageAnswer? {
    guard let plannedShift = plannedShifts.first(where: { $0.id == id }) else { return nil }
    let question = Confirmation(
      question: "Remove the planned shift \(name(of: plannedShift))?",
      consequences: "<p>\(frame.row.name) is no longer expected at that time.</p>",
      button: "Remove planned shift", action: "\(frame.path)/planned-shifts/\(id)/remove",
      keep: Crumb(name: "Keep planned shift", path: "\(frame.path)/shifts"))
    return .page(frame.page(.shifts, question.card))
  }

  private func item(_ plannedShift: PlannedShift) -> HTML {
    let (start, end) = (plannedShift.span.start, plannedShift.span.end)
    let endsNextDay = clock.time.date(of: start) != clock.time.date(of: end)
    let name = name(of: plannedShift)
    return """
      <li class="split"><div><p>\(name)\(" on the next day", if: endsNextDay)</p>\
      <p class="aside">\((end - start).words), planned by \(plannedShift.createdBy)</p></div>\
      <form method="post" action="\(frame.path)/planned-shifts/\(plannedShift.id)/remove">\
      <button class="quiet small" aria-label="Remove: \(name)">Remove</button></form>
      """
  }
}
