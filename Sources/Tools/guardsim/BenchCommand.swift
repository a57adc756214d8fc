import CommandParsing
import JSONText

/// `guardsim bench-rules`: measures the rules and checks the targets.
func benchRules(_ command: ParsedCommand) -> (text: String, isGood: Bool) {
  var bench = RuleBench(rounds: command.int("rounds") ?? 1)
  bench.run()
  let isGood = !isOptimised || bench.figures.allSatisfy(\.isMet)
  let text =
    command.flag("json") ? String(decoding: bench.json.bytes, as: UTF8.self) : bench.text
  return (text, isGood)
}

/// Whether this is a release build; the targets apply only to release builds.
private var isOptimised: Bool {
  var isOptimised = true
  assert(
    {
      isOptimised = false
      return true
    }())
  return isOptimised
}

extension RuleBench {
  fileprivate var text: String {
    var table = TextTable(columns: ["", "min", "median", "max", "unit", "target"])
    for figure in figures {
      table.append(
        [
          figure.name, figure.nanoseconds.first?.shown ?? "", figure.median.shown,
          figure.nanoseconds.last?.shown ?? "", "ns",
          figure.target.map { "<= \($0.shown)" + (figure.isMet ? "" : ", missed") } ?? "",
        ])
    }
    let build = isOptimised ? "" : "\ndebug build: targets apply to -c release only"
    return table.lines.joined(separator: "\n") + "\nchecksum \(checksum)" + build
  }

  fileprivate var json: JSONValue {
    [
      "optimised": .bool(isOptimised),
      "checksum": .string(String(checksum)),
      "figures": JSONValue(figures) { figure in
        [
          "name": .string(figure.name.trimmed),
          "count": .integer(Int64(figure.count)),
          "min": .number(figure.nanoseconds.first ?? 0),
          "median": .number(figure.median),
          "max": .number(figure.nanoseconds.last ?? 0),
          "rounds": .array(figure.nanoseconds.map { .number($0) }),
          "target": figure.target.map { .number($0) },
          "met": figure.target.map { _ in .bool(figure.isMet) },
        ]
      },
    ]
  }
}

extension Double {
  /// One decimal below 1,000, no decimals above.
  fileprivate var shown: String {
    self < 1_000 ? "\((self * 10).rounded() / 10)" : "\(Int64(rounded()))"
  }
}

extension String {
  fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
