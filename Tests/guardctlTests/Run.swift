import Foundation
import TestPrograms
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

/// Runs the built `guardctl` with nothing on its standard input and no terminal.
func guardctl(_ arguments: String..., database: String? = nil) async throws -> Run {
  try await guardctl(arguments, database: database)
}

func guardctl(_ arguments: [String], database: String? = nil) async throws -> Run {
  try await run(["\(try RunningProgram.folder())/guardctl"] + arguments, database: database)
}

/// Runs a line of Bash with the built programs first in its path.
func bash(
  _ line: String, database: String? = nil, variables: [String: String] = [:]
) async throws -> Run {
  try await run(["/bin/bash", "-c", line], database: database, variables: variables)
}

private func run(
  _ command: [String], database: String?, variables: [String: String] = [:]
) async throws -> Run {
  var environment = variables
  environment["PATH"] = "\(try RunningProgram.folder()):/usr/local/bin:/usr/bin:/bin"
  environment["TERM"] = variables["TERM"] ?? "xterm"
  environment["SHIFTGUARD_DATABASE"] = database
  let outcome = try await ChildProgram(command, environment: environment).outcome()
  return Run(status: outcome.status, output: outcome.output, errors: outcome.errors)
}
