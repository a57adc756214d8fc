// Foundation's `Process` is not for tests that start many programs side by side: now and then it
// crashes, or never says that a program has ended.
import CSpawn
import Foundation
import Lifecycle

/// A program that cannot be started, or that failed. Says why.
public struct ProgramError: Error, CustomStringConvertible {
  /// What failed, and what the program or the system said of it.
  public let description: String
}

/// Where a program's three streams lead: descriptors of ours, each closed by whoever opened it.
struct Streams {
  var input: Int32
  var output: Int32
  var errors: Int32
}

/// Starts `command` in the root folder, deaf to no signal, with nothing of ours open but `streams`.
/// - Parameters:
///   - command: The program, looked for in `PATH` unless it is a path, and its arguments.
///   - variables: All of its environment; `nil`: ours.
/// - Throws: `ProgramError` when there is no such program, or no room for it.
func spawn(
  _ command: [String], variables: [String: String]?, streams: Streams
) throws(ProgramError) -> pid_t {
  var actions = unsafe posix_spawn_file_actions_t()
  unsafe posix_spawn_file_actions_init(&actions)
  defer { unsafe posix_spawn_file_actions_destroy(&actions) }
  unsafe posix_spawn_file_actions_addchdir_np(&actions, "/")
  unsafe posix_spawn_file_actions_adddup2(&actions, streams.input, STDIN_FILENO)
  unsafe posix_spawn_file_actions_adddup2(&actions, streams.output, STDOUT_FILENO)
  unsafe posix_spawn_file_actions_adddup2(&actions, streams.errors, STDERR_FILENO)
  unsafe posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)

  // The threads that run tests block most signals, and a program inherits that.
  var attributes = posix_spawnattr_t()
  unsafe posix_spawnattr_init(&attributes)
  defer { unsafe posix_spawnattr_destroy(&attributes) }
  var (none, all) = (sigset_t(), sigset_t())
  unsafe sigemptyset(&none)
  unsafe sigfillset(&all)
  unsafe posix_spawnattr_setsigmask(&attributes, &none)
  unsafe posix_spawnattr_setsigdefault(&attributes, &all)
  let flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
  unsafe posix_spawnattr_setflags(&attributes, flags)

  let environment = variables ?? ProcessInfo.processInfo.environment
  var words = unsafe command.map { unsafe strdup($0) } + [nil]
  var settings = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
  defer { unsafe (words + settings).forEach { unsafe free($0) } }
  var process: pid_t = 0
  let failure = unsafe posix_spawnp(
    &process, command[0], &actions, &attributes, &words, &settings)
  guard failure == 0 else {
    throw ProgramError(description: "cannot start \(command[0]): error \(failure)")
  }
  return process
}

/// Waits until `process`, a child of ours, has ended; blocks.
/// - Returns: As a shell has it: what it ended with, or 128 and the signal that ended it.
func waitForEnd(of process: pid_t) -> Int32 {
  var status: Int32 = 0
  while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
  return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
}

/// Runs `work`, which blocks, on a thread of its own.
/// - Throws: `ProgramError` when the system gives no thread.
func detach(_ work: @escaping @Sendable () -> Void) throws(ProgramError) {
  guard OwnThread.start(work) else { throw ProgramError(description: "no thread is left") }
}
