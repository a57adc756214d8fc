import CommandParsing
import Foundation
import Testing

@testable import guardctl

@Suite("The tree of commands") struct TreeTests {
  /// Every command, with the words that ask for it.
  static let all = places(commandTree, [])
  /// Those that do something.
  static let leaves = all.filter { $0.command.subcommands.isEmpty }

  static func places(_ command: Command, _ path: [String]) -> [(path: [String], command: Command)] {
    [(path, command)] + command.subcommands.flatMap { places($0, path + [$0.name]) }
  }

  /// Words that `command` accepts: one for each thing it requires.
  static func sample(_ command: Command) -> [String] {
    let options = command.options.filter { $0.isRequired && $0.defaultValue == nil }
    return options.flatMap { ["--\($0.name)", word($0.name, $0.kind)] }
      + command.arguments.map { word($0.name, $0.kind) }
      // No option of this one is required, but a request must change something.
      + (command.options.contains { $0.name == "preset" && !$0.isRequired }
        && command.name == "set" ? ["--preset", "strict"] : [])
      + (command.name == "correct" ? ["--start", "2026-11-20T09:30:00Z"] : [])
      + (command.name == "edit" ? ["--name", "x"] : [])
      + (command.name == "alerts" ? ["--late-after", "15m"] : [])
      + (command.arguments.contains { $0.name == "planned-shift" } && command.name == "change"
        ? ["--start", "2026-11-20T09:30:00Z"] : [])
      + (command.name == "send-test" ? ["--employee", "1"] : [])
      + (command.name == "give" ? ["--finding", "denied"] : [])
  }

  private static func word(_ name: String, _ kind: ValueKind?) -> String {
    switch kind {
    case .integer(let range): "\(range.lowerBound)"
    case .choice(let words): words.first ?? ""
    case .text, .path, nil:
      switch name {
      case "expires": "1h"
      case "device", "shift", "incident", "subject", "clock-action", "override", "planned-shift",
        "absence":
        "7/1"
      case "date", "from", "to": "2026-11-20"
      case "file": readable
      case "session": "1"
      case "email": "x@y.z"
      case "center": "45.3,13.7"
      case "phone-number": "+44 20 7946 0000"
      case "start": "2026-11-20T09:30:00Z"
      case "end": "2026-11-20T10:30:00Z"
      default: "x"
      }
    }
  }

  /// A file in which no command finds a fault by itself.
  private static let readable: String = {
    let file = FileManager.default.temporaryDirectory.appending(
      path: "shiftguard-no-planned-shifts.csv")
    try? Data("employee,start,end\n".utf8).write(to: file)
    return file.path
  }()

  @Test("help fits a screen of 80 by 24 at every level")
  func helpFits() {
    for place in Self.all {
      guard case .help(let text) = commandTree.parse(place.path + ["--help"]) else {
        Issue.record("no help for \(place.path)")
        continue
      }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 23, "\(place.path): a prompt and \(lines.count) lines")
      for line in lines { #expect(line.count <= 80, "\(place.path): \(line)") }
    }
  }

  @Test("every command that the tree offers is one that can be run")
  func complete() {
    #expect(Self.leaves.count >= 20)
    for place in Self.leaves { #expect(leaf(at: place.path) != nil, "\(place.path)") }
    #expect(leaf(at: ["team"]) == nil)
    #expect(leaf(at: []) == nil)
  }

  @Test("every list and every show answers as JSON too")
  func json() {
    for place in Self.leaves where place.path != ["completion"] {
      #expect(place.command.options.contains { $0.name == "json" }, "\(place.path)")
    }
  }

  @Test("every noun has a list, which may be called ls, and every list can be limited")
  func lists() {
    for place in commandTree.subcommands where !place.subcommands.isEmpty {
      let list = place.subcommands.first { ([$0.name] + $0.aliases).contains("list") }
      #expect(list?.aliases.contains("ls") == true, "\(place.name)")
    }
    for place in Self.leaves where place.command.name == "list" {
      #expect(place.command.options.contains { $0.name == "limit" }, "\(place.path)")
    }
  }

  @Test("the program's help names every command, in few words")
  func listed() {
    guard case .help(let text) = commandTree.parse(["--help"]) else { return }
    for command in commandTree.subcommands {
      #expect(command.brief.map { $0.count <= 22 } == true, "\(command.name)")
      #expect(text.contains("  \(command.name) "), "\(command.name)")
    }
  }

  @Test("summaries read alike: lower case, no full stop")
  func summaries() {
    for place in Self.all {
      let texts =
        [place.command.summary] + place.command.options.map(\.summary)
        + place.command.arguments.map(\.summary)
      for text in texts + [place.command.brief ?? "x"] {
        #expect(!text.hasSuffix("."), "\(text)")
        let isAbbreviation = ["API", "IANA", "URL"].contains { text.hasPrefix($0 + " ") }
        #expect(text.first?.isLowercase == true || isAbbreviation, "\(text)")
      }
    }
  }
}
