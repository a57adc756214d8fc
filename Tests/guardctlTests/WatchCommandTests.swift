import Foundation
import GuardRules
import ShiftDomain
import TestPrograms
import Testing

@testable import guardctl

@Suite("Watching the board", .timeLimit(.minutes(3))) struct WatchCommandTests {
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
      #expect(try await json.line(with: "{").contains(#""state":"off""#))
      let tsv = try Self.watch(world)
      #expect(try await tsv.line(with: "asOf").hasPrefix("asOf\temployee\tname\tteam\tstate\t"))
      try await world.clockIn(phone)
      #expect(try await json.line(with: "{").contains(#""state":"clocked in""#))
      try await world.report(.denied, from: phone)
      #expect(try await json.line(with: "{").contains(#""cause":"location access denied""#))
      _ = try await tsv.line(with: "\timpaired\t")
      for program in [json, tsv] {
        program.terminate()
        _ = await program.rest()
      }
    }
    let left = try await guardctl(
      "watch", database: "postgresql://127.0.0.1:1/shiftguard?connect_timeout=1")
    #expect(left.status == 69)
  }

  /// Starts the command on a terminal, presses a key once it shows the board, and prints what then
  /// remains.
  private static let terminal = """
    import os, pty, sys, termios
    key, command = sys.argv[1].encode().decode("unicode_escape"), sys.argv[2:]
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    before = termios.tcgetattr(terminal)
    seen = b""
    while b"Anna Kowalska" not in seen:
        seen += os.read(terminal, 4096)
    os.write(terminal, key.encode())
    try:
        while part := os.read(terminal, 4096):
            seen += part
    except OSError:
        pass
    _, status = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(status))
    print(seen.startswith(b"\\x1b[?1049h"), seen.endswith(b"\\x1b[?25h\\x1b[?1049l"))
    print(termios.tcgetattr(terminal) == before)
    """

  @Test(
    "on a terminal q and Ctrl-C end it, and the terminal is as before", arguments: ["q", #"\x03"#])
  func terminal(_ key: String) async throws {
    try await withWorld { world in
      let run = try await bash(
        #"python3 -c "$SCRIPT" "$KEY" guardctl watch"#, database: world.url,
        variables: ["SCRIPT": Self.terminal, "KEY": key])
      #expect(run.output == "0\nTrue True\nTrue\n", "\(run)")
    }
  }
}
