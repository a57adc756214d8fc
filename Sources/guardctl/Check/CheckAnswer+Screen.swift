import CommandParsing
import GuardRules
import Guidance
import ShiftDomain

// The screen, for 80 columns: a headline, the facts, then the remedies in order.

private let checkDue = "check due"

/// The column at which every text but the headline begins.
private let margin = 10

extension CheckAnswer {
  /// `BLOCK  Anna Kowalska may not clock in: location access denied`; on shift
  /// `NOT TRACKED  Anna Kowalska is on shift and not tracked: no contact`
  func headline(on surface: Surface) -> [String] {
    let name = check.name.showable
    let state = check.trackingState
    guard state.value == .offShift else {
      return headline(
        state.value.words.uppercased(), state.value.colour,
        "\(name) \(state.value.sentence)\(state.cause)", on: surface)
    }
    if isCheckDue {
      return headline(
        checkDue.uppercased(), .yellow,
        "\(name)\(reason); the app sends a new one when it is opened", on: surface)
    }
    let verdict = check.decision.verdict
    return headline(
      verdict.code.uppercased(), verdict.colour, "\(name) \(verdict.sentence)\(reason)",
      on: surface)
  }

  private func headline(
    _ badge: String, _ colour: Styling.Style, _ sentence: String, on surface: Surface
  ) -> [String] {
    sentence.hanging(after: badge + "  ").enumerated().map { index, line in
      guard index == 0 else { return surface.styling.apply(.bold, to: line) }
      return surface.styling.apply(.bold, colour, to: badge)
        + surface.styling.apply(.bold, to: line.dropFirst(badge.count))
    }
  }

  /// The clock-in readiness of an employee on shift: `block: location access denied`.
  var readiness: String { (isCheckDue ? checkDue : check.decision.verdict.code) + reason }

  var factLines: [String] {
    facts.flatMap { fact in fact.words.hanging(after: fact.label.padded(to: margin)) }
  }

  /// Every finding with its remedy.
  func remedyLines(on surface: Surface) -> [String] {
    guard !remedies.isEmpty else { return ["Nothing needs fixing."] }
    let indent = String(repeating: " ", count: margin)
    var lines = ["On the phone, in this order:"]
    for remedy in remedies {
      lines.append("")
      let isDue = isCheckDue && remedy.severity == .block
      let severity = isDue ? "due" : remedy.severity.code
      let gap = String(repeating: " ", count: margin - severity.count)
      lines.append(
        surface.styling.apply(isDue ? .yellow : remedy.severity.colour, to: severity) + gap
          + surface.styling.apply(.bold, to: remedy.title))
      lines += remedy.why.hanging(after: indent)
      for (number, step) in remedy.steps.enumerated() {
        lines += step.hanging(after: indent + "\(number + 1). ")
      }
    }
    return lines
  }

  var enrolmentLines: [String] {
    let employee = check.employee.rawValue
    return ["No phone is enrolled yet. To enrol one:", ""]
      + [
        "Create a one-time code: `guardctl enrol \(employee)`",
        "On the employee's phone, open `/app` at the service's address, or your company's app.",
        "Enter the code there; the phone reports its permission at once.",
        "Check again: `guardctl check \(employee)`",
      ].enumerated().flatMap { index, step in step.hanging(after: "  \(index + 1). ") }
  }

  /// The first reason for a verdict other than allow.
  private var reason: String {
    let decision = check.decision
    if decision.verdict == .allow { return "" }
    if check.snapshot == nil { return ": no phone is enrolled" }
    let reasons = decision.verdict == .block ? decision.blocking : decision.warning
    return reasons.ranked.first.map { ": \($0.label)" } ?? ""
  }
}

extension TrackingState {
  /// Why there is no position, after a colon.
  fileprivate var cause: String { reason.map { ": \($0.label)" } ?? "" }

  /// `not tracked: no contact`
  var text: String { value.words + cause }
}

extension TrackingState.Value {
  fileprivate var sentence: String {
    switch self {
    case .tracked: "is on shift and tracked"
    case .atRisk: "is on shift and tracked, but at risk"
    case .onBreak: "is on a break"
    case .notTracked: "is on shift and not tracked"
    case .offShift: "is off shift"
    }
  }

  fileprivate var colour: Styling.Style {
    switch self {
    case .tracked: .green
    case .atRisk: .yellow
    case .onBreak, .offShift: .dim
    case .notTracked: .red
    }
  }
}

extension Verdict {
  fileprivate var sentence: String {
    switch self {
    case .allow: "may clock in"
    case .warn: "may clock in, with a warning"
    case .block: "may not clock in"
    }
  }

  fileprivate var colour: Styling.Style {
    switch self {
    case .allow: .green
    case .warn: .yellow
    case .block: .red
    }
  }
}

extension Severity {
  fileprivate var colour: Styling.Style {
    switch self {
    case .ignore, .advice: .dim
    case .warn: .yellow
    case .block: .red
    }
  }
}
