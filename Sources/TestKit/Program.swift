import Foundation

/// A program started for a test, found through `PATH`.
public final class Program: Sendable {
  private let running: Process
  private let written: URL
  private let ending: AsyncStream<Never>

  /// Starts it. What it writes goes to a file, so that nobody need read along.
  public init(_ command: [String]) throws {
    let written = FileManager.default.temporaryDirectory
      .appending(path: "program.\(UUID().uuidString)")
    try Data().write(to: written)
    let (ending, end) = AsyncStream<Never>.makeStream()
    let output = try FileHandle(forWritingTo: written)
    defer { try? output.close() }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = URL(filePath: "/")
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    process.terminationHandler = { _ in end.finish() }
    try process.run()
    running = process
    self.written = written
    self.ending = ending
  }

  deinit { try? FileManager.default.removeItem(at: written) }

  /// Its number among the system's processes.
  public var process: Int32 { running.processIdentifier }

  /// Whether it still runs.
  public var isRunning: Bool { running.isRunning }

  /// Waits until it has ended.
  public func end() async { for await _ in ending {} }

  /// Waits until it has ended and returns what it wrote, without the line end.
  /// - Throws: `TestDatabaseError` with what it wrote, when it failed.
  public func output() async throws -> String {
    await end()
    let text = try String(contentsOf: written, encoding: .utf8)
      .trimmingCharacters(in: .newlines)
    guard running.terminationStatus == 0 else {
      throw TestDatabaseError("`\(running.arguments ?? [])` failed: \(text)")
    }
    return text
  }
}
