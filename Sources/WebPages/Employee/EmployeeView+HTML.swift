import GuardRules
import OperationCore
import ReadModels
import ReviewOperations
import ShiftDomain

extension EmployeeView {
  var page: Page {
    frame.page(
      .now, fault: unplaced,
      """
      \(waiting.map { card($0) })
      <div class="columns">
      <div>\(standing)\(overrideSection)\(claims)</div>
      <div>\(contact)\(opening)</div>
      </div>
      """)
  }

  /// What was typed about the clock action, if it was refused.
  private func refusal(of clockAction: ClockActionRow) -> RefusedForm? {
    refused?.form == .clockAction(clockAction.number) ? refused : nil
  }

  private func card(_ clockAction: ClockActionRow) -> HTML {
    let refusal = refusal(of: clockAction)
    let at = clock.short(clockAction.at)
    let claimed = clockAction.claimed.flatMap { span -> HTML? in
      guard let end = span.end else { return nil }
      return "<p>Claimed working time: \(clock.span(span.start, end)).</p>"
    }
    let place: HTML = "\(path)/clock-actions/\(clockAction.number)"
    let anchor: HTML = "clock-action-\(clockAction.number)"
    return """
      <section class="card urgent" aria-labelledby="\(anchor)">
      <h2 id="\(anchor)">\(clockAction.title) at \(at): your decision is needed</h2>
      <p>Cause: \(clockAction.cause).</p>
      \(claimed)\(clockAction.order(among: waiting, clock))
      <form method="post" action="\(place)/accept#\(anchor)" class="stack">
      \(refusal.map { .fault($0.fault) })\(end(of: clockAction, typed: refusal?.fields))
      <label for="why-\(clockAction.number)">Reason (visible to the employee)</label>
      <input id="why-\(clockAction.number)" name="reason" maxlength="500" \
      value="\(refusal?.fields["reason"])">
      <div class="row">\(acceptance(of: clockAction))\
      <button class="quiet" formaction="\(place)/dismiss#\(anchor)">\
      Dismiss clock action</button></div>
      </form></section>
      """
  }

  /// The end of the shift that a clock-in asks for, once that can be over.
  private func end(of clockAction: ClockActionRow, typed: FormFields?) -> HTML? {
    AcceptedEnd(of: clockAction, among: waiting, clock, now: now).map { field in
      """
      <label for="end-\(clockAction.number)">End (empty: the shift is still open)</label>
      \(field.input(id: "end-\(clockAction.number)", typed: typed?["end"]))
      <p class="aside">Time in \(frame.team.timeZone).</p>
      """
    }
  }

  /// A clock-in is accepted by opening its shift; any other clock action by correcting the shift
  /// that it belongs to: if that is unknown, the last one that began before it.
  private func acceptance(of clockAction: ClockActionRow) -> HTML {
    if clockAction.outcome.asksForShift {
      let isOver = AcceptedEnd(of: clockAction, among: waiting, clock, now: now) != nil
      return """
        <button>\(isOver ? "Accept" : "Open") the shift from \(clock.short(clockAction.at))\
        </button>
        """
    }
    guard clockAction.clockIn(among: waiting) == nil else { return "" }
    let around = shifts.first { $0.startedAt <= clockAction.at } ?? shifts.last
    guard let shift = clockAction.shift ?? around?.shift.number else { return "" }
    return """
      <a class="button" href="\(path)/shifts/\(shift)?clockAction=\(clockAction.number)#correct">\
      Correct the shift</a>
      """
  }

