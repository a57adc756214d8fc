import GuardRules
import HTTPAPI
import ShiftDomain
import Telemetry

/// Counts the decisions in which a phone's rules and the server's differed, and logs them.
final class RuleDifferences: Sendable {
  private let counter: Counter
  private let log: Log
  private let limit = LineLimit()

  init(_ metrics: Metrics, _ log: Log) {
    counter = metrics.counter(
      "shiftguard_rule_differences_total",
      "Decisions in which the rules of a phone and of the server differed.")
    self.log = log
  }

  func note(_ difference: RuleDifference) {
    counter.add()
    guard limit.mayLog() else { return }
    log.warning(
      "rules decided differently",
      [
        "employee": difference.device.employee.rawValue, "device": difference.device.number,
        "action": difference.actionID ?? "-", "rules": difference.rulesVersion ?? "-",
        "policy": difference.policyVersion, "local": words(difference.local),
        "server": words(difference.server),
        "arguments": difference.arguments.map { "\($0)" }.joined(separator: " "),
      ])
  }

  /// `block: denied; advice: power_save`
  private func words(_ decision: Decision) -> String {
    let sets = [
      ("block", decision.blocking), ("warn", decision.warning), ("advice", decision.informing),
    ]
    let words = sets.filter { !$0.1.isEmpty }.map { name, findings in
      "\(name): " + findings.ranked.map(\.code).joined(separator: ", ")
    }
    return words.isEmpty ? "allow" : words.joined(separator: "; ")
  }
}
