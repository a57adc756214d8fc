import GuardRules
import HTTPAPI
import Lifecycle
import ShiftDomain
import Telemetry

/// Counts the decisions in which a phone's rules and the server's differed, and logs them. Whatever
/// phones send, a minute has a limited number of lines.
final class RuleDifferences: Sendable {
  private static let linesPerMinute = 60

  private let counter: Counter
  private let log: Log
  private let lines = Lock<(minute: Int64, count: Int)>((0, 0))

  init(_ metrics: Metrics, _ log: Log) {
    counter = metrics.counter(
      "shiftguard_rule_differences_total",
      "Decisions in which the rules of a phone and of the server differed.")
    self.log = log
  }

  func note(_ difference: RuleDifference) {
    counter.add()
    guard mayLog(at: WallClock.milliseconds()) else { return }
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

  private func mayLog(at now: Int64) -> Bool {
    lines.withLock { lines in
      let minute = now / 60_000
      if lines.minute != minute { lines = (minute, 0) }
      lines.count += 1
      return lines.count <= Self.linesPerMinute
    }
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
