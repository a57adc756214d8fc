import JSONText

extension LoadOutcome {
  /// The report for people: counts, percentiles and the comparison with the database.
  package var text: String {
    var lines = [
      "\(working) of \(phones) phones were on shift for \(decimal(time.inMilliseconds / 1_000)) s",
      "pings    \(tally.pingsAcknowledged) acknowledged, \(tally.pingsRefused) refused",
      "reports  \(tally.reportsAcknowledged) acknowledged",
      "requests \(tally.retries) retried, \(tally.unanswered) never answered",
    ]
    for (status, count) in tally.unexpected.sorted(by: { $0.key < $1.key }) {
      lines.append("UNEXPECTED \(status == 0 ? "answer" : "status \(status)"): \(count)")
    }
    let columns = ["count"] + percentiles.map { "p\(decimal($0 * 100))" } + ["longest"]
    lines += ["", row("milliseconds", columns)]
    for (name, histogram) in histograms where histogram.count > 0 {
      let spread = percentiles.compactMap(histogram.percentile) + [histogram.longest]
      lines.append(row(name, ["\(histogram.count)"] + spread.map { decimal($0.inMilliseconds) }))
    }
    lines += ["", verdict]
    return lines.joined(separator: "\n")
  }

  /// The report as JSON, on one line.
  package var json: String {
    var latencies = JSONObject()
    for (name, histogram) in histograms {
      var spread: JSONObject = [
        "count": JSONValue(histogram.count), "longest": .number(histogram.longest.inMilliseconds),
      ]
      for share in percentiles {
        guard let latency = histogram.percentile(share) else { continue }
        let name = "p\(decimal(share * 100).filter { $0 != "." })"
        spread.members.append(.init(name: name, value: .number(latency.inMilliseconds)))
      }
      latencies.members.append(.init(name: name, value: .object(spread)))
    }
    let found = discrepancies
    let object: JSONObject = [
      "phones": JSONValue(phones), "working": JSONValue(working),
      "seconds": .number(time.inMilliseconds / 1_000),
      "pingsAcknowledged": JSONValue(tally.pingsAcknowledged),
      "pingsRefused": JSONValue(tally.pingsRefused),
      "reportsAcknowledged": JSONValue(tally.reportsAcknowledged),
      "retries": JSONValue(tally.retries), "unanswered": JSONValue(tally.unanswered),
      "unexpected": JSONValue(tally.unexpected.values.reduce(0, +)),
      "milliseconds": .object(latencies), "confirmed": found.map { JSONValue($0.confirmed) },
      "lost": found.map { JSONValue($0.lost.count) },
      "doubled": found.map { JSONValue($0.doubled.count) },
      "keptThoughRefused": found.map { JSONValue($0.keptThoughRefused.count) },
      "unheardOf": found.map { JSONValue($0.unheardOf.count) }, "isGood": .bool(isGood),
    ]
    return String(decoding: JSONValue.object(object).bytes, as: UTF8.self)
  }

  private var percentiles: [Double] { [0.5, 0.9, 0.99, 0.999] }

  private var histograms: [(name: String, histogram: LatencyHistogram)] {
    [("uploads", tally.uploads), ("reports", tally.reports), ("detections", tally.detections)]
  }

  private var verdict: String {
    guard let found = discrepancies else { return "not compared with the database" }
    if found.isEmpty { return "acknowledged = stored: \(found.confirmed) records, each there once" }
    var lines = ["THE DATABASE DIFFERS; \(found.confirmed) records are as acknowledged"]
    for (name, records) in [
      ("acknowledged, but lost", found.lost), ("stored more than once", found.doubled),
      ("refused, but stored", found.keptThoughRefused),
      ("stored, but never sent", found.unheardOf),
    ] where !records.isEmpty {
      lines.append("\(name): \(records.count)")
      lines += records.prefix(5).map { "  \($0)" }
    }
    return lines.joined(separator: "\n")
  }
}

private func row(_ name: String, _ cells: [String]) -> String {
  func padding(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count))
  }
  return cells.reduce(name + padding(name, to: 14)) { $0 + padding($1, to: 10) + $1 }
}

/// At most one decimal, without a trailing zero.
private func decimal(_ number: Double) -> String {
  let tenths = Int((number * 10).rounded())
  return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
}
