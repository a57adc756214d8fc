import APIJSON
import CommandParsing
import GuardRules
import Guidance
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
    let durations = totals(of: coverage.segments)
    guard surface.isTable else {
      return facts.lines(on: surface)
        + durations.map { "total\t\($0.reason.code)\t\($0.span.milliseconds)" }
        + story(time: \.rfc3339).map(\.piped)
    }
    var shares = TextTable(columns: ["reason", "time"])
    for sum in durations { shares.append([sum.reason.label, sum.span.words]) }
    shares.append(["total", (coverage.asOf - coverage.startedAt).words])
    let bar = CoverageBar(coverage.segments, cells: Surface.width).text
    return facts.lines(on: surface) + ["", bar, CoverageBar.legend, ""] + shares.lines + [""]
      + story(time: \.text).flatMap { $0.drawn(asOf: coverage.asOf) }
  }

  private func story(time: @escaping (Instant) -> String) -> [StoryLine] {
    StoryWords(
      details, visits: visits, time: time,
      span: { "\(time($0.start)) until \($0.end.map(time) ?? "open")" }
    ).lines
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

extension StoryLine {
  /// `story`, from, to, the entry, what is said below it; tab-separated.
  fileprivate var piped: String {
    (["story", entry.at.rfc3339, entry.until?.rfc3339 ?? ""] + ([text] + details).map(\.showable))
      .joined(separator: "\t")
  }

  /// `2026-11-20 09:30:00Z  Location access denied, 24:00 min`
  fileprivate func drawn(asOf: Instant) -> [String] {
    let span = ((entry.until ?? asOf) - entry.at).exactly
    let length = entry.content.lasts ? ", \(span)\(entry.until == nil ? " so far" : "")" : ""
    let head = "\(text)\(length)".showable.hanging(after: "\(entry.at.text)  ")
    return head + details.flatMap { $0.showable.hanging(after: "    ") }
  }
}
