import GuardRules
import OperationCore
import ReadModels
import ReviewOperations
import ShiftDomain

extension ShiftView {
  var page: Page {
    Page(
      title: "\(details.row.name), shift \(shift.number)", section: .board,
      content: """
        \(head.html)
        \(summary)
        <div class="columns">
        <div>\(story)</div>
        <div>\(track)\(details.row.approval.map { approved($0) } ?? correctionForm)</div>
        </div>
        """)
  }

  private var head: PageHead {
    let row = details.row
    let open: HTML =
      row.waitsForConfirmation ? ", waits for \(row.name)’s confirmation" : ", still open"
    let end: HTML = row.endedAt.map { "–\(clock.end($0, after: row.startedAt))" } ?? open
    let person: HTML = "/employees/\(shift.employee.rawValue)"
    let line: HTML = """
      <p>\(clock.longDay(row.startedAt)), \(clock.hourAndMinute(row.startedAt))\(end) · \
      shift \(shift.number) · \(team.name)\
      \(" · <a href=\"\(person)#contact\">Call, text or remind</a>", if: row.endedAt == nil)</p>
      """
    return PageHead(
      way: [
        .board, Crumb(name: "\(row.name)", path: person),
      ], title: "\(row.name)", line: line,
      done: done?.text(ways))
  }

  private var totals: TrackingTotals {
    var totals = TrackingTotals()
    totals.add(details.coverage.segments)
    return totals
  }

  /// The whole shift without its breaks, as in the time sheet, also where it could not be tracked.
  private var worked: HTML {
    "\(CoverageDurations(of: details.coverage.segments).worked.hoursAndMinutes)"
  }

  /// Not where all is paid as worked.
  private var paid: HTML? {
    guard recorded.payRule != PayRule(), let paid = recorded.paid else { return nil }
    return "<div><dt>Paid time</dt><dd>\(paid.hoursAndMinutes)</dd></div>"
  }

  private var summary: HTML {
    let segments = details.coverage.segments
    let axis = TimeAxis(
      start: clock.hourBegin(details.coverage.startedAt),
      end: max(
        clock.hourBegin(details.coverage.asOf) + .hours(1),
        clock.hourBegin(details.coverage.startedAt) + .hours(2)))
    return """
      <section class="card summary" aria-label="Coverage">
      <dl class="statistics">\(trackedFigure(permille: totals.permille))\
      <div><dt>Working time</dt><dd>\(worked)</dd></div>\(paid)\
      \(losses(segments))</dl>
      \(CoverageBar.patterns)\(axis.hours(clock, now: nil))
      <div class="bar">\(CoverageBar(segments, on: axis).drawing)</div>
      \(CoverageBar.legend)
      \(details.coverage.isProvisional ? provisional : nil)
      </section>
      """
  }

  private var provisional: HTML {
    """
    <p class="aside">As of \(clock.toTheSecond(details.coverage.asOf)). A phone that was offline \
    may \
    still send more data.</p>
    """
  }

  private func losses(_ segments: [CoverageSegment]) -> [HTML] {
    lostTime(in: segments).map {
      "<div class=\"lost\"><dt>\($0.name)</dt><dd>\($1.words)</dd></div>"
    }
  }

  private var correctionForm: HTML {
    """
    <section class="card" aria-labelledby="correct"><h2 id="correct">Correct times and breaks</h2>
    \(acceptance)
    <form method="post" action="\(path)/corrections#correct" class="stack">
    \(correction.fault.map { .fault($0) })
    <input type="hidden" name="tag" value="\(details.times.tag)">
    \(correction.clockAction.map(accepting))
    <div class="pair"><div><label for="start">Start</label>
    <input id="start" name="start" type="datetime-local" value="\(correction.start)"></div>
    <div><label for="end">End</label>
    <input id="end" name="end" type="datetime-local" value="\(correction.end)"></div></div>
    \(correction.breaks.enumerated().map { place, fields in
      fields.html(place + 1, isNew: place >= details.history.breaks.count)
    })
    <label for="reason">Reason (visible to the employee)</label>
    <textarea id="reason" name="reason" rows="2" maxlength="500" required>\(correction.reason)\
    </textarea>
    <p class="aside">Times in \(team.timeZone). Save to add one more break. The original times are \
    kept; positions outside the working time are deleted after 7 days. Time that was a break, or \
    outside the shift, gets no positions.</p>
    <div class="buttons"><button>Save correction</button>\(shortcuts)</div>
    </form>\(undoForm ?? correction.undoFault.map { HTML.fault($0) })
    <p class="aside"><a href="/employees/\(shift.employee.rawValue)/shifts#add">Add a past \
    shift</a> if one is missing altogether.</p></section>
    """
  }

