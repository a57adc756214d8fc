import CivilTime
import ReadModels
import ReviewOperations
import ShiftDomain

/// Asks before shifts are approved or reopened together: how many they are, and with which hours.
struct ApprovalQuestion: FormView {
  /// The approval that is to be taken back; `nil`: the shifts are to be approved.
  var approval: ShiftApproval?
  /// The page of time sheets that it was asked on.
  var sheet: SheetAddress
  /// As the form names them.
  var shifts: [String] = []
  var totals = TimeSheetTotals()
  /// How many were selected that cannot be approved.
  var left = 0
  var reason = ""
  var fault: HTML?

  var page: Page {
    let head = PageHead(
      way: [Crumb(name: "Time sheets", path: "\(sheet.path)")], title: "\(act) \(count)?",
      line: "<p>\(sheet.days)</p>", fault: fault)
    return Page(
      title: "\(act) shifts", section: .timeSheets,
      content: """
        \(head.html)
        <section class="card few" aria-labelledby="sums"><h2 id="sums">\(heading)</h2>
        <dl class="statistics big"><div><dt>Shifts</dt><dd>\(totals.shifts)</dd></div>\
        <div><dt>Working time</dt><dd>\(totals.worked.hoursAndMinutes)</dd></div>\
        <div><dt>Paid time</dt><dd>\(totals.paid.hoursAndMinutes)</dd></div></dl>
        <form method="post" action="\(action)" class="stack">
        <p>\(consequence)</p>\(unconfirmed)\(leftOut)
        \(sheet.fields)\(shifts.map { "<input type=\"hidden\" name=\"shift\" value=\"\($0)\">" })
        \(approval.map { reasonField($0) })
        <div class="row"><button>\(act) \(count)</button>\
        <a class="button quiet" href="\(sheet.path)">Back</a></div></form></section>
        """)
  }

  private var act: String { approval == nil ? "Approve" : "Reopen" }
  private var count: String { totals.shifts == 1 ? "1 shift" : "\(totals.shifts) shifts" }
  private var action: HTML { "/time-sheets/\(approval == nil ? "approvals" : "reopenings")" }

  private var heading: HTML {
    approval.map { "Approved by \($0.by)" } ?? "What is approved"
  }

  private var consequence: HTML {
    approval == nil
      ? "Their times are locked until they are reopened, and count for payroll."
      : "Their times can be changed again, and do not count for payroll until they are approved."
  }

  private var unconfirmed: HTML? {
    guard totals[state: .unconfirmed] > 0 else { return nil }
    return """
      <p>A shift that the employee has not confirmed is approved only if they were told of it a \
      week ago or more.</p>
      """
  }

  private var leftOut: HTML? {
    guard left > 0 else { return nil }
    return """
      <p>\(left == 1 ? "1 selected shift is" : "\(left) selected shifts are") left out: the times \
      have changed, need review or are not confirmed.</p>
      """
  }

  private func reasonField(_ approval: ShiftApproval) -> HTML {
    """
    <input type="hidden" name="by" value="\(approval.by)">\
    <input type="hidden" name="at" value="\(approval.at.milliseconds)">
    <label for="reason">Reason (for the audit log)</label>
    <textarea id="reason" name="reason" rows="2" maxlength="500" required>\(reason)</textarea>
    """
  }
}

/// Which page of time sheets, as forms and addresses name it.
struct SheetAddress: Sendable {
  var from: String
  var to: String
  var team: String
  var after: String

  var query: Query {
    Query().with("team", team).with("from", from).with("to", to).with("after", after)
  }

  var path: String { "/time-sheets\(query.text)" }

  var days: String {
    [from, to].map { text in CivilDate(text).map { $0.long(asOf: $0) } ?? text }.joined(
      separator: " to ")
  }

  var fields: HTML {
    """
    <input type="hidden" name="from" value="\(from)"><input type="hidden" name="to" value="\(to)">\
    <input type="hidden" name="team" value="\(team)">\
    <input type="hidden" name="after" value="\(after)">
    """
  }
}
