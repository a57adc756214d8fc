import GuardRules
import Guidance
import InsightOperations
import ReadModels
import ShiftDomain

/// One phone, for support.
struct DeviceView: FormView {
  var employee: EmployeeAndTeam
  var support: DeviceSupport
  var clock: TeamClock
  /// A test that was just sent.
  var test: NotificationID?
  var fault: HTML?

  var device: DeviceID { support.row.device }

  /// Whether the result of the test is still to come.
  var waitsForTest: Bool { test != nil && testOutcome?.outcome == nil }

  private var testOutcome: DeliveryAttempt? {
    support.deliveries.first { $0.id == test }
  }

  var page: Page {
    Page(
      title: "Phone \(device.number) of \(employee.row.name)", section: .board,
      content: """
        \(head.html)
        <div class="columns even"><div>\(preview)</div><div>\(facts)\(testForm)</div></div>
        \(refusals)\(quarantine)\(reports)\(clockActions)\(pings)\(deliveries)
        """)
  }

  private var head: PageHead {
    let name = employee.row.name
    let own: HTML = "/employees/\(device.employee.rawValue)"
    let shift: HTML =
      support.history.shift.map { shift in
        let end: HTML = shift.endedAt.map { "until \(exact($0))" } ?? "open"
        return """
          <a href="\(own)/shifts/\(shift.number)">Shift \(shift.number)</a>, \
          from \(exact(shift.startedAt)), \(end)
          """
      } ?? "No shift yet"
    return PageHead(
      way: [.board, Crumb(name: "\(name)", path: own)], title: "Phone \(device.number)",
      line: """
        <p>\(support.row.model ?? support.row.kind) of \(name) · \(shift)</p>\
        <p>Times in \(employee.team.timeZone)</p>
        """, done: test.map { _ in testResult }, fault: fault)
  }

  private var testResult: HTML {
    switch testOutcome?.outcome {
    case .accepted: "The push service accepted the test message."
    case .retry, nil:
      "Test message queued. It is tried for five minutes: reload the page to see its result."
    case let outcome?:
      "The test message was not delivered: \(testOutcome?.reason ?? outcome.code)."
    }
  }

  private var facts: HTML {
    let row = support.row
    let skew = (support.history.reports.first?.report ?? row.newestReport)?.skew
    let lines: [(HTML, HTML?)] = [
      ("System", "\([row.platform.name, row.osVersion ?? ""].joined(separator: " "))"),
      ("App", row.app.map { "\($0)" }), ("Language", row.language.map { "\($0)" }),
      ("Clock", skew.map { $0.asSkew }),
      ("Enrolled", "\(exact(row.enrolledAt))"),
      ("Last contact", row.lastContactAt.map { "\(exact($0))" }),
      ("Last position", row.lastFixAt.map { "\(exact($0))" }),
      ("Revoked", row.revokedAt.map { "\(exact($0))" } ?? "no"), ("Push address", pushState),
    ]
    let rows = lines.map { line -> HTML in
      "<tr><th scope=\"row\">\(line.0)<td>\(line.1 ?? "not known")\n"
    }
    return """
      <section class="card" aria-labelledby="facts"><h2 id="facts">Phone</h2>
      <table><tbody>\(rows)</tbody></table></section>
      """
  }

  /// The kind of push address, and whether it is set; never the address.
  private var pushState: HTML {
    let revoked = support.row.revokedAt.map { end -> HTML in ", revoked since \(exact(end))" }
    guard let push = support.push else { return "not set\(revoked)" }
    let sandbox: HTML = push.isSandbox ? ", development build" : ""
    return """
      \(push.channel.name)\(sandbox), set \(exact(push.registeredAt))\(revoked)
      """
  }

  private var testForm: HTML? {
    guard support.row.revokedAt == nil else { return nil }
    return """
      <section aria-labelledby="test"><h2 id="test">Test message</h2>
      <p class="aside">It goes to this phone by push, the way all notifications go, and is written \
      to the audit log.</p>
      <form method="post" action="\(device.path)/test" class="stack">\
      <div class="row"><button>Send test message</button></div></form></section>
      """
  }

  /// A time with its seconds.
  func exact(_ instant: Instant) -> String {
    let time = clock.toTheSecond(instant)
    return clock.isToday(instant) ? time : "\(clock.shortDay(instant)), \(time)"
  }
}

extension TimeSpan {
  /// The server's clock minus the phone's, in words.
  var asSkew: HTML {
    if self == .zero { return "right" }
    let isSlow = self > .zero
    let size = isSlow ? self : .zero - self
    let text = size < .seconds(1) ? "\(size.milliseconds) ms" : size.words
    return "\(text) \(isSlow ? "slow" : "fast")"
  }
}
