import Foundation
import Lifecycle

/// A program started for a test, with nothing to read. What it writes goes to files, so that nobody
/// need read along.
public final class ChildProgram: Sendable {
  /// Its number among the system's processes; once it has ended, perhaps another's.
  public let process: Int32

  private let command: [String]
  private let written: URL
  private let status: Lock<Int32?> = Lock(nil)
  private let (ending, end) = AsyncStream<Never>.makeStream()

  /// What a program left behind.
  public struct Outcome: Sendable {
    /// As a shell has it: what it ended with, or 128 and the signal that ended it.
    public var status: Int32
    /// All that it wrote to its standard output.
    public var output: String
    /// All that it wrote to its standard error.
    public var errors: String
  }

  /// Starts `command`.
  /// - Parameters:
  ///   - command: The program, looked for in `PATH` unless it is a path, and its arguments.
  ///   - environment: All of its environment; `nil`: ours.
  /// - Throws: `ProgramError` when it cannot be started; what Foundation says of the files.
  public init(_ command: [String], environment: [String: String]? = nil) throws {
    let written = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: written, withIntermediateDirectories: false)
    let nothing = try FileHandle(forReadingFrom: URL(filePath: "/dev/null"))
    let output = try Self.file("output", in: written)
    let errors = try Self.file("errors", in: written)
    process = try withExtendedLifetime([nothing, output, errors]) {
      let streams = Streams(
        input: nothing.fileDescriptor, output: output.fileDescriptor, errors: errors.fileDescriptor)
      return try spawn(command, variables: environment, streams: streams)
    }
    self.command = command
    self.written = written
    try detach { [self] in
      let ended = waitForEnd(of: process)
      status.withLock { $0 = ended }
      end.finish()
    }
  }

  deinit { try? FileManager.default.removeItem(at: written) }

  private static func file(_ name: String, in folder: URL) throws -> FileHandle {
    let file = folder.appending(path: name)
    try Data().write(to: file)
    return try FileHandle(forWritingTo: file)
  }

  /// Whether it still runs.
  public var isRunning: Bool { status.withLock { $0 == nil } }

  /// Waits until it has ended.
  /// - Throws: What Foundation says when what it wrote cannot be read.
  public func outcome() async throws -> Outcome {
    for await _ in ending {}
    let texts = try ["output", "errors"].map {
      String(decoding: try Data(contentsOf: written.appending(path: $0)), as: UTF8.self)
    }
    return Outcome(status: status.withLock { $0 } ?? -1, output: texts[0], errors: texts[1])
  }

  /// Waits until it has ended and returns what it wrote to its standard output, without the line
  /// end.
  /// - Throws: `ProgramError` with what it wrote, when it failed.
  public func output() async throws -> String {
    let outcome = try await outcome()
    guard outcome.status == 0 else {
      throw ProgramError(
        description: "`\(command)` failed (\(outcome.status)): \(outcome.output)\(outcome.errors)")
    }
    return outcome.output.trimmingCharacters(in: .newlines)
  }
}
