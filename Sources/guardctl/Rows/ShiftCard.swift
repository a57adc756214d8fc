import APIJSON
import CommandParsing
import GuardRules
import JSONText
import OperationCore
import ReadModels
import ShiftDomain

/// One shift with its coverage: how much was tracked, and the reason for every minute that was not.
struct ShiftCard: Answer {
  var details: ShiftDetails
  var visits: [SiteVisit]

  private var row: ShiftRow { details.row }
  private var coverage: ShiftCoverage { details.coverage }
  private var history: ShiftHistory { details.history }

  func lines(on surface: Surface) -> [String] {
    let facts =
      row.fields + history.fields(of: row) + [
        Field("length", .length(coverage.asOf - coverage.startedAt)),
        Field("tracked", FieldValue(coverage.rateText)),
      ]
    let gaps = coverage.segments.filter { $0.reason != .tracked }
    let durations = totals(of: coverage.segments)
    guard surface.isTable else {
      return facts.lines(on: surface)
        + durations.map { "total\t\($0.reason.code)\t\($0.span.milliseconds)" }
        + gaps.map { "gap\t\($0.reason.code)\t\($0.from.rfc3339)\t\($0.to.rfc3339)" }
        + history.pipedLines
    }
    var shares = TextTable(columns: ["reason", "h:mm:ss"])
    for sum in durations { shares.append([sum.reason.words, sum.span.clockText]) }
    shares.append(["total", (coverage.asOf - coverage.startedAt).clockText])
    let bar = CoverageBar(coverage.segments, cells: Surface.width).text
    let drawn = facts.lines(on: surface) + ["", bar, CoverageBar.legend, ""] + shares.lines
    guard !gaps.isEmpty else { return drawn + history.drawnLines(of: row.shift) }
    var table = TextTable(columns: ["not tracked", "from", "length"])
    for gap in gaps {
      table.append([gap.reason.words, gap.from.text, (gap.to - gap.from).exactly])
    }
    return drawn + [""] + table.lines + history.drawnLines(of: row.shift)
  }

  var json: JSONValue { .object(details.json(visits: visits)) }
}

extension ShiftCoverage {
  /// `71.2 %`; `nil` when no time was accountable.
  fileprivate var rateText: String? {
    trackingPermille.map { permille in
      "\(permille / 10).\(permille % 10) %" + (isProvisional ? ", so far" : "")
    }
  }
}

extension CoverageSegment {
  fileprivate var from: Instant { interval.start }
  fileprivate var to: Instant { interval.end }
}
