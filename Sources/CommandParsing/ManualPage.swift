/// A section of a manual page that the declarations of a command do not give.
package struct ManualSection: Sendable {
  /// In capitals, as the headings of manual pages are.
  package var title: String
  package var paragraphs: [String]

  package init(_ title: String, _ paragraphs: String...) {
    self.title = title
    self.paragraphs = paragraphs
  }
}

/// The manual page of a program for administrators, from the same declarations as its help.
/// - Source: man(7)
package func manualPage(for program: Command, sections: [ManualSection]) -> [String] {
  let version = program.version.map { "ShiftGuard \($0)" } ?? "ShiftGuard"
  let head = [
    ".TH \(program.name.uppercased()) 8 \"\" \(version.manualQuoted) \"System administration\"",
    ".SH NAME", "\(program.name) \\- \(program.summary.manualText)", ".SH SYNOPSIS",
  ]
  let leaves = program.places(path: []).filter { $0.command.subcommands.isEmpty }
  let body =
    program.subcommands.isEmpty
    ? [".SH OPTIONS"] + program.manualOptions
    : [".SH COMMANDS"] + leaves.flatMap(manualEntry)
  let common = (leaves.first { !$0.command.common.isEmpty }?.command.common ?? [])
    .flatMap(\.manualRow)
  let footer = program.footer.map { [".SH NOTES"] + $0.manualLines } ?? []
  return head + program.manualUsage(fullName: program.name) + body
    + (common.isEmpty ? [] : [".SH COMMON OPTIONS"] + common) + footer
    + sections.flatMap { section in
      [".SH \(section.title)"] + section.paragraphs.flatMap { [".PP"] + $0.manualLines }
    }
}

private func manualEntry(_ place: CompletionPlace) -> [String] {
  let command = place.command
  return [".SS \(place.path.manualText)", "\(command.summary.manualText)."]
    + [".PP"] + command.manualUsage(fullName: place.path) + command.manualOptions
    + (command.footer.map { [".PP"] + $0.manualLines } ?? [])
}

extension Command {
  fileprivate func manualUsage(fullName: String) -> [String] {
    [".B \(fullName.manualText)"]
      + [String(usage(fullName: fullName).dropFirst(fullName.count + 1)).manualText]
  }

  fileprivate var manualOptions: [String] {
    arguments.flatMap { argument in
      [".TP", ".B \(argument.spelling.manualText)", argument.explanation.manualText]
    } + options.filter { !$0.isCommon }.flatMap(\.manualRow)
  }

  fileprivate var common: [Option] { options.filter(\.isCommon) }
}

extension Option {
  fileprivate var manualRow: [String] {
    [".TP", ".B \(spelling.manualText)", explanation.manualText]
  }
}

extension String {
  fileprivate var manualLines: [String] {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).manualText }
  }

  /// One line of text, in which nothing is a request of the formatter.
  fileprivate var manualText: String {
    let escaped = map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : String($0) }.joined()
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  fileprivate var manualQuoted: String { "\"\(manualText)\"" }
}
