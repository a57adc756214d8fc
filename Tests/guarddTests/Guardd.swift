import TestPrograms
import Testing

extension RunningProgram {
  /// Where the `guardd` is that was built beside the tests.
  static func guardd() throws -> String { "\(try folder())/guardd" }

  /// Starts that, with nothing but `environment` in its environment.
  convenience init(guardd arguments: [String], environment: [String: String] = [:]) throws {
    try self.init([try Self.guardd()] + arguments, environment: environment)
  }

  /// Host and port, once it listens.
  func address() async throws -> String {
    let line = try await self.line(with: "event=listening")
    return String(try #require(line.split(separator: "address=").last))
  }
}
