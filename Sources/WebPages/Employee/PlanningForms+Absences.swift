import GuardRules
import ReadModels
import ShiftDomain

extension PlanningForms {
  var absent: HTML {
    let none: HTML = """
      <p class="aside">No absences.</p>
      """
    let list: HTML = """
      <ul class="given">\(absences.map { item($0) })</ul>
      """
    return """
      <section aria-labelledby="absences"><h2 id="absences">Absences</h2>
      \(absences.isEmpty ? none : list)\
      \(isActive ? form : refusedAbsence.map { .fault($0.fault) })</section>
      """
  }

  private var form: HTML {
    let (typed, first) = (refusedAbsence?.fields, day.text)
    return """
      <form method="post" action="\(path)/absences#absences" class="stack">
      \(refusedAbsence.map { .fault($0.fault) })
      <div class="times">\(field("first", "First day", "date", typed?["first"] ?? first, true))
      \(field("from", "From", "time", typed?["from"]))</div>
      <div class="times">\(field("last", "Last day", "date", typed?["last"] ?? first, true))
      \(field("to", "To", "time", typed?["to"]))</div>
      <label for="absence-note">Note for managers (optional)</label>
      <input id="absence-note" name="note" maxlength="\(Absence.noteMax)" autocomplete="off" \
      value="\(typed?["note"])">
      <p class="aside">Times in \(timeZone). Without times, the days are meant from \
      beginning to end. During an absence, nobody is expected: no planned shift opens by itself, \
      and nobody is late for it. The note needs no reason, and no details about health.</p>
      <button class="quiet">Add absence</button></form>
      """
  }

  private func field(
    _ name: String, _ label: String, _ type: String, _ value: String?, _ isRequired: Bool = false
  ) -> HTML {
    """
    <div><label for="absence-\(name)">\(label)</label>\
    <input id="absence-\(name)" name="\(name)" type="\(type)"\(" required", if: isRequired) \
    value="\(value)"></div>
    """
  }

  private func item(_ absence: Absence) -> HTML {
    let times = times(of: absence)
    return """
      <li><div class="split"><div><p>\(times)</p>\
      \(absence.note.map { "<p>\($0)</p>" as HTML })\
      <p class="aside">Added by \(absence.createdBy)</p></div>\
      <form method="post" action="\(path)/absences/\(absence.id)/remove">\
      <button class="quiet small" aria-label="Remove absence: \(times)">Remove</button></form></div>
      """
  }

  /// `Mon 23 Nov–Fri 27 Nov` for whole days, else with times.
  private func times(of absence: Absence) -> HTML {
    let (start, end) = (absence.span.start, absence.span.end)
    let first = clock.time.date(of: start)
    let last = clock.time.date(of: end - .milliseconds(1))
    let days = Interval(
      from: clock.time.span(of: first).start, to: clock.time.span(of: last).end)
    let begin = clock.shortDay(start)
    if absence.span == days {
      return first == last ? "\(begin)" : "\(begin)–\(last.short(asOf: clock.today))"
    }
    let endDay = clock.time.date(of: end) == first ? "" : "\(clock.shortDay(end)), "
    return "\(begin), \(clock.hourAndMinute(start))–\(endDay)\(clock.hourAndMinute(end))"
  }

  /// The question before an absence is removed.
  /// - Returns: `nil` if none of those shown has this id: it may be removed already.
  func question(beforeRemovingAbsence id: Int64) -> Confirmation? {
    guard let absence = absences.first(where: { $0.id == id }) else { return nil }
    return Confirmation(
      question: "Remove the absence \(times(of: absence))?",
      consequences: "<p>\(name) is expected at that time, where a shift is planned.</p>",
      button: "Remove absence", action: "\(path)/absences/\(id)/remove",
      keep: Crumb(name: "Keep absence", path: "\(back)"))
  }
}
