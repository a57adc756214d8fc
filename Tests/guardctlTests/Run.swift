import Foundation
import Testing

/// What one run of the built program left behind.
struct Run {
  var status: Int32
  var output: String
  var errors: String

  /// The output as JSON; fails the test when it is none.
  func json(_ location: SourceLocation = #_sourceLocation) throws -> Any {
    try #require(
      try? JSONSerialization.jsonObject(with: Data(output.utf8), options: .fragmentsAllowed),
      "not JSON: \(output)", sourceLocation: location)
  }

  var object: [String: Any] { (try? json()) as? [String: Any] ?? [:] }
}

/// Where the built programs lie: beside the bundle that holds this test.
let programFolder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()

/// Runs the built `guardctl` with nothing on its standard input and no terminal.
func guardctl(_ arguments: String..., database: String? = nil) async throws -> Run {
  try await guardctl(arguments, database: database)
}

func guardctl(_ arguments: [String], database: String? = nil) async throws -> Run {
  try await run(programFolder.appendingPathComponent("guardctl"), arguments, database: database)
}

/// Runs a line of Bash with the built programs first in its path.
func bash(
  _ line: String, database: String? = nil, variables: [String: String] = [:]
) async throws -> Run {
  try await run(
    URL(fileURLWithPath: "/bin/bash"), ["-c", line], database: database, variables: variables)
}

private func run(
  _ program: URL, _ arguments: [String], database: String?, variables: [String: String] = [:]
) async throws -> Run {
  let process = Process()
  process.executableURL = program
  process.arguments = arguments
  var environment = variables
  environment["PATH"] = "\(programFolder.path):/usr/local/bin:/usr/bin:/bin"
  environment["TERM"] = variables["TERM"] ?? "xterm"
  environment["SHIFTGUARD_DATABASE"] = database
  process.environment = environment
  process.standardInput = FileHandle.nullDevice
  // Files rather than pipes: nobody has to read while the program writes.
  let output = try TemporaryFile()
  let errors = try TemporaryFile()
  process.standardOutput = output.handle
  process.standardError = errors.handle
  let status = try await withCheckedThrowingContinuation { continuation in
    process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
    do { try process.run() } catch { continuation.resume(throwing: error) }
  }
  return Run(status: status, output: try output.text(), errors: try errors.text())
}

private struct TemporaryFile {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("guardctl-\(UUID().uuidString)")
  let handle: FileHandle

  init() throws {
    _ = FileManager.default.createFile(atPath: url.path, contents: nil)
    handle = try FileHandle(forWritingTo: url)
  }

  func text() throws -> String {
    defer { try? FileManager.default.removeItem(at: url) }
    return String(decoding: try Data(contentsOf: url), as: UTF8.self)
  }
}
