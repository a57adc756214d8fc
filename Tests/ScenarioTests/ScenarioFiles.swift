import Foundation
import Testing

/// A file of scenarios.
struct ScenarioFile: Sendable, CustomTestStringConvertible {
  var name: String
  var path: String
  var text: String
  var testDescription: String { name }
}

/// The script of a working day.
struct DayScript: Sendable {
  /// Parts that begin at different minutes.
  var parts: [Scenario]
  /// Parts that begin together, later: the service is down in each at the same time.
  var outage: [Scenario]

  mutating func keep(_ isKept: (Scenario) -> Bool) {
    (parts, outage) = (parts.filter(isKept), outage.filter(isKept))
  }
}

/// The scenario files, and the list of the scenarios that are known to fail.
enum ScenarioFiles {
  /// In the order of their names. Empty when they cannot be read, which fails a test.
  static let all: [ScenarioFile] = files(in: folder)

  private static func files(in folder: URL) -> [ScenarioFile] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".txt") }.sorted().compactMap { name in
      let path = folder.appendingPathComponent(name).path
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
      return ScenarioFile(name: name, path: path, text: text)
    }
  }

  /// All scenarios of all files.
  static func scenarios() throws -> [Scenario] {
    try all.flatMap { try ScenarioParser.parse($0.text, file: $0.name) }
  }

  /// The script of the working day; its last file tells of the outage.
  static func dayScript() throws -> DayScript {
    let folder = (Bundle.module.resourceURL ?? URL(fileURLWithPath: "/"))
      .appendingPathComponent("WorkingDay")
    let files = try files(in: folder).map { try ScenarioParser.parse($0.text, file: $0.name) }
    return DayScript(parts: files.dropLast().flatMap(\.self), outage: files.last ?? [])
  }

  /// The titles of the scenarios that are known to fail, each with the reason.
  static func knownDifferences() throws -> [String: String] {
    let url = folder.deletingLastPathComponent().appendingPathComponent("known-differences.txt")
    var known: [String: String] = [:]
    for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    where !line.hasPrefix("#") {
      let sides = line.split(separator: "|", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard sides.count == 2 else {
        throw ScenarioError(
          file: "known-differences.txt", line: known.count + 1, reason: "`TITLE | REASON` is needed"
        )
      }
      known[sides[0]] = sides[1]
    }
    return known
  }

  /// `SCENARIOS` names another folder, for authors of scenarios.
  private static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["SCENARIOS"] {
      return URL(fileURLWithPath: path)
    }
    return (Bundle.module.resourceURL ?? URL(fileURLWithPath: "/"))
      .appendingPathComponent("Scenarios")
  }()
}
