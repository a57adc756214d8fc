import GuardRules
import ShiftDomain

extension EmployeeView {
  /// The present: during a shift the tracking state, otherwise the decision that a clock-in would
  /// get now.
  var standing: HTML {
    let contact: HTML? =
      check.lastContactAt.map { "Last contact \(clock.short($0))." }
      ?? (hasPhone ? "No contact yet." : nil)
    return """
      <section aria-labelledby="standing"><h2 id="standing">Now</h2>
      \(frame.row.openShiftID.map { tracking(in: $0) } ?? offShift)
      \(contact.map { "<p class=\"aside\">\($0)</p>" as HTML })\(unreachable)</section>
      """
  }

  private var offShift: HTML {
    guard frame.isActive else { return inactive }
    return "\(missed)\(hasPhone ? readiness : noPhone)"
  }

  /// In the words of the board.
  private var missed: HTML? {
    check.missed.map { missed in
      let (start, end) = (clock.short(missed.planned.start), clock.short(missed.planned.end))
      return missed.isNoShow
        ? "<p class=\"verdict bad\">No-show: planned \(start)–\(end)</p>"
        : "<p class=\"verdict warn\">Late since \(start), planned until \(end)</p>"
    }
  }

  /// Without a phone nothing can be reported, so a finding would be misleading.
  var hasPhone: Bool { devices.contains { $0.revokedAt == nil } }

  private var noPhone: HTML {
    let path = EmployeeTab.devices.path(of: frame.row.employee)
    let enrol: HTML =
      frame.mayEdit
      ? "<a href=\"\(path)\">Create an enrolment code</a>"
      : "An administrator can create an enrolment code."
    return "<p class=\"verdict\">No phone enrolled</p><p>\(enrol)</p>"
  }

  private var inactive: HTML { "<p class=\"verdict\">Inactive: cannot clock in</p>" }

  /// That notifications about the employee arrive only while the app is open.
  private var unreachable: HTML? {
    guard let ways = frame.ways, !ways.reachEmployee else { return nil }
    let remedy = NotificationRemedy(
      employee: frame.row.employee, team: frame.team.team, mayEdit: frame.mayEdit,
      isMailSetUp: frame.isMailSetUp)
    return """
      <p class="aside">Notifications are not delivered while the app is closed: \
      \(ways.hasContact ? remedy.own : remedy.either).\
      \(" The contacts of the team are notified of interruptions only.", if: ways.hasContact)</p>
      """
  }

  /// The tracking state, the same as on the board, then readiness without an alarming verdict: an
  /// employee on shift does not have to clock in.
  private func tracking(in shift: ShiftID) -> HTML {
    let state = check.trackingState
    let verdict: HTML =
      switch state.value {
      case .tracked: "<p class=\"verdict good\">Tracked</p>"
      case .atRisk: "<p class=\"verdict warn\">Tracked, at risk</p>"
      case .onBreak: "<p class=\"verdict\">On break</p>"
      case .notTracked where waitsForConfirmation:
        "<p class=\"verdict\">Waits for \(frame.row.name)’s confirmation</p>"
      case .notTracked: "<p class=\"verdict bad\">Not tracked: \(state.reason?.name)</p>"
      case .offShift: "<p class=\"verdict\">Shift ended</p>"
      }
    return """
      <p><a href="\(path)/shifts/\(shift.number)">On shift \(shift.number)</a></p>\(verdict)\
      \(hasPhone ? nextClockIn : noPhone)
      """
  }

  /// The decision that a clock-in would get. During a shift, an old permission check alone is not
  /// shown as a block: phones report only changes, so after five minutes the check is always old.
  private var nextClockIn: HTML? {
    let decision = check.decision
    guard !decision.isCheckDue else {
      let findings = list(decision, besides: Decision.checkDue)
      return "<p class=\"aside\">\(oldCheck).</p>\(findings)"
    }
    let findings = list(decision)
    guard !findings.bytes.isEmpty else { return nil }
    return """
      <p class="aside">A clock-in now would be \(decision.verdict.answer):</p>\(findings)
      """
  }

  /// The decision that a clock-in would get. A permission check that is only old is no cause for
  /// alarm: the app sends a new one when it opens.
  private var readiness: HTML {
    let decision = check.decision
    let verdict: HTML =
      switch decision.verdict {
      case .allow: "<p class=\"verdict good\">Ready to clock in</p>"
      case .warn: "<p class=\"verdict warn\">Can clock in, with a warning</p>"
      case .block where decision.isCheckDue:
        """
        <p class="verdict">\(oldCheck)</p>\
        <p>The app sends a new permission check when it is opened.</p>
        """
      case .block: "<p class=\"verdict bad\">Cannot clock in</p>"
      }
    return "\(verdict)\(list(decision))"
  }

  private var oldCheck: HTML {
    check.decision.blocking.contains(.noReport)
      ? "No permission check yet" : "Permission not checked recently"
  }

  private func list(_ decision: Decision, besides known: FindingSet = []) -> HTML {
    let rows = [
      ("blocks", decision.blocking), ("warns", decision.warning), ("advice", decision.informing),
    ]
    .flatMap { word, findings in
      findings.subtracting(known).ranked.map {
        "<li>\($0.name) <span class=\"tag\">\(word)</span>" as HTML
      }
    }
    return rows.isEmpty ? "" : "<ul class=\"findings\">\(rows)</ul>"
  }
}

extension Verdict {
  fileprivate var answer: HTML {
    switch self {
    case .allow: "allowed"
    case .warn: "allowed with a warning"
    case .block: "blocked"
    }
  }
}
