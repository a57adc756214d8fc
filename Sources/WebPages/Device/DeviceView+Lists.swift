import GuardRules
import Guidance
import OperationCore
import ReadModels
import ShiftDomain

extension DeviceView {
  // MARK: The clock-in

  /// What a clock-in would be answered now, and why.
  var preview: HTML {
    let content: HTML =
      switch support.clockIn {
      case .revoked:
        """
        <p><b>Refused</b> (401): the phone is revoked. It has to be enrolled again with a new \
        code.</p>
        """
      case .alreadyOpen(let shift):
        "<p><b>Nothing to do</b> (200): shift \(shift) is open on this phone.</p>"
      case .openElsewhere(let shift, let other):
        """
        <p><b>Refused</b> (409 <code>open_elsewhere</code>): shift \(shift) is open on phone \
        \(other). The app offers to take over.</p>
        """
      case .decided(let decision, let guidance, let version, let override):
        decided(decision, guidance, version, override)
      }
    return """
      <section class="card" aria-labelledby="preview"><h2 id="preview">At clock-in now</h2>
      \(content)</section>
      """
  }

  private func decided(
    _ decision: Decision, _ guidance: Guidance, _ version: Int32, _ override: OverrideRow?
  ) -> HTML {
    let verdict: HTML =
      switch decision.verdict {
      case .allow: "<b>Clocked in</b> (201)"
      case .warn: "<b>Clocked in with a warning</b> (201)"
      case .block: "<b>Blocked</b> (409 <code>clock_in_blocked</code>)"
      }
    let remedies = guidance.remedies.map { remedy -> HTML in
      let steps = remedy.steps.map { step -> HTML in "<li>\(step)</li>" }
      return """
        <li><p><b>\(remedy.finding.label.capitalizedFirst)</b> \(remedy.severity.name) \
        (<code>\(remedy.finding.code)</code>)</p>\
        <p class="aside">\(remedy.title): \(remedy.why)</p><ol>\(steps)</ol>
        """
    }
    let none: HTML = "<p class=\"aside\">Nothing needs fixing.</p>"
    let allowed = override.map { row -> HTML in
      "<p class=\"aside\">Override by \(row.givenBy): “\(row.reason)”</p>"
    }
    return """
      <p>\(verdict), by policy version \(version).</p>\(allowed)
      \(remedies.isEmpty ? none : "<ul class=\"given\">\(remedies)</ul>")
      """
  }

  // MARK: Refused requests

  var refusals: HTML? {
    support.refusals.map { memory in
      let rows = memory.requests.map { request -> HTML in
        let items = request.items.map { count -> HTML in ", \(count) of its items" }
        // A request that was accepted may have had items that were refused.
        let status: HTML = request.status < 300 ? "items" : "\(request.status)"
        return """
          <tr><td>\(exact(request.at))<td><code>\(request.route)</code>\
          <td>\(status)<td><code>\(request.code)</code>\(items)

          """
      }
      let head: HTML = """
        <th scope="col">Time<th scope="col">Request<th scope="col">Status\
        <th scope="col">Error
        """
      return section(
        "refused", "Refused requests and items", head, rows, none: "None are remembered.",
        note: """
          The last \(RefusedRequests.requestsMax) refused by instance “\(memory.instance)” since \
          its start (\(exact(memory.since))). If several instances run, each remembers its own: \
          reload to reach another one.
          """)
    }
  }

  // MARK: What is stored

  var reports: HTML {
    let rows = support.history.reports.map { row -> HTML in
      let state = row.report.state
      let findings = GuardRules.findings(in: state, platform: support.row.platform).ranked
      let said: HTML =
        if let raw = row.raw {
          "<code>\(raw)</code>"
        } else {
          row.source == nil ? "sent in ShiftGuard’s codes" : "not stored"
        }
      let conditions = DeviceCondition.allCases.filter { state.conditions[$0] != .unknown }
        .map { condition -> HTML in ", \(condition.name) \(state.conditions[condition].code)" }
      let isLate = row.receivedAt - row.report.effectiveAt > .seconds(1)
      let start: HTML? = isLate ? ", counts from \(exact(row.report.effectiveAt))" : nil
      let exit = row.report.appExit.map { exit -> HTML in ", app ended: \(exit.cause.code)" }
      return """
        <tr><td>\(exact(row.receivedAt))<p class="aside">\(row.trigger) \
        \(row.report.sequence.map { "no. \($0)" as HTML })\(start)</p>\
        <td>\(said)<p class="aside">\(row.source)</p>\
        <td>\(state.authorization.code), accuracy \(state.accuracy.code), \
        services \(state.services.code)\(conditions)\(exit)\
        <td>\(findings.isEmpty ? "none" : findings.map(\.name).joined(by: ", "))\
        <td>\(row.report.skew.map { $0.asSkew })

        """
    }
    return section(
      "reports", "Permission reports",
      """
      <th scope="col">Received<th scope="col">The phone said<th scope="col">Understood as\
      <th scope="col">Findings<th scope="col">Clock
      """, rows, none: "No permission report is stored.",
      note: shown(support.history.reports.count, of: support.history.reportCount))
  }

