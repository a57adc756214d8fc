import GuardRules
import Guidance
import ReadModels
import ShiftDomain

extension PolicyView {
  /// The planned policy.
  var plan: HTML? {
    guard let planned, let inForce, !isDiscarding else { return nil }
    let since: HTML? =
      planned.former == inForce.version
      ? nil
      : """
      <p class="aside">It was planned under version \(planned.former), and replaces what was saved \
      since.</p>
      """
    let discard: HTML = """
      <form method="post" action="\(path)/planned/discard">\
      <button class="quiet small">Discard planned policy</button></form>
      """
    return """
      <section class="card" aria-labelledby="planned"><h2 id="planned">Planned policy</h2>
      <p>In force from <b>\(begin(planned))</b>, saved by \(planned.savedBy)</p>
      \(changes(of: planned, inForce))\(since)\(mayChange ? discard : nil)</section>
      """
  }

  private func changes(of planned: PlannedPolicy, _ inForce: PolicyRow) -> HTML {
    let differences = planned.policy.differences(from: inForce.policy)
    guard !differences.isEmpty else {
      return """
        <p class="aside">Version \(inForce.version), in force now, has the same settings: nothing \
        will change.</p>
        """
    }
    return """
      <p class="aside">What it changes in version \(inForce.version), in force now:</p>
      <ul class="items">\(differences.map { "<li>\($0.words)" as HTML })</ul>
      """
  }

  /// `Tue 1 Dec, 00:00, time in Europe/Warsaw`
  private func begin(_ planned: PlannedPolicy) -> HTML {
    """
    \(clock.shortDay(planned.validFrom)), \(clock.hourAndMinute(planned.validFrom)), time in \
    \(team.timeZone)
    """
  }

  /// Asks for confirmation.
  var discarding: HTML? {
    guard isDiscarding, let planned else { return nil }
    return Confirmation(
      question: "Discard the planned policy?",
      consequences: """
        <p>It would apply from \(begin(planned)). The current policy does not change.</p>
        """, button: "Discard planned policy", action: "\(path)/planned/discard",
      keep: Crumb(name: "Keep planned policy", path: "\(path)"),
      fields: ["planned": String(planned.createdAt.milliseconds)]
    ).card
  }

  /// The field that plans the policy; only one can be planned. What was typed stays, so that a
  /// refused plan is not applied at once by the next click.
  var validFrom: HTML {
    guard planned == nil || typed?["validFrom"].isEmpty == false else {
      return """
        <p class="aside">What you save is applied at once, and stays in force until the planned \
        policy replaces it.</p>
        """
    }
    return """
      <section class="card"><div class="stack"><div><label for="validFrom">Valid from</label>\
      <input id="validFrom" name="validFrom" type="datetime-local" \
      value="\(typed?["validFrom"])" aria-describedby="about-validFrom"></div>
      <p class="aside" id="about-validFrom">Empty: from now on. With a later time, in \
      \(team.timeZone), the policy is planned for then.</p></div></section>
      """
  }
}

/// The time in the form from which a policy is valid.
enum TypedValidFrom: Sendable {
  case now
  case later(Instant, ClockRemark?)
  case invalid

  init(_ fields: FormFields, by clock: TeamClock) {
    let text = fields["validFrom"]
    if text.isEmpty {
      self = .now
    } else if let instant = clock.instant(fieldText: text),
      let time = text.split(separator: "T").last
    {
      self = .later(instant, clock.remark(on: instant, typed: time.prefix(5)))
    } else {
      self = .invalid
    }
  }
}
