import CommandParsing
import Foundation
import Postgres
import ShiftDomain
import ShiftOperations

/// One run of `guardctl`: understand, answer, show.
struct Program: Sendable {
  /// The process's environment.
  var environment: [String: String]
  /// The running program's path: the migrations lie beside it, or up the tree from it.
  var executable: String
  /// The clock that answers are computed by and told against.
  var now: @Sendable () -> Instant

  /// Runs one command line, without the program's own name.
  func run(_ arguments: [String]) async -> ExitStatus {
    switch commandTree.parse(arguments, environment: environment) {
    case .help(let text):
      return show([text]) ? .done : .lostOutput
    case .failure(let message):
      complain(message)
      return .usage
    case .run(let parsed):
      do throws(Complaint) {
        let answer = try await answer(Invocation(parsed: parsed, executable: executable))
        return present(answer, asJSON: parsed.flag("json"))
      } catch {
        complain(error.text)
        return error.status
      }
    }
  }

  private func answer(_ call: Invocation) async throws(Complaint) -> any Answer {
    guard let leaf = leaf(at: call.parsed.path) else {
      throw .usage("`\(call.parsed.path.joined(separator: " "))` is not complete: see `--help`")
    }
    switch leaf.work {
    case .offline(let work):
      do { return try work(call) } catch { throw complaint(of: error) }
    case .pool(let work):
      return try await withDatabase(call, hasSchema: false) { pool in try await work(call, pool) }
    case .operations(let work):
      return try await withDatabase(call, hasSchema: true) { pool in
        try await work(call, Operations(pool: pool, now: now))
      }
    }
  }

  private func present(_ answer: any Answer, asJSON: Bool) -> ExitStatus {
    let surface = surface
    let isShown = show(asJSON ? answer.json.lines : answer.lines(on: surface))
    if !asJSON {
      for note in answer.notes(on: surface) { write(note + "\n", to: .standardError) }
    }
    guard isShown else {
      complain("the answer could not be written: see whether the disk is full")
      return .lostOutput
    }
    return answer.exitStatus
  }

  private var surface: Surface {
    // Where there is no terminal to be had, a script may still show what one would.
    let isForced = !(environment["SHIFTGUARD_FORCE_TTY"] ?? "").isEmpty
    let isTerminal = isForced || isatty(STDOUT_FILENO) == 1
    return Surface(
      isTerminal: isTerminal, styling: Styling(isTerminal: isTerminal, environment: environment),
      now: now())
  }

  /// - Returns: `false` when the lines were lost.
  private func show(_ lines: [String]) -> Bool {
    write(lines.map { $0 + "\n" }.joined(), to: .standardOutput)
  }

  private func complain(_ text: String) {
    write("guardctl: \(text.showable)\n", to: .standardError)
  }

  /// Whoever read may have gone (`| head`). That is no error, and there is nobody left to tell.
  /// - Returns: `false` when the text was lost, as on a full disk.
  @discardableResult private func write(_ text: String, to handle: FileHandle) -> Bool {
    do {
      try handle.write(contentsOf: Data(text.utf8))
      return true
    } catch {
      let error = error as NSError
      let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
      return cause.domain == NSPOSIXErrorDomain && cause.code == Int(EPIPE)
    }
  }
}
