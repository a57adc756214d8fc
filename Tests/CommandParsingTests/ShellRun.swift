import Foundation
import TestPrograms

/// Runs a script in a shell and returns what it printed, or `nil` if the shell is not installed.
func run(_ shell: String, _ arguments: [String], script: String) async throws -> ShellResult? {
  let places = ["/bin", "/usr/bin", "/usr/local/bin"].map { "\($0)/\(shell)" }
  guard let path = places.first(where: FileManager.default.isExecutableFile) else { return nil }
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let file = folder.appending(path: "script")
  try Data(script.utf8).write(to: file)
  let outcome = try await ChildProgram(
    ["/usr/bin/env", "--chdir", folder.path, path] + arguments + [file.path],
    environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin"]
  ).outcome()
  return ShellResult(status: outcome.status, text: outcome.output + outcome.errors)
}

struct ShellResult: Equatable {
  var status: Int32
  var text: String
  var words: [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }
}