  /// Working time claimed by clock-in attempts that left the queue, until it is reviewed.
  private var claims: HTML? {
    let rows = claimed.compactMap { clockAction -> HTML? in
      guard let span = clockAction.claimed, let end = span.end else { return nil }
      return """
        <li><p>\(clock.span(span.start, end))</p>\
        <p class="aside">Clock-in attempt \(clockAction.number) was blocked, then superseded by a \
        later clock-in or the end of the shift.</p>
        \(acceptance(ofSuperseded: clockAction))\
        <form method="post" action="\(path)/clock-actions/\(clockAction.number)/dismiss">\
        <button class="quiet small">Dismiss clock action</button></form>
        """
    }
    guard !rows.isEmpty else { return nil }
    return """
      <section aria-labelledby="claims"><h2 id="claims">Claimed working time</h2>
      <ul class="given">\(rows)</ul></section>
      """
  }

  /// As a closed shift over the claimed time: a later clock-in has begun what goes on now.
  private func acceptance(ofSuperseded clockAction: ClockActionRow) -> HTML? {
    AcceptedEnd(of: clockAction, among: [], clock, now: now).map { field in
      let (number, refusal) = (clockAction.number, refusal(of: clockAction))
      return """
        <details\(" open", if: refusal != nil)><summary>Accept as a shift</summary>\
        <form method="post" action="\(path)/clock-actions/\(number)/accept" class="stack">
        \(refusal.map { .fault($0.fault) })<label for="end-\(number)">End</label>\
        \(field.input(id: "end-\(number)", typed: refusal?.fields["end"], isRequired: true))
        <label for="why-\(number)">Reason (visible to the employee)</label>
        <input id="why-\(number)" name="reason" maxlength="500" required \
        value="\(refusal?.fields["reason"])">
        <button>Accept the shift from \(clock.short(clockAction.at))</button></form></details>
        """
    }
  }

  /// The refusal of a form that the page does not show any more, because somebody has reviewed the
  /// clock action.
  private var unplaced: HTML? {
    guard let refused, case .clockAction(let number) = refused.form,
      !(waiting + claimed).contains(where: { $0.number == number })
    else { return nil }
    return refused.fault
  }

  private var fault: HTML? {
    refused.map { .fault($0.fault) }
  }

  private var opening: HTML? {
    let isRefused = refused?.form == .opening
    guard frame.isActive, frame.row.openShift == nil || isRefused else { return nil }
    return """
      <section aria-labelledby="open"><h2 id="open">Shift for \(frame.row.name)</h2>
      <form method="post" action="\(path)/shift#open" class="stack">
      \(isRefused ? fault : nil)
      <label for="open-reason">Reason (visible to the employee)</label>
      <input id="open-reason" name="reason" maxlength="500" required \
      value="\(isRefused ? refused?.fields["reason"] : nil)">
      <p class="aside">It begins now. No position is recorded until \(frame.row.name) confirms \
      it.</p>
      <button class="quiet">Open a shift</button></form>
      <p class="aside"><a href="\(path)/shifts#add">Add a past shift</a></p></section>
      """
  }

  /// What blocks a clock-in. Where the employee is, only those that were blocked show.
  private var blocking: FindingSet {
    let tried = waiting.reduce(into: FindingSet()) { $0.formUnion($1.decision.blocking) }
    let byPosition = tried.intersection(.ofPosition)
    return check.decision.isCheckDue ? byPosition : check.decision.blocking.union(byPosition)
  }

