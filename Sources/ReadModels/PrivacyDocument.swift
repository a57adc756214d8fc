/// A text to print, in one language: the report for a works council, or the hand-out.
package struct PrivacyDocument: Hashable, Sendable {
  package enum Part: Hashable, Sendable {
    case text(String)
    case list([String])
    case table(head: [String], rows: [[String]])
  }

  package struct Section: Hashable, Sendable {
    package var title: String
    package var parts: [Part]

    init(_ title: String, _ parts: Part...) { (self.title, self.parts) = (title, parts) }
  }

  package var title: String
  package var introduction: String
  package var sections: [Section]

  init(title: String, introduction: String, _ sections: [Section]) {
    (self.title, self.introduction, self.sections) = (title, introduction, sections)
  }

  /// As lines of text, tables as blocks of a line for each cell.
  package var lines: [String] {
    [title, "", introduction]
      + sections.flatMap { ["", $0.title, ""] + $0.parts.flatMap(\.lines) }
  }
}

extension PrivacyDocument.Part {
  fileprivate var lines: [String] {
    switch self {
    case .text(let text): [text]
    case .list(let items): items.map { "- \($0)" }
    case .table(let head, let rows):
      rows.flatMap { row in
        [row.first ?? ""] + zip(head, row).dropFirst().map { "  \($0) – \($1)" }
      }
    }
  }
}
