import Foundation
import GuardRules
import ShiftDomain
import TestPrograms
import Testing

@testable import guardctl

@Suite("Watching the board", .timeLimit(.minutes(5))) struct WatchCommandTests {
  private static func watch(_ world: CommandWorld, _ words: String...) throws -> RunningProgram {
    try RunningProgram(
      ["\(try RunningProgram.folder())/guardctl", "watch"] + words,
      environment: ["SHIFTGUARD_DATABASE": world.url])
  }

  @Test("a pipe gets the whole board with each change, and ends with its reader")
  func changes() async throws {
    try await withWorld { world in
      let phone = try await world.enrol()
      try await world.report(.always, from: phone)
      let json = try Self.watch(world, "-o", "json")
      // Each change is awaited: a look between two of them may print a line more.
      _ = try await json.line(with: #""state":"off""#)
      let tsv = try Self.watch(world)
      #expect(try await tsv.line(with: "asOf").hasPrefix("asOf\temployee\tname\tteam\tstate\t"))
      _ = try await tsv.line(with: "\toff\t")
      try await world.clockIn(phone)
      let began = try await json.line(with: #""state":"clocked_in""#)
      #expect(began.hasPrefix(#"{"asOf":""#) && began.hasSuffix("]}"))
      try await world.report(.denied, from: phone)
      _ = try await json.line(with: #""kind":"denied""#)
      _ = try await tsv.line(with: "\tnot tracked\t")
      for program in [json, tsv] {
        program.terminate()
        _ = await program.rest()
      }
    }
    let left = try await guardctl(
      "watch", database: "postgresql://127.0.0.1:1/shiftguard?connect_timeout=1")
    #expect(left.status == 69)
  }

  @Test("a pipe gets a line on standard error when the board cannot be read, and when it can again")
  func trouble() async throws {
    try await withWorld { world in
      let watch = try Self.watch(world)
      _ = try await watch.line(with: "Anna Kowalska")
      try await world.write("ALTER TABLE guard_state RENAME TO guard_state_away")
      #expect(
        try await watch.line(with: "guardctl: not current").hasPrefix("guardctl: not current: "))
      try await world.write("ALTER TABLE guard_state_away RENAME TO guard_state")
      _ = try await watch.line(with: "guardctl: current again")
      watch.terminate()
      _ = await watch.rest()
    }
  }

  /// Starts the command on a terminal, presses a key or sends a signal once it shows the board, and
  /// prints what then remains.
  private static let terminal = """
    import os, pty, select, signal, sys, termios

    end, command = sys.argv[1].encode().decode("unicode_escape"), sys.argv[2:]
    terminal, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    child = os.fork()
    if child == 0:
        os.login_tty(theirs)
        os.execvp(command[0], command)
    os.close(theirs)
    seen = b""

    def read():
        global seen
        if not select.select([terminal], [], [], 600)[0]:
            os.kill(child, signal.SIGKILL)
            sys.exit(f"nothing more in ten minutes after {seen}")
        try:
            part = os.read(terminal, 4096)
        except OSError:
            part = b""
        seen += part
        return part

    while b"Anna Kowalska" not in seen:
        if not read():
            sys.exit(f"it ended after {seen}")
    if end.startswith("SIG"):
        os.kill(child, signal.Signals[end])
    else:
        os.write(terminal, end.encode())
    while read():
        pass
    _, status = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(status))
    print(seen.startswith(b"\\x1b[?1049h"), seen.endswith(b"\\x1b[?25h\\x1b[?1049l"))
    print(termios.tcgetattr(terminal) == before)
    """

  private static let ends: [(by: String, status: Int32)] = [
    ("q", 0), (#"\x03"#, 0), ("SIGTERM", 143), ("SIGHUP", 129), ("SIGINT", 130),
  ]

  @Test("on a terminal a key or a signal ends it, and the terminal is as before", arguments: ends)
  func terminal(_ end: (by: String, status: Int32)) async throws {
    try await withWorld { world in
      let run = try await bash(
        #"python3 -c "$SCRIPT" "$END" guardctl watch"#, database: world.url,
        variables: ["SCRIPT": Self.terminal, "END": end.by])
      #expect(run.output == "\(end.status)\nTrue True\nTrue\n", "\(run)")
    }
  }
}