  /// Ends that need not be typed.
  private var shortcuts: [HTML] {
    let (row, planned) = (details.row, details.history.plannedEnd)
    func button(_ shortcut: EndShortcut, _ label: HTML) -> HTML {
      "<button class=\"quiet\" name=\"shortcut\" value=\"\(shortcut.code)\">\(label)</button>"
    }
    var buttons: [HTML] = []
    if let planned, planned > row.startedAt, planned <= now, planned != row.endedAt {
      buttons.append(button(.plannedEnd, "End at planned end, \(clock.short(planned))"))
    }
    if row.endedAt == nil { buttons.append(button(.now, "End now")) }
    return buttons
  }

  /// The times of an approved shift are locked until it is reopened.
  private func approved(_ approval: ShiftApproval) -> HTML {
    """
    <section class="card" aria-labelledby="correct"><h2 id="correct">Times approved</h2>
    <p>\(approval.by) approved the times of this shift for payroll, \(clock.short(approval.at)). \
    Reopen it to correct its times.</p>
    <form method="post" action="\(path)/reopen#correct" class="stack">
    \(correction.fault.map { .fault($0) })
    \(correction.clockAction.map { clockAction -> HTML in
      "<input type=\"hidden\" name=\"clockAction\" value=\"\(clockAction)\">"
    })
    <label for="reason">Reason (for the audit log)</label>
    <textarea id="reason" name="reason" rows="2" maxlength="500" required>\(correction.reason)\
    </textarea>
    <button class="quiet">Reopen shift</button></form></section>
    """
  }

  /// Not every shift that needs review has wrong times.
  private var acceptance: HTML? {
    let row = details.row
    guard row.needsReview, row.endedAt != nil else { return nil }
    let isForAdministrator = row.isAdded && row.objection != nil
    if isForAdministrator, !isAdministrator {
      return """
        <p>This shift needs review: \(row.remark). Correct it, or ask an administrator to keep the \
        times.</p>
        """
    }
    let reason: HTML = """
      <label for="why">Reason to keep the times (visible to the employee)</label>
      <input id="why" name="reason" maxlength="500" required>
      """
    return """
      <form method="post" action="\(path)/accept" class="stack">\
      <input type="hidden" name="tag" value="\(details.times.tag)"><p>This shift needs review: \
      \(row.remark).</p>\(isForAdministrator ? reason : nil)
      <div class="row"><button class="quiet">Accept the recorded times</button></div></form>
      """
  }

  private func accepting(_ clockAction: Int32) -> HTML {
    """
    <p>Saving also accepts clock action \(clockAction).</p>
    <input type="hidden" name="clockAction" value="\(clockAction)">
    """
  }

  /// The form to undo the newest correction, as long as that is possible.
  private var undoForm: HTML? {
    guard let newest = details.history.corrections.last, newest.undoes == nil,
      now - newest.correctedAt < undoMax
    else { return nil }
    let words = StoryWords.spans { span in
      span.end.map { clock.span(span.start, $0) } ?? "\(clock.short(span.start))–open"
    }
    let before =
      newest.breaks.map { "The breaks were: \(words($0.old))." }
      ?? "The shift was \(words([newest.old]))."
    return """
      <form method="post" action="\(path)/corrections/\(newest.number)/undo#correct" class="stack">
      \(correction.undoFault.map { .fault($0) })
      <label for="undo">Undo the newest correction: reason (visible to the employee)</label>
      <input id="undo" name="reason" maxlength="500" required>
      <p class="aside">\(before)</p>
      <button class="quiet">Undo correction</button></form>
      """
  }
}

/// Untracked time by reason, the longest first; what is nobody's fault does not count: breaks,
/// service outages, and time in which no phone was asked to track; nor does what lasted no second.
func lostTime(in segments: [CoverageSegment]) -> [(reason: CoverageReason, span: TimeSpan)] {
  var durations: [CoverageReason: TimeSpan] = [:]
  for segment in segments {
    switch segment.reason {
    case .tracked, .onBreak, .serviceUnavailable, .notAsked: break
    default:
      durations[segment.reason] = (durations[segment.reason] ?? .zero) + segment.interval.length
    }
  }
  return durations.filter { $0.value >= .seconds(1) }.map { (reason: $0.key, span: $0.value) }
    .sorted { ($1.span, $0.reason.rawValue) < ($0.span, $1.reason.rawValue) }
}