  var clockActions: HTML {
    let rows = support.history.clockActions.map { row -> HTML in
      let findings = row.decision.findings.ranked.map(\.name).joined(by: ", ")
      let kept = row.kept.map { kept -> HTML in
        ", kept for review (\(kept.code))\(row.review.map { ", \($0.code)" as HTML })"
      }
      return """
        <tr><td>\(exact(row.at))<td>\(exact(row.receivedAt))\
        <td><code>\(row.outcome.code)</code>\(kept)\
        <td>\(row.shift.map { "\($0)" as HTML })<td>\(findings)

        """
    }
    return section(
      "actions", "Clock actions",
      """
      <th scope="col">Time<th scope="col">Received<th scope="col">Answer<th scope="col">Shift\
      <th scope="col">Findings
      """, rows, none: "No clock action is stored.",
      note: "From a day before the shift on; the newest first.")
  }

  var pings: HTML {
    let history = support.history
    let rows = history.pingUploads.map { row -> HTML in
      """
      <tr><td>\(exact(row.receivedAt))<td class="number">\(row.pings)\
      <td class="number">\(row.positions)<td>\(exact(row.first))<td>\(exact(row.last))<td>stored

      """
    }
    return section(
      "pings", "Pings",
      """
      <th scope="col">Received<th scope="col" class="number">Pings\
      <th scope="col" class="number">With a position<th scope="col">First<th scope="col">Last\
      <th scope="col">Answer
      """, rows, none: "No ping of this shift is stored.",
      note: """
        \(history.pingCount) pings in \(history.pingUploadCount) uploads. Refused pings are not \
        stored: they are among the refused requests.
        """)
  }

  /// Only of a phone app: an app of ours is refused what cannot be read.
  var quarantine: HTML? {
    guard support.row.phoneApp != nil || !support.history.quarantine.isEmpty else { return nil }
    let rows = support.history.quarantine.map { message -> HTML in
      """
      <tr><td>\(exact(message.receivedAt))<td>\(message.app.name)<td>\(message.reason)\
      <td class="number">\(message.byteCount)

      """
    }
    return section(
      "aside", "Quarantine",
      """
      <th scope="col">Received<th scope="col">App<th scope="col">Reason\
      <th scope="col" class="number">Bytes
      """, rows, none: "Every message could be read.",
      note: """
        What the app sent and could not be read. The app was answered that it arrived, so that it \
        goes on with the next.
        """)
  }

  var deliveries: HTML {
    let rows = support.deliveries.map { attempt -> HTML in
      """
      <tr><td>\(exact(attempt.begunAt))<td>\(attempt.id.topic.label(attempt.kind))\
      <td>\(attempt.step.label)<td>\(attempt.outcome.map { "\($0.code)" as HTML } ?? "not known")\
      <td>\(attempt.reason)

      """
    }
    return section(
      "deliveries", "Notifications to this phone",
      """
      <th scope="col">Time<th scope="col">Notification<th scope="col">Channel<th scope="col">State\
      <th scope="col">Cause
      """, rows, none: "None was sent to this phone.",
      note: support.hasMoreDeliveries
        ? "The newest \(support.deliveries.count) attempts; older ones are not shown."
        : "Attempts from a day before the shift on; the newest first.")
  }

  private func shown(_ count: Int, of total: Int64) -> HTML {
    total > count ? "The newest \(count) of \(total)." : "The newest first."
  }

  private func section(
    _ key: HTML, _ title: HTML, _ head: HTML, _ rows: [HTML], none: HTML, note: HTML
  ) -> HTML {
    let table: HTML = """
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="\(key)">\
      <table><thead><tr>\(head)</thead>\(rows)</table></div>
      """
    return """
      <section class="card" aria-labelledby="\(key)"><h2 id="\(key)">\(title)</h2>
      \(rows.isEmpty ? "<p class=\"aside\">\(none)</p>" as HTML : table)
      <p class="aside">\(note)</p></section>
      """
  }
}
