import CommandParsing
import GuardRules
import Guidance
import ShiftDomain
import ShiftOperations

// The screen, for 80 columns: one headline, what is known, then what to do in which order.

/// Where every text but the headline begins.
private let margin = 10

extension CheckAnswer {
  /// `BLOCK  Anna Kowalska may not clock in: location permission is denied`
  func headline(on surface: Surface) -> [String] {
    let verdict = check.decision.verdict
    let badge = verdict.code.uppercased()
    let sentence = "\(check.name.showable) \(verdict.sentence)\(reason)"
    let lines = sentence.hanging(after: badge + "  ")
    return lines.enumerated().map { index, line in
      guard index == 0 else { return surface.styling.apply(.bold, to: line) }
      return surface.styling.apply(.bold, verdict.colour, to: badge)
        + surface.styling.apply(.bold, to: line.dropFirst(badge.count))
    }
  }

  /// Who, with which phone, by which report, and what goes on now.
  var factLines: [String] {
    facts.flatMap { fact in fact.words.hanging(after: fact.label.padded(to: margin)) }
  }

  /// Every finding with its remedy. The steps are numbered through, so that "do step three" can be
  /// said on the telephone.
  func remedyLines(on surface: Surface) -> [String] {
    guard !remedies.isEmpty else { return ["Nothing needs mending."] }
    let indent = String(repeating: " ", count: margin)
    var lines = ["On the phone, in this order:"]
    var number = 0
    for remedy in remedies {
      lines.append("")
      let severity = remedy.severity.code
      let gap = String(repeating: " ", count: margin - severity.count)
      lines.append(
        surface.styling.apply(remedy.severity.colour, to: severity) + gap
          + surface.styling.apply(.bold, to: remedy.title))
      lines += remedy.why.hanging(after: indent)
      for step in remedy.steps {
        number += 1
        lines += step.hanging(after: indent + "\(number). ")
      }
    }
    return lines
  }

  /// What to do when there is no phone to speak of.
  var enrolmentLines: [String] {
    let employee = check.employee.rawValue
    return ["There is nothing to judge yet. To enrol a phone:", ""]
      + [
        "Make a one-time code: `guardctl enrol --employee \(employee)`",
        "Enter it in the app on the employee's phone; the app reports its permission at once.",
        "Check again: `guardctl check --employee \(employee)`",
      ].enumerated().flatMap { index, step in step.hanging(after: "  \(index + 1). ") }
  }

  /// The first reason for anything but a plain yes.
  private var reason: String {
    let decision = check.decision
    if decision.verdict == .allow { return "" }
    if check.snapshot == nil { return ": no phone is enrolled" }
    let reasons = decision.verdict == .block ? decision.blocking : decision.warning
    return reasons.ranked.first.map { ": \($0.phrase)" } ?? ""
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
    case .advice: .dim
    case .warn: .yellow
    case .block: .red
    }
  }
}
