import Foundation
import TestKit

/// The built `guardd`, or another program, running; what it writes, line by line.
///
/// Started without Foundation's `Process`, which, used by several tests at once, now and then never
/// says that a program has ended.
final class RunningProgram: Sendable {
  private let process: pid_t
  private let lines: AsyncStream<String>
  private let end: AsyncStream<Int32>

  /// Where the program is that was built beside the tests.
  static func path() throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: tests).deletingLastPathComponent()
      .appendingPathComponent("guardd").path
  }

  /// Starts the program that was built beside the tests, with nothing else in its environment.
  convenience init(_ arguments: [String], environment: [String: String] = [:]) throws {
    try self.init(command: [try Self.path()] + arguments, environment: environment)
  }

  /// Starts `command`, by its path, with nothing else in its environment.
  init(command: [String], environment: [String: String] = [:]) throws {
    // Closed in whatever else is started meanwhile, which would keep it open.
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw TestDatabaseError("no socket") }
    let (output, input) = (ends[0], ends[1])
    process = try spawn(command, environment, writingTo: input)
    close(input)
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    let (end, ended) = AsyncStream.makeStream(of: Int32.self)
    (self.lines, self.end) = (lines, end)
    // A thread of its own: both reading and waiting block.
    Thread.detachNewThread { [process] in
      let file = fdopen(output, "r")
      var text: UnsafeMutablePointer<CChar>?
      var capacity = 0
      while getline(&text, &capacity, file) > 0 {
        if let text { line.yield(String(cString: text).trimmingCharacters(in: .newlines)) }
      }
      free(text)
      fclose(file)
      line.finish()
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0 && errno == EINTR {}
      // As a shell has it: what it ended with, or 128 and the signal that ended it.
      ended.yield(status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F)
      ended.finish()
    }
  }

  /// The next line that contains `text`.
  func line(with text: String) async throws -> String {
    for await line in lines where line.contains(text) { return line }
    throw TestDatabaseError("ended without a line with `\(text)`")
  }

  /// Asks it to stop. Before `rest()`, after which the number may be another's.
  func terminate() { Foundation.kill(process, SIGTERM) }

  /// Ends it at once, as a power cut would. Before `rest()` too.
  func kill() { Foundation.kill(process, SIGKILL) }

  /// Every line not read yet, and the exit status, once it has ended.
  func rest() async -> (lines: [String], status: Int32) {
    var rest: [String] = []
    for await line in lines { rest.append(line) }
    for await status in end { return (rest, status) }
    return (rest, -1)
  }
}

/// Starts `command` with both output streams at `output`, deaf to no signal.
private func spawn(
  _ command: [String], _ variables: [String: String], writingTo output: Int32
) throws -> pid_t {
  var files = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&files)
  defer { posix_spawn_file_actions_destroy(&files) }
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO)
  posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO)

  // The threads that run tests block most signals, and a child inherits that.
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

  var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
  var environment: [UnsafeMutablePointer<CChar>?] =
    variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
  defer { for word in words + environment { free(word) } }
  var process: pid_t = 0
  let failure = posix_spawn(&process, command[0], &files, &attributes, &words, &environment)
  guard failure == 0 else { throw TestDatabaseError("cannot start \(command[0]): \(failure)") }
  return process
}
