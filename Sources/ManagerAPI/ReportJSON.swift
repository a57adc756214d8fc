import GuardRules
import HTTPAPI
import HTTPServing
import JSONText
import ManagerOperations
import ShiftDomain

extension ManagerStatus {
  static func report(_ report: CoverageReport, by grouping: ReportGrouping, as form: AnswerForm)
    -> HTTPResponse
  {
    let name = "coverage-by-\(grouping.code)-\(report.from.text)-\(report.to.text)"
    let bytes = form == .csv ? report.table : JSONValue.object(report.json).bytes
    return HTTPResponse(headers: form.headers(file: name), body: .bytes(bytes))
  }
}

extension CoverageReport {
  fileprivate var json: JSONObject {
    let head: JSONObject = [
      "from": .string(from.text), "to": .string(to.text), "asOf": JSONValue(asOf),
    ]
    return head.adding(total.json)
      .adding([
        "causes": JSONValue(total.durations.causes) { cause in
          [
            "reason": JSONValue(word: cause),
            "milliseconds": JSONValue(total.durations[cause].milliseconds),
          ]
        },
        "lines": JSONValue(lines) { line in
          line.key.json(called: line.name).adding(line.tally.json)
        },
      ])
  }

  /// Hours by reason, one line each, with the totals last.
  fileprivate var table: [UInt8] {
    let reasons = CoverageReason.allCases
    var table = CSVText(
      ["team_or_employee", "name", "day", "shifts", "open_shifts", "tracking_rate_percent"]
        + reasons.map { "\($0.code)_hours" })
    for line in lines {
      let key =
        switch line.key {
        case .team(let team): ["\(team.rawValue)", line.name, ""]
        case .employee(let employee): ["\(employee.rawValue)", line.name, ""]
        case .day(let day): ["", "", day.text]
        }
      table.add(key + line.tally.fields(reasons))
    }
    table.add(["", "total", ""] + total.fields(reasons))
    return table.take()
  }
}

extension CoverageSummary {
  fileprivate var json: JSONObject {
    [
      "shifts": JSONValue(shifts),
      "provisional": .bool(openShifts > 0),
      "trackingRate": durations.totals.permille.map { JSONValue(permille: $0) },
      "totals": .object(
        JSONObject(
          CoverageReason.allCases.compactMap { reason in
            durations[reason] == .zero
              ? nil : .init(name: reason.code, value: JSONValue(durations[reason].milliseconds))
          })),
    ]
  }

  fileprivate func fields(_ reasons: [CoverageReason]) -> [String] {
    let rate = durations.totals.permille.map { "\($0 / 10).\($0 % 10)" } ?? ""
    return ["\(shifts)", "\(openShifts)", rate] + reasons.map { durations[$0].hours }
  }
}

extension ReportKey {
  fileprivate func json(called name: String) -> JSONObject {
    switch self {
    case .team(let team): ["team": JSONValue(team.rawValue), "name": .string(name)]
    case .employee(let employee): ["employee": JSONValue(employee.rawValue), "name": .string(name)]
    case .day(let day): ["day": .string(day.text)]
    }
  }
}

extension TimeSpan {
  /// Hours with three decimals, rounded down.
  fileprivate var hours: String {
    let thousandths = milliseconds / 3_600
    let rest = String(thousandths % 1_000)
    return "\(thousandths / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}
