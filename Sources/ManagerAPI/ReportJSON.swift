import APIJSON
import GuardRules
import HTTPAPI
import HTTPServing
import InsightOperations
import JSONText
import ReadModels
import ShiftDomain

extension ManagerStatus {
  static func report(_ report: CoverageReport, by grouping: ReportGrouping, as form: AnswerForm)
    -> HTTPResponse
  {
    let name = "coverage-by-\(grouping.code)-\(report.from.text)-to-\(report.to.text)"
    let bytes = form == .csv ? report.table : JSONValue.object(report.json).bytes
    return HTTPResponse(headers: form.headers(file: name), body: .bytes(bytes))
  }
}

extension CoverageReport {
  /// Hours by reason, one line each, with the totals last.
  fileprivate var table: [UInt8] {
    let reasons = CoverageReason.allCases
    var table = CSVText(
      [
        "team_or_employee", "name", "team", "day", "shifts", "open_shifts",
        "tracking_rate_percent", "hours_to_track",
      ] + reasons.map { "\($0.code)_hours" })
    for line in lines {
      let key =
        switch line.key {
        case .team(let team): ["\(team.rawValue)", line.name, "", ""]
        case .employee(let employee): ["\(employee.rawValue)", line.name, line.team, ""]
        case .day(let day), .week(let day): ["", "", "", day.text]
        }
      table.add(key + line.tally.fields(reasons))
    }
    table.add(["", "total", "", ""] + total.fields(reasons))
    return table.take()
  }
}

extension CoverageSummary {
  fileprivate func fields(_ reasons: [CoverageReason]) -> [String] {
    let rate = durations.totals.permille.map { "\($0 / 10).\($0 % 10)" } ?? ""
    return ["\(shifts)", "\(openShifts)", rate, durations.totals.accountable.hours]
      + reasons.map { durations[$0].hours }
  }
}

extension TimeSpan {
  /// Hours to the nearest thousandth.
  fileprivate var hours: String {
    let thousandths = (milliseconds + 1_800) / 3_600
    let rest = String(thousandths % 1_000)
    return "\(thousandths / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}
