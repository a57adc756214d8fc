import GuardRules
import PolicyOperations
import ReadModels
import ShiftDomain

/// What a draft of a policy would have decided.
struct PolicyTrialView: Sendable {
  var team: TeamRow
  var clock: TeamClock
  var trial: PolicyTrial
  var weeks: Int
  /// The draft as it was typed.
  var fields: FormFields

  private var path: HTML { "/settings/teams/\(team.team.rawValue)" }

  var page: Page {
    Page(
      title: "Draft of the policy of \(team.name)", section: .settings,
      content: """
        \(head.html)
        <section class="card" aria-labelledby="counts"><h2 id="counts">\
        Past clock-ins, as decided and by the draft</h2>
        \(trial.total == 0 ? "<p class=\"aside\">There were none.</p>" as HTML : counts)
        \(remarks)\(forms)</section>
        <section class="card" aria-labelledby="changes">\
        <h2 id="changes">Decided differently: \(trial.differenceCount)</h2>\(differences)</section>
        """)
  }

  private var head: PageHead {
    PageHead(
      way: [.settings, Crumb(name: "\(team.name)", path: path)],
      title: "Try the draft on past clock-ins",
      line: """
        <p>\(clock.short(trial.span.start)) to \("today, ", if: clock.isToday(trial.span.end))\
        \(clock.short(trial.span.end)), times in \
        \(team.timeZone). Nothing is saved yet.</p>
        """)
  }

  private var counts: HTML {
    let rows = Verdict.allCases.reversed().map { now -> HTML in
      let cells = Verdict.allCases.reversed().map { then -> HTML in
        let count = trial.counts[PolicyTrial.Change(then: then, now: now)] ?? 0
        return "<td class=\"number\">\(count)"
      }
      return """
        <tr><th scope="row">\(now.name) by the draft\(Array(cells))\
        <td class="number"><b>\(trial.count(now: now))</b>

        """
    }
    let heads = Verdict.allCases.reversed().map { then -> HTML in
      "<th scope=\"col\" class=\"number\">\(then.name) then"
    }
    let sums = Verdict.allCases.reversed().map { then -> HTML in
      "<td class=\"number\"><b>\(trial.count(then: then))</b>"
    }
    return """
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="counts">\
      <table><thead><tr><th scope="col"><span class="hidden">Draft</span>\(Array(heads))\
      <th scope="col" class="number">Total</thead>\(Array(rows))
      <tr><th scope="row">Total\(Array(sums))<td class="number"><b>\(trial.total)</b>
      </table></div>
      """
  }

  private var remarks: [HTML] {
    var remarks: [HTML] = []
    if trial.byOtherVersions > 0 {
      remarks.append(
        """
        \(trial.byOtherVersions) of them were decided by another version of the policy than the \
        one in force (\(trial.policyVersion)).
        """)
    }
    if trial.overridden > 0 {
      remarks.append("\(trial.overridden) of them used an override, which counts again here.")
    }
    if trial.uncertain > 0 {
      remarks.append(
        """
        For \(trial.uncertain) of them the verdict depends on what is not stored any more, or was \
        not judged then: the age of a permission report, the place, or the plan. They count as \
        they did then.
        """)
    }
    if trial.draft.selfOverride == .withReason, trial.count(now: .block) > 0 {
      remarks.append("By the draft, employees may override a block with a reason.")
    }
    if trial.isCut {
      remarks.append("Only the newest \(PolicyTrial.clockInsMax) clock-ins were tried.")
    }
    return remarks.map { "<p class=\"aside\">\($0)</p>" }
  }

  /// The draft again, for other weeks, for another edit and for saving.
  private var forms: HTML {
    let hidden = fields.all.filter { $0.name != "weeks" }.map { field -> HTML in
      "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">"
    }
    let others = trialWeeks.filter { $0 != weeks }.map { weeks -> HTML in
      """
      <button class="quiet" name="weeks" value="\(weeks)" formaction="\(path)/try">\
      Try on \(weeks) \(weeks == 1 ? "week" : "weeks")</button>
      """
    }
    return """
      <form method="post" action="\(path)" class="stack">\(hidden)\
      <div class="row"><button>\(fields["validFrom"].isEmpty ? "Save and apply" : "Save for later")\
      </button>\(others)\
      <button class="quiet" name="edit" value="yes" formaction="\(path)/try">Edit draft</button>\
      <a class="button quiet" href="\(path)">Discard draft</a></div></form>
      """
  }

  private var differences: HTML {
    guard trial.differenceCount > 0 else {
      return "<p class=\"aside\">The draft would have decided every clock-in as it was.</p>"
    }
    let rows = trial.differences.map { line($0) }
    let rest: HTML? =
      trial.differenceCount > rows.count
      ? "<p class=\"aside\">The newest \(rows.count) are listed.</p>" : nil
    return """
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="changes">\
      <table><thead><tr><th scope="col">Time<th scope="col">Employee<th scope="col">Then\
      <th scope="col">By the draft<th scope="col">Cause</thead>\(rows)</table></div>\(rest)
      """
  }

  private func line(_ difference: PolicyTrial.Difference) -> HTML {
    let row = difference.row
    let (then, now) = (row.clockIn.decision, difference.replayed.decision)
    let causes = now.causes.isEmpty ? then.causes : now.causes
    let override: HTML = row.clockIn.override == nil ? "" : " · with an override"
    let doubt: HTML = difference.replayed.isCertain ? "" : " · not certain"
    return """
      <tr><td>\(clock.short(row.at))\
      <td><a href="/employees/\(row.device.employee.rawValue)">\(row.name)</a>\
      <td>\(then.verdict.name)<p class="aside">version \(row.policyVersion)\(override)</p>\
      <td>\(now.verdict.name)\(doubt)<td>\(causes.ranked.map(\.name).joined(by: ", "))

      """
  }
}

extension Decision {
  /// The findings of its verdict.
  fileprivate var causes: FindingSet {
    switch verdict {
    case .block: blocking
    case .warn: warning
    case .allow: []
    }
  }
}

extension Verdict {
  fileprivate var name: HTML {
    switch self {
    case .allow: "Allowed"
    case .warn: "Warned"
    case .block: "Blocked"
    }
  }
}
