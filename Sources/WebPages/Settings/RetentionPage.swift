import APIMessages
import HTTPServing
import ShiftDomain
import ShiftOperations

/// How long each kind of data is kept.
struct RetentionView: FormView {
  var retention: Retention
  var done: HTML?
  var fault: HTML?
  /// What was typed; `nil`: the form is as it holds.
  var typed: FormFields?
  /// Whether what was typed forgets something, so that it is asked for once more.
  var asksAgain = false

  var page: Page {
    Page(
      title: "How long things are kept", section: .settings,
      content: """
        \(head.html)
        <form class="card" method="post" action="/settings/retention">
        <input type="hidden" name="tag" value="\(typed?["tag"] ?? retention.tag)">
        <div class="knobs">\(KeptKind.allCases.map { knob($0) })</div>
        \(asksAgain ? sure : nil)
        <div class="row save"><button>Save</button></div></form>
        <p class="aside note">Positions are kept no longer than why a shift was tracked or not, \
        and that no longer than the shift. Positions go by whole weeks, so up to seven days later. \
        A shift that forgets its coverage keeps its start, its end and the time of its breaks. \
        Names, phones and accounts stay until they are erased. Every change is in the \
        <a href="/audit">log</a>.</p>
        """)
  }

  private var head: PageHead {
    PageHead(
      way: [.settings], title: "How long things are kept",
      line: "<p>Then they are forgotten, within a day and for good</p>", done: done, fault: fault)
  }

  private var sure: HTML {
    """
    <label class="tick choice"><input type="checkbox" name="sure" value="yes" required>\
    <span><b>I am sure</b><br>What is older than this is deleted, and nobody can bring it back.\
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
    case .fixes: "Where phones were"
    case .coverage: "What was tracked, and why not"
    case .shifts: "That somebody worked, and when"
    case .log: "Who looked at or did what"
    }
  }

  fileprivate var explanation: HTML {
    switch self {
    case .fixes: "The positions of a shift: its track."
    case .coverage:
      """
      What phones said of their permission, interruptions, breaks, corrections, notes, taps, leave \
      to begin, how fast downgrades were detected.
      """
    case .shifts: "When somebody was to work and did, and how long their breaks were."
    case .log: "Who opened a track and what for, who logged in, changed or copied what."
    }
  }
}

extension PageDesk {
  /// How long things are kept, for administrators.
  var retentionRoutes: [Route] {
    [
      page("/settings/retention") { request, _ in
        var view = RetentionView(retention: try await operations.retention())
        let isDone = request.queryValue("done") == "changed"
        view.done = isDone ? "Saved." : nil
        return .page(view.page)
      },
      form("/settings/retention") { _, fields, viewer in
        var view = RetentionView(retention: try await operations.retention(), typed: fields)
        if let reason = view.refuse(fields) { return view.refused(reason) }
        switch try await operations.setRetention(
          fields.keptDays, matching: [fields["tag"]], by: viewer)
        {
        case .kept: return .seeOther("/settings/retention?done=changed")
        case .changedMeanwhile(let retention):
          return RetentionView(retention: retention)
            .refused("Somebody else changed it meanwhile; this is how it is now.")
        }
      },
    ]
  }
}

extension FormFields {
  /// What the form says, without what is no number.
  fileprivate var keptDays: [KeptKind: Int32] {
    var days: [KeptKind: Int32] = [:]
    for kind in KeptKind.allCases { days[kind] = Int32(self[kind.code]) }
    return days
  }
}

extension RetentionView {
  /// Why what was typed cannot be, or not yet; `nil` when it can.
  fileprivate mutating func refuse(_ fields: FormFields) -> HTML? {
    let (days, range) = (fields.keptDays, Retention.range)
    guard days.count == KeptKind.allCases.count, days.values.allSatisfy(range.contains) else {
      return "Days are whole numbers from \(range.lowerBound) to \(range.upperBound)."
    }
    var wish = retention
    for (kind, count) in days { wish[kind] = count }
    guard wish.isInOrder else {
      return """
        Positions are kept no longer than why a shift was tracked or not, and that no longer than \
        the shift.
        """
    }
    asksAgain = KeptKind.allCases.contains { wish[$0] < retention[$0] }
    guard asksAgain, fields["sure"] != "yes" else { return nil }
    return "Something would be forgotten earlier than now. Say that you are sure."
  }
}
