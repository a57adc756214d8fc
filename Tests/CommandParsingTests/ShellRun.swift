import Foundation

/// Runs a script in a shell and answers what it printed; `nil` when the shell is not installed.
/// Blocks none of Swift's threads.
func run(_ shell: String, _ arguments: [String], script: String) async throws -> ShellResult? {
  let places = ["/bin", "/usr/bin", "/usr/local/bin"].map { "\($0)/\(shell)" }
  guard let path = places.first(where: FileManager.default.isExecutableFile) else { return nil }
  // A file, not a pipe: a script longer than a pipe's buffer would wait for its reader.
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let (file, output) = (folder.appending(path: "script"), folder.appending(path: "output"))
  try Data(script.utf8).write(to: file)
  try Data().write(to: output)
  let process = Process()
  process.executableURL = URL(filePath: path)
  process.arguments = arguments + [file.path]
  process.currentDirectoryURL = folder
  process.environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin"]
  process.standardInput = FileHandle.nullDevice
  let handle = try FileHandle(forWritingTo: output)
  process.standardOutput = handle
  process.standardError = handle
  try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
    process.terminationHandler = { _ in ended.resume() }
    do { try process.run() } catch { ended.resume(throwing: error) }
  }
  return ShellResult(
    status: process.terminationStatus, text: try String(contentsOf: output, encoding: .utf8))
}

struct ShellResult: Equatable {
  var status: Int32
  var text: String
  var words: [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }
}
