import Foundation
import TestPrograms

/// Debian's browsers, controlled by the scripts in `Browser`.
enum Browser {
  /// The lines that `Browser/SCRIPT.py` prints, without its remarks.
  static func run(_ script: String, _ arguments: String...) async throws -> [Substring] {
    try await BrowserScript(script, of: "EmployeePageTests").lines(arguments)
  }

  /// The folder for screenshots; empty if none are wanted.
  static var pictures: String {
    ProcessInfo.processInfo.environment["SHIFTGUARD_PICTURES"] ?? ""
  }
}
