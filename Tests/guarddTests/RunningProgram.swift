import Foundation
import TestKit

/// The built `guardd`, running; its error stream line by line.
final class RunningProgram: Sendable {
  private let process: Process
  private let lines: AsyncStream<String>
  private let end: AsyncStream<Int32>

  /// Starts the program that was built beside the tests.
  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: tests).deletingLastPathComponent()
      .appendingPathComponent("guardd")
    process.arguments = arguments
    process.environment = environment
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = pipe
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    let (end, ended) = AsyncStream.makeStream(of: Int32.self)
    let rest = Rest()
    pipe.fileHandleForReading.readabilityHandler = { handle in
      let bytes = handle.availableData
      guard !bytes.isEmpty else {
        handle.readabilityHandler = nil
        line.finish()
        return
      }
      for text in rest.lines(with: bytes) { line.yield(text) }
    }
    process.terminationHandler = { process in
      ended.yield(process.terminationStatus)
      ended.finish()
    }
    (self.process, self.lines, self.end) = (process, lines, end)
    try process.run()
  }

  deinit { if process.isRunning { process.terminate() } }

  /// The next line that contains `text`.
  func line(with text: String) async throws -> String {
    for await line in lines where line.contains(text) { return line }
    throw TestDatabaseError("guardd ended without a line with `\(text)`")
  }

  /// Asks it to stop.
  func terminate() { process.terminate() }

  /// Every line not read yet, and the exit status, once it has ended.
  func rest() async -> (lines: [String], status: Int32) {
    var rest: [String] = []
    for await line in lines { rest.append(line) }
    for await status in end { return (rest, status) }
    return (rest, process.terminationStatus)
  }
}

/// Bytes behind the last whole line.
private final class Rest: @unchecked Sendable {
  // SAFETY: the pipe calls its handler once at a time.
  private var bytes = Data()

  func lines(with more: Data) -> [String] {
    bytes += more
    var lines: [String] = []
    while let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(String(decoding: bytes[..<newline], as: UTF8.self))
      bytes = Data(bytes[bytes.index(after: newline)...])
    }
    return lines
  }
}
