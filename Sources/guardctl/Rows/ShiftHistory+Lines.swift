import CommandParsing
import GuardRules
import OperationCore
import ReadModels
import ShiftDomain

// The events of a shift between its beginning and end, for the shift's card.

extension ShiftHistory {
  /// Fields about the whole shift.
  func fields(of row: ShiftRow) -> [Field] {
    [
      Field("ended by", FieldValue(row.ending?.code)),
      Field("needs review", .truth(row.needsReview)),
      Field("original start", FieldValue(original?.start)),
      Field("original end", FieldValue(original?.end)),
      Field("override", FieldValue(override.map(\.words))),
    ]
  }

  /// One line for each break, take-over, correction and note, tab-separated.
  var pipedLines: [String] {
    breaks.map { "break\t\($0.start.rfc3339)\t\($0.knownEnd?.rfc3339 ?? "")" }
      + takeOvers.map { "take-over\t\($0.since.rfc3339)\t\($0.device)" }
      + corrections.map { row in
        ["correction", "\(row.number)", row.new.start.rfc3339, row.new.end?.rfc3339 ?? ""]
          .joined(separator: "\t") + "\t\(row.correctedBy.showable)\t\(row.reason.showable)"
      }
      + notes.map { note in
        "note\t\(note.from.rfc3339)\t\(note.to.rfc3339)\t\(note.text.showable)"
      }
  }

  /// The same for people.
  func drawnLines(of shift: ShiftID) -> [String] {
    var lines: [String] = []
    for pause in breaks {
      lines += "\(ShiftSpan(from: pause.start, to: pause.knownEnd).text)".hanging(after: "break  ")
    }
    for span in takeOvers {
      let device = DeviceID(employee: shift.employee, number: span.device).text
      lines += "tracked by device \(device) from \(span.since.text)".hanging(after: "take-over  ")
    }
    for row in corrections {
      let words = "\(row.number), was \(row.old.text), now \(row.new.text), by \(row.correctedBy)"
      lines += "\(words.showable): \(row.reason.showable)".hanging(after: "correction  ")
    }
    for note in notes {
      lines += "\(ShiftSpan(from: note.from, to: note.to).text): \(note.text.showable)"
        .hanging(after: "note  ")
    }
    return lines.isEmpty ? [] : [""] + lines
  }
}

extension ShiftSpan {
  /// `2026-11-20 09:30:00Z until 2026-11-20 17:00:00Z`; `since 2026-11-20 09:30:00Z` while open.
  var text: String { end.map { "\(start.text) until \($0.text)" } ?? "since \(start.text)" }
}

extension Interval {
  /// The end, or `nil` in the far future.
  fileprivate var knownEnd: Instant? { end == Instant(milliseconds: .max) ? nil : end }
}

extension OverrideRow {
  /// `7/1, denied, by Mira: phone in repair`
  var words: String {
    "\(text), \(findings.ranked.map(\.code).joined(separator: " ")), by \(givenBy): \(reason)"
      .showable
  }
}
