/// The report for people: a block for each phone, then the detections, then the result.
/// - Parameter quiet: Only unexpected results, and the result.
package func textReport(_ outcomes: [Outcome], quiet: Bool) -> String {
  var lines: [String] = []
  var phones: [String] = []
  for outcome in outcomes where !phones.contains(outcome.phone) { phones.append(outcome.phone) }
  for phone in phones {
    let shown = outcomes.filter { $0.phone == phone && (!quiet || !$0.isGood) }
    if shown.isEmpty { continue }
    lines.append(phone)
    let width = min(shown.map(\.text.count).max() ?? 0, 50)
    for outcome in shown { lines += block(outcome, width: width) }
  }
  let detections = outcomes.flatMap { outcome in outcome.detections.map { (outcome.phone, $0) } }
  if !quiet && !detections.isEmpty {
    lines.append("detections")
    for (phone, detection) in detections.prefix(detections.count > listedMax ? 0 : listedMax) {
      lines.append(
        "  \(phone): \(milliseconds(detection.server)) in the server, "
          + "\(milliseconds(detection.roundTrip)) seen from the phone")
    }
    if detections.count > listedMax {
      lines.append("  \(detections.count) in the server: \(spread(detections.map(\.1.server)))")
      lines.append("  seen from the phone: \(spread(detections.map(\.1.roundTrip)))")
    }
  }
  lines.append(result(outcomes))
  return lines.joined(separator: "\n") + "\n"
}

/// The maximum number of detections listed one by one; more are summarised.
private let listedMax = 20

/// Median, 99th percentile (nearest rank) and largest; `durations` is not empty.
private func spread(_ durations: [Duration]) -> String {
  let sorted = durations.sorted()
  let middle = sorted[(sorted.count - 1) / 2]
  let high = sorted[(sorted.count * 99 + 99) / 100 - 1]
  let last = sorted[sorted.count - 1]
  return "p50 \(milliseconds(middle)), p99 \(milliseconds(high)), longest \(milliseconds(last))"
}

private func block(_ outcome: Outcome, width: Int) -> [String] {
  let gap = String(repeating: " ", count: max(width - outcome.text.count, 0))
  let answer = answer(outcome)
  var lines = ["  \(outcome.text)" + (answer.isEmpty ? "" : "\(gap)  \(answer)")]
  if let failure = outcome.failure { lines.append("    FAILED, line \(outcome.line): \(failure)") }
  lines += outcome.misses.map { "    MISSED, line \(outcome.line): expected \($0)" }
  return lines
}

/// The server's response in one line.
private func answer(_ outcome: Outcome) -> String {
  guard let status = outcome.status else { return "" }
  var parts = ["\(status)"]
  for quality in [Expectation.Quality.code, .disposition, .verdict] {
    parts += outcome.words[quality] ?? []
  }
  if let findings = outcome.words[.finding], !findings.isEmpty {
    parts.append("[\(findings.joined(separator: ", "))]")
  }
  if let shift = outcome.shift { parts.append("shift \(shift)") }
  if let incidents = outcome.words[.incident], !incidents.isEmpty {
    parts.append("open: \(incidents.joined(separator: ", "))")
  }
  for status in Expectation.PingStatus.allCases {
    if let count = outcome.pings[status] { parts.append("\(count) \(status.rawValue)") }
  }
  for (reason, count) in outcome.refusals.sorted(by: { $0.key < $1.key }) {
    parts.append("(\(count) \(reason))")
  }
  if let fix = outcome.fix { parts.append("fix sent at once, \(milliseconds(fix))") }
  if let roundTrip = outcome.roundTrip {
    let kind = outcome.requests > 1 ? "\(outcome.requests) requests, longest " : ""
    parts.append("\(kind)\(milliseconds(roundTrip))")
  }
  return parts.joined(separator: "  ")
}

private func result(_ outcomes: [Outcome]) -> String {
  let bad = outcomes.filter { !$0.isGood }
  let steps = outcomes.count == 1 ? "1 step" : "\(outcomes.count) steps"
  return bad.isEmpty ? "\(steps), all as expected" : "\(steps), \(bad.count) not as expected"
}