  private var overrideSection: HTML {
    let isRefused = refused?.form == .override
    let given = overrides.map { item($0) }
    // An employee on shift does not have to clock in, unless to confirm the shift.
    let isClockedIn = frame.row.openShift != nil && !waitsForConfirmation
    let isNeeded = frame.isActive && hasPhone && !blocking.isEmpty
    let isOffered = isNeeded && !isClockedIn || isRefused
    guard isOffered || !given.isEmpty else { return "" }
    let ticked = isRefused ? refused?.fields.all("finding") ?? [] : []
    let ticks = blocking.ranked.map { finding -> HTML in
      """
      <label class="tick"><input type="checkbox" name="finding" value="\(finding.code)"\
      \(" checked", if: !isRefused || ticked.contains(finding.code))>\(finding.name)</label>
      """
    }
    let form: HTML = """
      <form method="post" action="\(path)/overrides#override" class="stack">
      \(isRefused ? fault : nil)
      <input type="hidden" name="tag" value="\(overrideTag(newest: overrides.first))">
      <fieldset><legend>Override for one clock-in within 12 hours</legend>\(ticks)</fieldset>
      <label for="override-reason">Reason (visible to the employee)</label>
      <input id="override-reason" name="reason" maxlength="500" required \
      value="\(isRefused ? refused?.fields["reason"] : nil)">
      <button>Allow one clock-in</button></form>
      """
    return """
      <section aria-labelledby="override"><h2 id="override">Clock-in override</h2>
      \(isOffered ? form : nil)\
      \(given.isEmpty ? nil : "<ul class=\"given\">\(given)</ul>" as HTML)</section>
      """
  }

  private func item(_ row: OverrideRow) -> HTML {
    let state: HTML =
      if let shift = row.usedShift {
        "used by <a href=\"\(path)/shifts/\(shift)\">shift \(shift)</a>"
      } else if row.withdrawnAt != nil {
        "withdrawn"
      } else if row.expiresAt <= now {
        "expired"
      } else {
        "valid until \(clock.short(row.expiresAt))"
      }
    let withdraw: HTML = """
      <form method="post" action="\(path)/overrides/\(row.number)/withdraw">\
      <button class="quiet small">Withdraw override</button></form>
      """
    let findings: HTML =
      row.findings.isEmpty
      ? "Accepted clock-in" : row.findings.ranked.map(\.name).joined(by: ", ")
    return """
      <li><p>\(findings): “\(row.reason)”</p>\
      <p class="aside">\(row.author == .employee ? "The employee" : row.givenBy), \
      \(clock.short(row.createdAt)), \(state)</p>\(row.serves(at: now) ? withdraw : nil)
      """
  }
}

extension Platform {
  var name: String {
    switch self {
    case .unknown: ""
    case .ios: "iOS"
    case .android: "Android"
    case .web: "Browser"
    }
  }
}

extension DeviceRow {
  /// What it is called as long as its model is unknown.
  var kind: String { phoneApp?.name ?? (platform.name.isEmpty ? "Phone" : platform.name) }
}

extension ShiftRow {
  /// What is special about it.
  var remark: HTML {
    if waitsForConfirmation { return "waits for confirmation" }
    if ending == .declined { return "declined" }
    if needsReview, let objection { return "the employee objects: “\(objection.reason)”" }
    if needsReview { return device == nil ? "not confirmed" : "ended automatically" }
    if isAdded, timesConfirmedAt == nil, approval == nil { return "not confirmed" }
    return verdict == .warn ? "with a warning" : ""
  }
}

extension ClockActionKind {
  fileprivate var name: HTML {
    switch self {
    case .clockIn: "Clock-in"
    case .clockOut: "Clock-out"
    case .breakStart: "Break start"
    case .breakEnd: "Break end"
    case .takeOver: "Take-over"
    case .decline: "Declined shift"
    }
  }
}

extension ClockActionRow {
  var title: HTML { outcome == .blocked ? "Clock-in blocked" : outcome.kind.name }

  /// Why it needs a decision.
  var cause: HTML {
    let findings = decision.blocking.ranked.map(\.name).joined(by: ", ")
    return findings.bytes.isEmpty ? kept?.words ?? "it was made offline" : findings
  }
}

extension KeptReason {
  /// Why a clock action was kept; stands after a colon.
  fileprivate var words: HTML {
    switch self {
    case .blocked: "the permissions did not allow it"
    case .overlaps: "it overlaps another shift"
    case .tooOld: "it was sent more than 24 hours later"
    case .outOfOrder: "it does not fit the order of the recorded clock actions"
    case .noOpenShift: "no shift was open at its time"
    }
  }
}
