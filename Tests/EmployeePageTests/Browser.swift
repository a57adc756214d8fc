import Foundation
import TestPrograms
import Testing

/// Debian's browsers, driven by Python from `.build/browser`.
enum Browser {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The lines that `Browser/SCRIPT.py` prints, without its remarks.
  static func run(_ script: String, _ arguments: String...) async throws -> [Substring] {
    let python = root.appending(path: ".build/browser/bin/python").path
    try #require(
      FileManager.default.fileExists(atPath: python),
      "there is no .build/browser; run deploy/checks/peers first")
    let file = try #require(
      Bundle.module.url(forResource: script, withExtension: "py", subdirectory: "Browser"))
    // One browser at a time: several on two cores would slow each other down.
    let turn = root.appending(path: ".build/browser/turn").path
    let text = try await ChildProgram(
      ["flock", turn, "timeout", "240", python, "-B", file.path] + arguments
    ).output()
    let lines = text.split(separator: "\n")
    for remark in lines where remark.hasPrefix("#") { print(remark) }
    return lines.filter { !$0.hasPrefix("#") }
  }

  /// The folder for screenshots; empty if none are wanted.
  static var pictures: String {
    ProcessInfo.processInfo.environment["SHIFTGUARD_PICTURES"] ?? ""
  }
}
