import Foundation
import TestKit
import TestPrograms
import Testing

@testable import guardctl

@Suite("The command line") struct CommandLineTests {
  private static let nowhere = "postgresql://anna:hunter2@127.0.0.1:1/shiftguard"

  @Test("every command refuses what it does not know with 64 and one line")
  func unknownOption() async throws {
    for place in TreeTests.all {
      let run = try await guardctl(place.path + ["--bogus"])
      #expect(run.status == 64, "\(place.path)")
      #expect(run.output.isEmpty)
      #expect(run.errors.hasPrefix("guardctl: unknown option `--bogus`"), "\(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 1)
    }
  }

  static let wrong: [[String]] = [
    [], ["chek"], ["team"], ["team", "ad"], ["check"], ["check", "--employee"],
    ["check", "--employee", "0"], ["check", "--employee", "seven"],
    ["check", "--employee", "2147483648"], ["check", "--employee", "7", "--policy", "lax"],
    ["check", "--employee", "7", "--device", "32768"], ["check", "--employee", "7", "8"],
    ["device", "show", "7"], ["device", "show", "7/0"], ["device", "revoke", "7/32768"],
    ["device", "show", "7/1/2"], ["shift", "show", "-1/2"], ["incident", "show", "x/y"],
    ["shift", "list", "--limit", "0"], ["team", "add"], ["team", "add", "--name"],
    ["employee", "add", "--name", "A"], ["completion", "tcsh"], ["enrol"],
    ["enrol", "--employee", "7", "--expires", "31d"],
    ["enrol", "--employee", "7", "--expires", "0h"],
    ["enrol", "--employee", "7", "--server", "http://h/;rm"],
    ["token", "create", "--name", "board", "--role", "king", "--expires", "30d"],
    ["token", "create", "--name", "board", "--role", "admin"],
    ["token", "create", "--role", "admin", "--expires", "30d"],
    ["token", "create", "--name", "board", "--role", "admin", "--expires", "soon"],
    ["migrate", "--migrations", "/nowhere"], ["help", "teem"], ["policy", "show"],
    ["policy", "set", "--team", "1"], ["policy", "set", "--preset", "strict"],
    ["policy", "set", "--team", "1", "--preset", "lax"],
    ["policy", "set", "--team", "1", "--finding", "denied"],
    ["policy", "set", "--team", "1", "--finding", "denied="],
    ["policy", "set", "--team", "1", "--finding", "refused=warn"],
    ["policy", "set", "--team", "1", "--finding", "denied=no"],
    ["policy", "set", "--team", "1", "--finding", "denied=warn", "--finding", "denied=warn"],
    ["policy", "set", "--team", "1", "--fresh-for", "0s"],
    ["policy", "set", "--team", "1", "--fresh-for", "300"],
    ["policy", "set", "--team", "1", "--debounce", "4s"],
    ["policy", "set", "--team", "1", "--ping-interval", "61m"],
    ["policy", "set", "--team", "1", "--break-max", "59s"],
    ["policy", "set", "--team", "1", "--shift-max", "3h"],
    ["policy", "set", "--team", "1", "--reminder-after", "25h"],
    ["policy", "set", "--team", "1", "--self-override", "on"],
    ["policy", "set", "--team", "1", "--open-planned", "yes"],
    ["policy", "restore", "--team", "1"],
    ["policy", "restore", "--team", "1", "--version", "0"],
  ]
  @Test("a command line that cannot be followed ends with 64 and one line", arguments: wrong)
  func usage(_ arguments: [String]) async throws {
    let run = try await guardctl(arguments, database: Self.nowhere)
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("guardctl: "))
    #expect(run.errors.split(separator: "\n").count == 1)
  }

  @Test("a database that is away ends with 69, its place and never its password")
  func away() async throws {
    // The doctor examines the rest all the same.
    let others = [["completion"], ["config", "show"], ["doctor"]]
    for place in TreeTests.leaves where !others.contains(place.path) {
      let run = try await guardctl(
        place.path + TreeTests.sample(place.command), database: Self.nowhere)
      #expect(run.status == 69, "\(place.path): \(run.errors)")
      #expect(run.output.isEmpty)
      #expect(run.errors.contains("port=1"))
      #expect(!run.errors.contains("hunter2"))
      #expect(run.errors.split(separator: "\n").count == 1)
    }
  }

  @Test("no database named, or one that cannot be read, ends with 64 and without the URL")
  func unnamed() async throws {
    let none = try await guardctl("status")
    #expect(none.status == 64)
    #expect(none.errors.contains("SHIFTGUARD_DATABASE"))
    let odd = try await guardctl("status", "--database", "postgresql://a:hunter2@@/%%")
    #expect(odd.status == 64)
    #expect(!odd.errors.contains("hunter2"))
  }

  @Test("help and completion need no database, and a reader that leaves is no error")
  func readerLeaves() async throws {
    #expect(try await guardctl("--help").status == 0)
    for line in [
      "guardctl completion bash | head -n 1", "guardctl completion bash | true",
      "trap '' PIPE; guardctl completion bash | true",
    ] {
      let run = try await bash(line)
      #expect(run.status == 0)
      #expect(run.errors.isEmpty)
    }
    let checked = try await bash("guardctl completion bash | bash -n")
    #expect(checked.status == 0 && checked.errors.isEmpty)
  }

  @Test("the version is the one that the API's description names")
  func version() async throws {
    let described = try String(
      contentsOf: projectFolder.appending(path: "openapi.yaml"), encoding: .utf8)
    let run = try await guardctl("--version")
    let shown = /guardctl (\d+\.\d+\.\d+) \([0-9a-z]+\)\n/
    let version = try #require(run.output.wholeMatch(of: shown)?.1)
    #expect(run.status == 0)
    #expect(described.contains("\n  version: \(version)\n"))
    #expect(try await guardctl("help", "policy").output == guardctl("policy", "--help").output)
  }

  @Test("an answer that cannot be written is reported as lost, not as done")
  func fullDisk() async throws {
    let help = try await bash("guardctl --help > /dev/full")
    #expect(help.status == 74)
    let script = try await bash("guardctl completion bash > /dev/full")
    #expect(script.status == 74)
    #expect(script.errors.contains("could not be written"))
  }
}
