import PeopleOperations
import QREncoding
import ReadModels
import ShiftDomain

/// A rehearsal: its enrolment code, and its steps with the times at which they happened.
struct RehearsalView: Sendable {
  var rehearsal: Rehearsal
  var clock: TeamClock
  var timeZone: String
  /// A code that was just created, and the address for the phone.
  var code: (code: NewEnrolmentCode, address: String)?

  var page: Page {
    Page(
      setting: "\(rehearsal.employee.name)",
      below: Crumb(name: "Rehearsal", path: "/settings/rehearsals"),
      line: """
        <p>Number \(rehearsal.employee.employee.rawValue) · erased at \
        \(clock.short(rehearsal.endsAt)), with everything that the rehearsal has stored</p>
        """,
      """
      \(shownCode)
      <section class="card" aria-labelledby="about-steps"><h2 id="about-steps">Steps</h2>
      \(steps)
      <p class="aside">Times in \(timeZone). What managers see of it: \
      <a href="/employees/\(rehearsal.employee.employee.rawValue)">page of the practice \
      employee</a>.</p></section>
      <div class="row">\(enrolment)<form method="post" action="\(rehearsal.path)/end">\
      <button class="quiet">End rehearsal and erase practice employee</button></form></div>
      """)
  }

  private var shownCode: HTML? {
    code.map { code in
      """
      <section class="card code" aria-labelledby="code">
      \(QRCode(code.address)?.drawing(named: "QR code of the address beside it"))
      <div><h2 id="code">Enrolment code</h2>
      <p>Scan this with the phone’s camera, or open the address on it: \
      <code>\(code.address)</code></p>
      \(phoneWarning(code.address))<p>An installed app takes the code itself:</p>
      <p><strong id="code-text">\(code.code.code)</strong></p>
      <p class="aside">It enrols one phone, until \(clock.short(code.code.expiresAt)), and is not \
      shown again.</p>
      <p class="row"><button class="quiet small" data-copy="code-text" hidden>Copy code</button></p>
      </div></section>
      """
    }
  }

  /// A second code may be wanted: the page does not show the first one again.
  private var enrolment: HTML? {
    guard code == nil, rehearsal.happened[.phoneEnrolled] == nil else { return nil }
    return """
      <form method="post" action="\(rehearsal.path)/codes">\
      <button>Show enrolment code</button></form>
      """
  }

  /// Replaced by the script for as long as the page is open.
  var steps: HTML {
    let next = RehearsalStep.allCases.first { rehearsal.happened[$0] == nil }
    let rows = RehearsalStep.allCases.map { step -> HTML in
      let when: HTML =
        rehearsal.happened[step].map { "<b>Done at \(clock.toTheSecond($0)).</b>" }
        ?? (step == next ? "<b>Next.</b>" : "Not done yet.")
      return """
        <li\(" class=\"did\"", if: rehearsal.happened[step] != nil)\
        \(" aria-current=\"step\"", if: step == next)><h3>\(step.title)</h3>
        <p>\(when) \(step.way)</p><p class="aside">\(step.result)</p>

        """
    }
    let summary: HTML =
      next.map { "Next: \($0.title)." } ?? "All steps are done. The rehearsal is complete."
    return """
      <div id="steps" data-live="\(rehearsal.path)?fragment=steps">
      <p role="status">\(summary)</p>
      <ol class="steps acts">\(rows)</ol></div>
      """
  }
}

extension RehearsalStep {
  fileprivate var title: HTML {
    switch self {
    case .phoneEnrolled: "Open the code on a phone"
    case .clockedIn: "Clock in"
    case .locationLost: "Turn location off"
    case .notified: "See the notification arrive"
    case .locationRestored: "Turn location on again"
    case .clockedOut: "Clock out"
    }
  }

  /// What to do.
  fileprivate var way: HTML {
    switch self {
    case .phoneEnrolled:
      "Scan the QR code with the camera, open the address, and confirm the privacy notice if asked."
    case .clockedIn: "Tap <b>Clock in</b>, and allow location when the phone asks."
    case .locationLost:
      """
      In the phone’s settings, turn location services off, or take the permission from the app or \
      the browser. Then go back to the app or page.
      """
    case .notified: "Nothing to do here. Look at the phone."
    case .locationRestored: "Follow the steps that the phone shows, and go back to it."
    case .clockedOut: "Tap <b>Clock out</b>."
    }
  }

  /// What is to be seen then.
  fileprivate var result: HTML {
    switch self {
    case .phoneEnrolled: "The phone shows whether it is ready to clock in."
    case .clockedIn: "The shift begins. Without permission, clock-in is blocked, and shows why."
    case .locationLost:
      "The shift continues. Its page shows the interruption, and coverage the gap and its reason."
    case .notified:
      """
      The open app or page shows how to turn location on again. If it is closed, a push message \
      comes, if push is set up.
      """
    case .locationRestored: "The phone says that tracking has resumed, and the interruption ends."
    case .clockedOut: "The shift ends, and nothing is tracked any more."
    }
  }
}
