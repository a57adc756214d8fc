import CommandParsing
import GuardRules
import OperationCore
import ReadModels
import ShiftDomain

// What concerns a whole shift, for its card.

extension ShiftHistory {
  /// Fields about the whole shift.
  func fields(of row: ShiftRow) -> [Field] {
    [
      Field("ended by", FieldValue(row.ending?.code)),
      Field("ended off site", FieldValue(clockOut?.isOffSite.code)),
      Field("needs review", .truth(row.needsReview)),
      Field("original start", FieldValue(original?.start)),
      Field("original end", FieldValue(original?.end)),
      Field("planned end", FieldValue(plannedEnd)),
      Field("breaks", FieldValue(breaks.isEmpty ? nil : breakList)),
      Field("override", FieldValue(override.map(\.words))),
    ]
  }
}

extension ShiftHistory {
  /// `1: 2026-11-20 12:00:00Z until 2026-11-20 12:30:00Z`, and so on.
  private var breakList: String {
    breaks.enumerated().map { place, pause in
      let isOn = pause.end == Instant(milliseconds: .max)
      return "\(place + 1): \(ShiftSpan(from: pause.start, to: isOn ? nil : pause.end).text)"
    }.joined(separator: ", ")
  }
}

extension ShiftSpan {
  /// `2026-11-20 09:30:00Z until 2026-11-20 17:00:00Z`; `since 2026-11-20 09:30:00Z` while open.
  var text: String { end.map { "\(start.text) until \($0.text)" } ?? "since \(start.text)" }
}

extension OverrideRow {
  /// `7/1, denied, by Mira: phone in repair`
  var words: String {
    "\(text), \(findings.ranked.map(\.code).joined(separator: " ")), by \(givenBy): \(reason)"
      .showable
  }
}
