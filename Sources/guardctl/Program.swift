import CommandParsing
import Foundation
import ManagerOperations
import OperationCore
import Postgres
import ShiftDomain

struct Program: Sendable {
  var environment: [String: String]
  /// The running program's path; migrations are searched for there and in the folders above.
  var executable: String
  var now: @Sendable () -> Instant
  /// The settings of `guardd` on this machine; it need not exist.
  var settingsFile = "/etc/shiftguard/guardd.conf"

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
      throw .usage("`\(call.parsed.path.joined(separator: " "))` is incomplete: see `--help`")
    }
    switch leaf.work {
    case .offline(let work):
      do { return try work(call) } catch { throw complaint(of: error) }
    case .pool(let work):
      return try await withDatabase(call, hasSchema: false) { pool in try await work(call, pool) }
    case .operations(let work):
      return try await withDatabase(call, hasSchema: true) { pool in
        let core = OperationCore(
          pool: pool, now: now, deadlines: nil, clock: ClockWatch(), outboxFilled: {})
        return try await work(
          call,
          ManagerOperations(
            core: core, passwords: PasswordWork(), coverageCache: CoverageCache(),
            dirtyShifts: DirtyShifts(), refusedRequests: nil))
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
      complain("the answer could not be written: check whether the disk is full")
      return .lostOutput
    }
    return answer.exitStatus
  }

  private var surface: Surface {
    // Lets a script without a terminal show what a terminal would.
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

  /// A reader that has closed the pipe (`| head`) is not an error.
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
