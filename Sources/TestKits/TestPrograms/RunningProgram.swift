import Foundation

/// A program started for a test that talks with it: what it writes, errors too, comes line by line
/// while it runs. It reads from the same socket, which ends when we do.
public final class RunningProgram: Sendable {
  /// What it writes; each line can be read once.
  public let lines: AsyncStream<String>

  private let process: Int32
  private let end: AsyncStream<Int32>

  /// Where the programs are that were built beside the tests.
  public static func folder() throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(filePath: tests).deletingLastPathComponent().path
  }

  /// Starts `command`.
  /// - Parameters:
  ///   - command: The program, looked for in `PATH` unless it is a path, and its arguments.
  ///   - environment: All of its environment; `nil`: ours.
  /// - Throws: `ProgramError` when it cannot be started.
  public init(_ command: [String], environment: [String: String]? = nil) throws {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw ProgramError(description: "no socket: error \(errno)")
    }
    let (ours, theirs) = (ends[0], ends[1])
    defer { close(theirs) }
    do {
      process = try spawn(
        command, variables: environment,
        streams: Streams(input: theirs, output: theirs, errors: theirs))
    } catch {
      close(ours)
      throw error
    }
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    let (end, ended) = AsyncStream.makeStream(of: Int32.self)
    (self.lines, self.end) = (lines, end)
    try detach { [process] in
      forEachLine(of: ours) { line.yield($0) }
      line.finish()
      ended.yield(waitForEnd(of: process))
      ended.finish()
    }
  }

  /// The next line that contains `text`.
  /// - Throws: `ProgramError` when it ends before.
  public func line(with text: String) async throws -> String {
    for await line in lines where line.contains(text) { return line }
    throw ProgramError(description: "ended without a line with `\(text)`")
  }

  /// Asks it to stop. Before `rest()`, after which the number may be another's.
  public func terminate() { Foundation.kill(process, SIGTERM) }

  /// Asks it to read its settings again. Before `rest()` too.
  public func hangUp() { Foundation.kill(process, SIGHUP) }

  /// Ends it at once, as a power cut would. Before `rest()` too.
  public func kill() { Foundation.kill(process, SIGKILL) }

  /// Every line not read yet, and the exit status, once it has ended.
  public func rest() async -> (lines: [String], status: Int32) {
    var rest: [String] = []
    for await line in lines { rest.append(line) }
    for await status in end { return (rest, status) }
    return (rest, -1)
  }
}

/// Reads `descriptor` to its end, blocking, and closes it.
private func forEachLine(of descriptor: Int32, _ take: (String) -> Void) {
  let file = unsafe fdopen(descriptor, "r")
  var text: UnsafeMutablePointer<CChar>?
  var capacity = 0
  while unsafe getline(&text, &capacity, file) > 0 {
    if let text = unsafe text {
      take(unsafe String(cString: text).trimmingCharacters(in: .newlines))
    }
  }
  unsafe free(text)
  unsafe fclose(file)
}
