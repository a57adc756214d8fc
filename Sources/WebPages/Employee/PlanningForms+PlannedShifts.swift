import CivilTime
import GuardRules
import ReadModels
import ShiftDomain

extension PlanningForms {
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
      \(isActive ? form : refusal(of: nil).map { .fault($0.fault) })</section>
      """
  }

  private var form: HTML {
    """
    <form method="post" action="\(path)/planned-shifts#planned" class="stack">
    \(refusal(of: nil).map { .fault($0.fault) })
    \(timesFields("planned-shift", refusal(of: nil)?.fields, day: day.text))
    \(sitesField(refusal(of: nil)?.fields))
    <p class="aside">Times in \(timeZone). If the end is not later than the start, \
    the shift ends on the next day: 00:00 is midnight at the end of the day.</p>
    <button class="quiet">Add planned shift</button></form>
    """
  }

  private func refusal(of id: Int64?) -> RefusedPlannedShift? {
    refused.flatMap { $0.id == id ? $0 : nil }
  }

  /// The sites of a planned shift as ticks: those sent, else the given ones.
  private func sitesField(_ sent: FormFields?, _ named: [Int16] = []) -> HTML? {
    guard !sites.isEmpty else { return nil }
    let ticked = Set(sent?.all("sites") ?? named.map(String.init))
    let ticks = sites.map { site -> HTML in
      let number = String(site.number)
      return """
        <label class="tick"><input type="checkbox" name="sites" value="\(number)"\
        \(" checked", if: ticked.contains(number))> \(site.name)</label>
        """
    }
    // Without a tick, the field would not be sent.
    return """
      <fieldset><legend>Sites: if none is ticked, all are meant</legend>\
      <input type="hidden" name="sites" value="">\
      <div class="ticks">\(ticks)</div></fieldset>
      """
  }

  /// The names of the sites of a planned shift; `nil`: all are meant.
  private func siteNames(of plannedShift: PlannedShift) -> HTML? {
    plannedShift.siteNames(among: sites).map { "<p>At \($0)</p>" }
  }

  private func times(of plannedShift: PlannedShift) -> HTML {
    let (start, end) = (plannedShift.span.start, plannedShift.span.end)
    let day = clock.isToday(start) ? "Today" : clock.shortDay(start)
    return "\(day), \(clock.hourAndMinute(start))–\(clock.hourAndMinute(end))"
  }

  /// The question before a planned shift is removed.
  /// - Returns: `nil` if none of those shown has this id: it may be removed already.
  func question(beforeRemoving id: Int64) -> Confirmation? {
    guard let row = plannedShifts.first(where: { $0.plannedShift.id == id }) else { return nil }
    return Confirmation(
      question: "Remove the planned shift \(times(of: row.plannedShift))?",
      consequences: "<p>\(name) is no longer expected at that time.</p>",
      button: "Remove planned shift", action: "\(path)/planned-shifts/\(id)/remove",
      keep: Crumb(name: "Keep planned shift", path: "\(back)"))
  }

  private func item(_ row: PlannedShiftRow) -> HTML {
    let plannedShift = row.plannedShift
    let (start, end) = (plannedShift.span.start, plannedShift.span.end)
    let endsNextDay = clock.time.date(of: start) != clock.time.date(of: end)
    let times = times(of: plannedShift)
    return """
      <li><div class="split"><div><p>\(times)\(" on the next day", if: endsNextDay)</p>\
      \(siteNames(of: plannedShift))\(absence(at: start))\
      \(row.mark(clock, now: now, isAbsent: isAbsent(at: start)))
      <p class="aside">\((end - start).words), planned by \(plannedShift.createdBy)</p></div>\
      <form method="post" action="\(path)/planned-shifts/\(plannedShift.id)/remove">\
      <button class="quiet small" aria-label="Remove: \(times)">Remove</button></form></div>
      \(change(plannedShift, times))
      """
  }

  private func isAbsent(at start: Instant) -> Bool {
    absences.contains { $0.span.start <= start && start < $0.span.end }
  }

  private func absence(at start: Instant) -> HTML? {
    isAbsent(at: start) ? "<p>Absent at the start: \(name) is not expected.</p>" : nil
  }

  private func change(_ plannedShift: PlannedShift, _ name: HTML) -> HTML? {
    let refused = refusal(of: plannedShift.id)
    let (start, end) = (plannedShift.span.start, plannedShift.span.end)
    guard end > now || refused != nil else { return nil }
    let fields = timesFields(
      "planned-\(plannedShift.id)", refused?.fields,
      day: clock.time.date(of: start).text, from: clock.shown(start),
      to: clock.shown(end))
    return """
      <details\(" open", if: refused != nil)><summary aria-label="Change: \(name)">Change</summary>
      <form method="post" action="\(path)/planned-shifts/\(plannedShift.id)/change#planned" \
      class="stack">\(refused.map { .fault($0.fault) })
      \(fields)
      \(sitesField(refused?.fields, plannedShift.sites))
      <button class="quiet">Change planned shift</button></form></details>
      """
  }
}

extension PlannedShift {
  /// The names of the sites that it names; `nil`: all of the team are meant.
  func siteNames(among sites: [Site]) -> String? {
    let named = sites.filter { self.sites.contains($0.number) }.map(\.name)
    return named.isEmpty ? nil : named.joined(separator: ", ")
  }
}

extension PlannedShiftRow {
  /// Whether its employee has come, in the words of the board and of the notifications to managers;
  /// `nil`: nothing is to be said yet.
  /// - Parameter isAbsent: Whether it starts in an absence.
  func mark(_ clock: TeamClock, now: Instant, isAbsent: Bool) -> HTML? {
    let isOver = plannedShift.span.end <= now
    switch attendance {
    case .late:
      return """
        <p class="verdict warn">Late since \(clock.hourAndMinute(plannedShift.span.start))</p>
        """
    case .noShow: return "<p class=\"verdict bad\">No-show</p>"
    case .tried(let attempt) where attempt.isKept:
      return "<p>The clock-in at \(clock.short(attempt.at)) is kept for review.</p>"
    case .tried(let attempt):
      return "<p>Tried to clock in, was blocked at \(clock.short(attempt.at)).</p>"
    case .declined: return "<p>Declined.</p>"
    case .clockedIn: return isOver ? "<p>Worked.</p>" : "<p>Clocked in.</p>"
    case .awaited where isOver && !isAbsent: return "<p>Not worked.</p>"
    case .awaited, nil: return nil
    }
  }
}

/// The fields of a planned or past shift: those typed, else the given ones.
func timesFields(
  _ id: String, _ typed: FormFields?, day: String, from: String? = nil, to: String? = nil
) -> HTML {
  """
  <div class="times"><div><label for="\(id)-day">Day</label>\
  <input id="\(id)-day" name="day" type="date" required value="\(typed?["day"] ?? day)"></div>
  <div><label for="\(id)-from">From</label>\
  <input id="\(id)-from" name="from" type="time" required \
  value="\(typed?["from"] ?? from)"></div>
  <div><label for="\(id)-to">To</label>\
  <input id="\(id)-to" name="to" type="time" required \
  value="\(typed?["to"] ?? to)"></div></div>
  """
}
