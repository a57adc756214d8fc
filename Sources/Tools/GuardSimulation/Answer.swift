import GuardRules
import ShiftDomain

/// An answer independent of the rules' types: the expected or the actual one.
enum Answer: Equatable {
  case inForce, late, aside, quiet
  case clockedIn(shift: Int32, Judgement)
  case blocked(Judgement)
  case alreadyOpen(shift: Int32)
  case openElsewhere(shift: Int32, device: Int16)
  case clockedOut(shift: Int32)
  case notOpen
  case endsBeforeStart(shift: Int32)
  case resting(shift: Int32)
  case working(shift: Int32)
  case notResting(shift: Int32)
  case tooEarly(shift: Int32)
  case tracking(shift: Int32)

  /// The rules' answer.
  init(_ answer: GuardAnswer) {
    switch answer {
    case .reportInForce: self = .inForce
    case .reportLate: self = .late
    case .reportNoted: self = .aside
    case .noted: self = .quiet
    case .clockedIn(let shift, let decision): self = .clockedIn(shift: shift, Judgement(decision))
    case .blocked(let decision): self = .blocked(Judgement(decision))
    case .alreadyOpen(let shift): self = .alreadyOpen(shift: shift)
    case .openElsewhere(let shift, let device):
      self = .openElsewhere(shift: shift, device: device)
    case .clockedOut(let shift): self = .clockedOut(shift: shift)
    case .noOpenShift, .waiting, .noWaitingShift: self = .notOpen
    case .endsBeforeStart(let shift): self = .endsBeforeStart(shift: shift)
    case .onBreak(let shift): self = .resting(shift: shift)
    case .backAtWork(let shift): self = .working(shift: shift)
    case .notOnBreak(let shift): self = .notResting(shift: shift)
    case .outOfOrder(let shift): self = .tooEarly(shift: shift)
    case .tracking(let shift): self = .tracking(shift: shift)
    }
  }

  /// Why `other` is wrong in place of this answer; `nil` if they are equal.
  func objection(to other: Answer) -> String? {
    if self == other { return nil }
    switch (self, other) {
    case (.clockedIn, .blocked): return "a false block: \(other) instead of \(self)"
    case (.blocked, .clockedIn): return "an unseen impairment: \(other) instead of \(self)"
    default: return "\(other) instead of \(self)"
    }
  }
}

/// The decision about a clock-in.
struct Judgement: Equatable {
  var verdict: Verdict
  var blocking: FindingSet
  var warning: FindingSet
  var overridden: FindingSet
  var findings: FindingSet
}

extension Judgement: CustomStringConvertible {
  var description: String {
    let advice = findings.subtracting(blocking).subtracting(warning)
    let parts = [
      ("blocking", blocking), ("warning of", warning), ("overriding", overridden),
      ("advising of", advice),
    ]
    return verdict.code
      + parts.map { " \($0) \($1.ranked.map { $0.code })" }.joined(separator: ",")
  }

  init(_ decision: Decision) {
    self.init(
      verdict: decision.verdict, blocking: decision.blocking, warning: decision.warning,
      overridden: decision.overridden, findings: decision.findings)
  }
}
