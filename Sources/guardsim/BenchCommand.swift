import CommandParsing
import JSONText

/// `guardsim bench-rules`: how long the rules take, and whether they keep their promises.
func benchRules(_ command: ParsedCommand) -> (text: String, isGood: Bool) {
  var bench = RuleBench(rounds: command.int("rounds") ?? 1)
  bench.run()
  let isGood = !isOptimised || bench.figures.allSatisfy(\.isMet)
  let text =
    command.flag("json") ? String(decoding: bench.json.bytes, as: UTF8.self) : bench.text
  return (text, isGood)
}

/// Whether this is a release build; no other is held to any promise.
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
    var table = TextTable(columns: ["", "min", "median", "max", "unit", "promised"])
    for figure in figures {
      table.append(
        [
          figure.name, figure.nanoseconds.first?.shown ?? "", figure.median.shown,
          figure.nanoseconds.last?.shown ?? "", "ns",
          figure.target.map { "<= \($0.shown)" + (figure.isMet ? "" : ", missed") } ?? "",
        ])
    }
    let build = isOptimised ? "" : "\nbuilt for debugging: no promise holds, use -c release"
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
  /// One decimal below a thousand, none above.
  fileprivate var shown: String {
    self < 1_000 ? "\((self * 10).rounded() / 10)" : "\(Int64(rounded()))"
  }
}

extension String {
  fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
