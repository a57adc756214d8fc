import CommandParsing
import Testing

/// Each shell that is installed shows itself what it offers.
@Suite("Completion", .timeLimit(.minutes(5))) struct CompletionTests {
  static func script(_ shell: Shell) -> String {
    completionScript(for: program, shell: shell).joined(separator: "\n") + "\n"
  }

  @Test(arguments: Shell.allCases) func `the script is valid`(_ shell: Shell) async throws {
    let result = try await run(shell.rawValue, ["-n"], script: Self.script(shell))
    #expect(result == nil || result == ShellResult(status: 0, text: ""))
  }

  /// The words of a command line, of which the last is completed, and what may follow.
  static let lines: [(words: [String], offered: [String])] = [
    (["guardctl", ""], ["check", "team", "completion", "replay", "--help"]),
    (["guardctl", "te"], ["team"]),
    (["guardctl", "team", ""], ["add", "list", "--help"]),
    (["guardctl", "team", "add", "--"], ["--name", "--time-zone", "--help"]),
    (["guardctl", "check", "--p"], ["--policy"]),
    (["guardctl", "check", "--policy", "s"], ["standard", "strict"]),
    (["guardctl", "check", "--policy", "="], ["standard", "strict", "advisory"]),
    (["guardctl", "check", "--policy", "=", "a"], ["advisory"]),
    (["guardctl", "check", "--employee", ""], []),
    (["guardctl", "team", "add", "--name", "list", "--t"], ["--time-zone"]),
    (["guardctl", "completion", "b"], ["bash"]),
    (["guardctl", "replay", "scr"], ["script"]),
    (["guardctl", "replay", "x", "--out", "scr"], ["script"]),
  ]

  @Test(arguments: lines.indices) func `bash offers what may follow`(_ index: Int) async throws {
    let (words, offered) = Self.lines[index]
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    // Outside of a completion `compopt` fails; it would only change how names are shown.
    let script = """
      compopt() { :; }
      \(Self.script(.bash))
      COMP_WORDS=(\(quoted)) COMP_CWORD=\(words.count - 1)
      _guardctl
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let result = try await run("bash", ["--norc"], script: script)
    #expect(result.map { Set($0.words) } ?? Set(offered) == Set(offered))
  }

  @Test(arguments: lines.indices) func `fish offers what may follow`(_ index: Int) async throws {
    let (words, offered) = Self.lines[index]
    // Fish takes `--option=value` as one word, and offers whole words.
    guard !words.contains("=") else { return }
    let line = words.joined(separator: " ")
    let script = """
      \(Self.script(.fish))
      complete --do-complete '\(line)' | string replace --regex '\\t.*' ''
      """
    let result = try await run("fish", ["--no-config"], script: script)
    // It offers options only after a dash.
    let isOption = words.last?.hasPrefix("-") == true
    let expected = offered.filter { isOption || !$0.hasPrefix("-") }
    #expect(result.map { Set($0.words) } ?? Set(expected) == Set(expected))
  }
}
