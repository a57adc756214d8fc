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
      Field("override", FieldValue(override.map(\.words))),
    ]
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
