import HTTPAPI
import HTTPServing
import ManagerOperations
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
      <div class="knobs">\(KeptKind.allCases.map { knob($0) })</div>
      \(asksAgain ? sure : nil)
      <div class="row save"><button>Save changes</button></div></form>
      <p class="aside note">Positions cannot be kept longer than coverage records, and coverage \
      records cannot be kept longer than shift records. Positions are deleted by whole weeks, so \
      up to seven days later. When its coverage is deleted, a shift keeps its start, its end and \
      the time of its breaks. Names, phones and accounts stay until they are erased. Every \
      change is recorded in the <a href="/audit">audit log</a>.</p>
      """)
  }

  private var sure: HTML {
    """
    <label class="tick choice"><input type="checkbox" name="sure" value="yes" required>\
    <span><b>I am sure</b><br>Data older than this is deleted and cannot be restored.\
    </span></label>
    """
  }

  private func knob(_ kind: KeptKind) -> HTML {
    let range = Retention.range
    return """
      <div class="knob"><div><label for="\(kind.code)">\(kind.title)</label>\
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
      Permission reports, interruptions, breaks, corrections, notes, clock actions, overrides \
      and detection times.
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
        var view = RetentionView(retention: try await operations.retention())
        let isDone = request.queryValue("done") == "changed"
        view.done = isDone ? "Saved." : nil
        return .page(view.page)
      },
      form("/settings/retention", .administrator) { _, fields, principal in
        var view = RetentionView(retention: try await operations.retention(), typed: fields)
        if let reason = view.refuse(fields) { return view.refused(reason) }
        switch try await operations.setRetention(
          fields.keptDays, matching: [fields["tag"]], by: principal)
        {
        case .kept: return .seeOther("/settings/retention?done=changed")
        case .changedMeanwhile(let retention):
          return RetentionView(retention: retention)
            .refused(
              "The retention has changed since you opened the page. The current values are shown.")
        }
      },
    ]
  }
}

extension FormFields {
  fileprivate var keptDays: [KeptKind: Int32] {
    var days: [KeptKind: Int32] = [:]
    for kind in KeptKind.allCases { days[kind] = Int32(self[kind.code]) }
    return days
  }
}

extension RetentionView {
  /// Why the form is refused or must be confirmed; `nil` if it can be saved.
  fileprivate mutating func refuse(_ fields: FormFields) -> HTML? {
    let (days, range) = (fields.keptDays, Retention.range)
    guard days.count == KeptKind.allCases.count, days.values.allSatisfy(range.contains) else {
      return "Days must be whole numbers from \(range.lowerBound) to \(range.upperBound)."
    }
    var input = retention
    for (kind, count) in days { input[kind] = count }
    guard input.isInOrder else {
      return """
        Positions cannot be kept longer than coverage records, and coverage records cannot be kept \
        longer than shift records.
        """
    }
    asksAgain = KeptKind.allCases.contains { input[$0] < retention[$0] }
    guard asksAgain, fields["sure"] != "yes" else { return nil }
    return "Some data would be deleted earlier than now. Confirm that you are sure."
  }
}
