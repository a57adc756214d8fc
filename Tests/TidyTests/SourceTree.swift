import Foundation

/// A text file of the project.
struct SourceFile {
  /// Relative to the project's folder, such as `Sources/ShiftDomain/Instant.swift`.
  let path: String
  /// As written.
  let lines: [String]
  /// The same lines, with comments and the contents of strings and backticks blanked.
  let code: [String]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    code = codeOnly(text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The module that the file belongs to.
  var module: String { moduleName(ofPath: path) ?? "" }

  var name: String { String(path.split(separator: "/").last ?? "") }
}

/// The folder below `Sources` or `Tests`, or below `Sources/Tools` or `Sources/TestKits`; `nil` for
/// a file that lies beside those folders.
func moduleName(ofPath path: String) -> String? {
  let folders = path.split(separator: "/").dropFirst().dropLast()
  return folders.first { $0 != "Tools" && $0 != "TestKits" }.map(String.init)
}

/// A violation of a rule at a place in a file.
struct Objection: Equatable, CustomStringConvertible {
  var path: String
  /// From 1; 0 for the file as a whole.
  var line: Int
  var message: String
  var description: String { line == 0 ? "\(path): \(message)" : "\(path):\(line): \(message)" }
}

/// The project's files on disk.
enum SourceTree {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Every file below `folder`, hidden ones left out, sorted; empty when there is no such folder.
  static func paths(below folder: String) -> [String] {
    let base = root.appending(path: folder)
    return (FileManager.default.enumerator(atPath: base.path) ?? .init()).compactMap {
      ($0 as? String).map { "\(folder)/\($0)" }
    }.filter { path in
      var isFolder: ObjCBool = false
      let full = root.appending(path: path).path
      return !path.contains("/.")
        && FileManager.default.fileExists(
          atPath: full, isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }

  /// Read once, for all tests.
  static let sources = Result { try swiftFiles(below: "Sources") }
  static let tests = Result { try swiftFiles(below: "Tests") }

  private static func swiftFiles(below folder: String) throws -> [SourceFile] {
    try paths(below: folder).filter { $0.hasSuffix(".swift") }.map {
      SourceFile(path: $0, text: try text($0))
    }
  }
}
