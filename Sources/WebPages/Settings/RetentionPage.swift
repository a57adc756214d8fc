import Guidance
import HTTPAPI
import HTTPServing
import InstallationOperations
import OperationCore
import ReadModels
import ShiftDomain

struct RetentionView: FormView {
  var retention: Retention
  var done: HTML?
  var fault: HTML?
  /// What was typed; `nil`: the form shows the current values.
  var typed: FormFields?
  /// Whether what was typed would delete data, which must be confirmed.
  var asksAgain = false

  var page: Page {
    Page(
      setting: "Data retention",
      line: "<p>Data is deleted permanently within a day after this period</p>", done: done,
      fault: fault,
      """
      <form class="card" method="post" action="/settings/retention">
      <input type="hidden" name="tag" value="\(typed?["tag"] ?? retention.tag)">
      <div class="settings-list">\(KeptKind.allCases.map { settingsRow($0) })</div>
      \(asksAgain ? sure : nil)
      <div class="row save"><button>Save changes</button></div></form>
      <p class="aside note">\(Retention.order.capitalizedFirst). Positions are deleted by whole \
      weeks, so up to seven days later. When its coverage is deleted, a shift keeps its start, its \
      end and the length of its breaks. Names, phones and accounts stay until they are erased. \
      Every change is recorded in the <a href="/audit">audit log</a>.</p>
      """)
  }

  private var sure: HTML {
    """
    <label class="tick choice"><input type="checkbox" name="sure" value="yes" required>\
    <span><b>I am sure</b><br>Data older than this is deleted and cannot be restored.\
    </span></label>
    """
  }

  private func settingsRow(_ kind: KeptKind) -> HTML {
    let range = Retention.range
    return """
      <div class="settings-row"><div><label for="\(kind.code)">\(kind.title)</label>\
      <p class="aside" id="about-\(kind.code)">\(kind.explanation)</p></div>\
      <div class="unit"><input id="\(kind.code)" name="\(kind.code)" type="number" step="1" \
      min="\(range.lowerBound)" max="\(range.upperBound)" required \
      value="\(typed?[kind.code] ?? String(retention[kind]))" \
      aria-describedby="about-\(kind.code)"> days</div></div>
      """
  }
}

extension KeptKind {
  fileprivate var title: HTML {
    switch self {
    case .fixes: "Positions"
    case .coverage: "Coverage records"
    case .shifts: "Shift records"
    case .auditLog: "Audit log"
    }
  }

  fileprivate var explanation: HTML {
    switch self {
    case .fixes: "The track of each shift."
    case .coverage:
      """
      Permission reports, interruptions, breaks, corrections, notes, clock actions, overrides, \
      notifications and detection times.
      """
    case .shifts: "Planned and worked shifts, and the length of breaks."
    case .auditLog:
      "Who opened a track and for what purpose, who logged in, and who changed or exported data."
    }
  }
}

extension PageController {
  var retentionRoutes: [AccessRoute] {
    [
      page("/settings/retention", .administrator) { request, _ in
        var view = RetentionView(retention: try await operations.installation.retention())
        let isDone = request.queryValue("done") == "changed"
        view.done = isDone ? "Data retention saved." : nil
        return .page(view.page)
      },
      form("/settings/retention", .administrator) { _, fields, principal in
        var view = RetentionView(
          retention: try await operations.installation.retention(), typed: fields)
        do {
          guard try !view.mustConfirm(fields) else {
            return view.refused(
              "Some data would be deleted sooner. Tick “I am sure” to confirm.")
          }
          _ = try await operations.installation.setRetention(
            fields.keptDays, matching: [fields["tag"]], by: principal
          ).get()
          return .seeOther("/settings/retention?done=changed")
        } catch {
          if case .retention(let current) = Refusal(error)?.subject {
            view = RetentionView(retention: current)
          }
          return try view.refused(by: error)
        }
      },
    ]
  }
}

extension FormFields {
  /// The days in the form; 0, which is out of range, for a value that is not a number.
  fileprivate var keptDays: [KeptKind: Int32] {
    var days: [KeptKind: Int32] = [:]
    for kind in KeptKind.allCases { days[kind] = Int32(self[kind.code]) ?? 0 }
    return days
  }
}

extension RetentionView {
  /// Whether some data would be deleted sooner, which was not confirmed.
  fileprivate mutating func mustConfirm(_ fields: FormFields) throws(OperationError) -> Bool {
    let wanted = try retention.changed(to: fields.keptDays)
    asksAgain = KeptKind.allCases.contains { wanted[$0] < retention[$0] }
    return asksAgain && fields["sure"] != "yes"
  }
}
