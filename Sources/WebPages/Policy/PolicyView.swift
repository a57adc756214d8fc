import GuardRules
import Guidance
import ReadModels
import ShiftDomain

struct PolicyView: FormView {
  var team: TeamRow
  var clock: TeamClock
  /// The newest first.
  var versions: [PolicyVersion]
  var mayChange: Bool
  var planned: PlannedPolicy?
  /// The version that is restored once this is confirmed.
  var restoring: PolicyRow?
  /// Whether the planned policy is discarded once this is confirmed.
  var isDiscarding = false
  var fault: HTML?
  /// What was typed; `nil`: the form shows the policy.
  var typed: FormFields?
  var done: HTML?

  var inForce: PolicyRow? { versions.lazy.map(\.row).first { $0.isInForce } }
  var path: String { "/settings/teams/\(team.team.rawValue)" }

  var page: Page {
    Page(
      title: "Policy of \(team.name)", section: .settings,
      content: """
        \(head.html)
        \(restoration)\(discarding)\(plan)\(inForce.map { settings($0) })
        \(history)
        """)
  }

  private var head: PageHead {
    let employees = team.employees == 1 ? "1 employee" : "\(team.employees) employees"
    let line: HTML = """
      <p>\(employees) · \(team.timeZone) · policy version \(team.policyVersion)</p>\
      <p><a href="\(path)/contacts">Contacts</a> · <a href="\(path)/sites">Sites</a></p>\
      \(mayChange ? edit : nil)
      """
    return PageHead(
      way: [.settings], title: "\(team.name)", line: line, done: done, fault: fault)
  }

  private var edit: HTML {
    "<p><a href=\"\(path)/edit\">Name, time zone and pay</a></p>"
  }

  private func settings(_ row: PolicyRow) -> HTML {
    let policy = row.policy
    let content: HTML = """
      <div class="columns even">
      <div><section aria-labelledby="preset"><h2 id="preset">Preset</h2>
      \(presets(policy))
      <p class="aside">Choosing another preset fills the table of findings with its values.\
      <noscript> Without JavaScript that happens when you save, and only what you have changed in \
      the table stays.</noscript></p></section>
      <section aria-labelledby="times"><h2 id="times">Times</h2>
      <div class="settings-list">\(PolicySpan.allCases.map { span($0, policy) })\
      \(accuracyMax(policy))</div>\
      \(plannedOpenings(policy))</section></div>
      <div><section aria-labelledby="findings">\
      <h2 id="findings">Effect of findings at clock-in</h2>
      <p class="aside">A place is judged only where the team has \
      <a href="\(path)/sites">sites</a>.</p>
      <div class="settings-list">\(Finding.allCases.sorted().map { severity($0, policy) })</div>
      \(selfOverride(policy))</section></div>
      </div>
      """
    guard mayChange else {
      return "<p class=\"aside\">Only administrators can change the policy.</p>\(content)"
    }
    return """
      <form method="post" action="\(path)">
      <input type="hidden" name="tag" value="\(typed?["tag"] ?? row.tag)">
      <input type="hidden" name="filled" value="\(typed?["filled"])">
      \(content)\(validFrom)<div class="row save"><button>Save and apply</button>\
      <button class="quiet" formaction="/settings/teams/\(team.team.rawValue)/try">Try on the last \
      weeks</button></div></form>
      """
  }

  private func presets(_ policy: Policy) -> [HTML] {
    Preset.allCases.map { preset in
      let isChosen = typed.map { $0["preset"] == preset.code } ?? (policy.preset == preset)
      return """
        <label class="tick choice"><input type="radio" name="preset" value="\(preset.code)" \
        data-findings="\(findings(of: preset))"\(" checked", if: isChosen)\(off)>\
        <span><b>\(preset.name)</b><br>\
        \(preset.explanation)\(preset == policy.preset ? changes(of: policy) : nil)</span></label>
        """
    }
  }

  /// What differs from the preset that the policy is based on.
  private func changes(of policy: Policy) -> HTML? {
    let changes = policy.differences(from: .policy(of: policy.preset))
      .map { "\($0.words)" as HTML }
    return changes.isEmpty ? nil : "<br><b>Changed:</b> \(changes.joined(by: "; "))"
  }

  /// What the script fills the table with: `denied=block reduced=warn`.
  private func findings(of preset: Preset) -> String {
    let severities = Policy.policy(of: preset).severities
    return Finding.allCases.map { "\($0.code)=\(severities[$0].code)" }.joined(separator: " ")
  }

  private func span(_ span: PolicySpan, _ policy: Policy) -> HTML {
    let unit = span.unit
    let shown = typed?.text(span.fieldName) ?? unit.text(of: policy[span])
    return """
      <div class="settings-row"><div><label for="\(span.name)">\(span.label)</label>\
      <p class="aside" id="about-\(span.name)">\(span.explanation)</p></div>\
      <div class="unit"><input id="\(span.name)" name="\(span.fieldName)" type="number" \
      step="\(unit == .seconds ? "1" : "any")" min="\(unit.text(of: span.range.lowerBound))" \
      max="\(unit.text(of: span.range.upperBound))" value="\(shown)" required \
      aria-describedby="about-\(span.name)"\(off)> \(unit.symbol)</div></div>
      """
  }

  private func accuracyMax(_ policy: Policy) -> HTML {
    let range = Policy.accuracyRange
    let shown = typed?["accuracyMax"] ?? policy.accuracyMaxMeters.map { String($0) } ?? ""
    return """
      <div class="settings-row"><div><label for="accuracyMax">Accuracy of a position</label>\
      <p class="aside" id="about-accuracyMax">A less accurate position only proves contact. \
      Empty: every position counts.</p></div>\
      <div class="unit"><input id="accuracyMax" name="accuracyMax" type="number" step="1" \
      min="\(range.lowerBound)" max="\(range.upperBound)" value="\(shown)" \
      aria-describedby="about-accuracyMax"\(off)> m</div></div>
      """
  }

  private func severity(_ finding: Finding, _ policy: Policy) -> HTML {
    let options = finding.severities.reversed().map { severity -> HTML in
      let isChosen =
        typed.map { $0[finding.code] == severity.code } ?? (policy.severities[finding] == severity)
      return """
        <option value="\(severity.code)"\(" selected", if: isChosen)>\(severity.name)
        """
    }
    return """
      <div class="settings-row"><label for="\(finding.code)">\(finding.name)</label>\
      <select id="\(finding.code)" name="\(finding.code)"\(off)>\(options)</select></div>
      """
  }

  private func selfOverride(_ policy: Policy) -> HTML {
    let isOn =
      typed.map { !$0["selfOverride"].isEmpty } ?? (policy.selfOverride == .withReason)
    return """
      <label class="tick choice"><input type="checkbox" name="selfOverride" value="with_reason"\
      \(" checked", if: isOn)\(off)><span><b>Employees may override a block</b><br>\
      An employee who gives a reason can clock in despite a block. Managers can read the \
      reason.</span></label>
      """
  }

  private func plannedOpenings(_ policy: Policy) -> HTML {
    let isOn = typed.map { !$0["opensPlannedShifts"].isEmpty } ?? policy.opensPlannedShifts
    return """
      <label class="tick choice"><input type="checkbox" name="opensPlannedShifts" value="true"\
      \(" checked", if: isOn)\(off)><span><b>Planned shifts open by themselves</b><br>\
      An employee who has not clocked in is asked to confirm the shift, or to decline it. The \
      phone is tracked from the confirmation.</span></label>
      """
  }

  private var off: HTML { mayChange ? "" : " disabled" }
}
