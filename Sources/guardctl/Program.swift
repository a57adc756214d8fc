import APIJSON
import CommandParsing
import Foundation
import InsightOperations
import InstallationOperations
import ManagerCore
import ManagerOperations
import OperationCore
import Postgres
import ShiftDomain
import SystemCalls

struct Program: Sendable {
  var environment: [String: String]
  /// The running program's path; migrations are searched for there and in the folders above.
  var executable: String
  var now: @Sendable () -> Instant
  /// The settings of `guardd` on this machine; it need not exist.
  var settingsFile: String { environment["SHIFTGUARD_CONFIG"] ?? "/etc/shiftguard/guardd.conf" }

  func run(_ arguments: [String]) async -> ExitStatus {
    switch commandTree.parse(arguments, environment: environment) {
    case .help(let text):
      return show([text]) ? .done : .lostOutput
    case .failure(let message):
      complain(message)
      return .usage
    case .run(let parsed):
      do throws(Complaint) {
        let call = Invocation(
          parsed: parsed, executable: executable, environment: environment,
          settingsFile: settingsFile)
        let format = try call.format ?? (isTerminal ? .table : .tsv)
        return present(try await answer(call), as: format)
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
    case .local(let work):
      do { return try await work(call) } catch { throw complaint(of: error) }
    case .place(let work):
      let place: Result<ConnectionConfiguration, Complaint>
      do { place = .success(try database(call)) } catch { place = .failure(error) }
      return await work(call, place)
    case .pool(let work):
      return try await withDatabase(call, hasSchema: false) { pool in try await work(call, pool) }
    case .operations(let work):
      return try await withOperations(call) { operations in
        let zone = await call.zone(operations)
        return try await ShownZone.$current.withValue(zone) {
          Zoned(answer: try await work(call, operations), zone: zone)
        }
      }
    case .live(let work):
      let format = try call.format ?? (isTerminal ? .table : .tsv)
      let output = LiveOutput(
        format: format, isTerminal: isTerminal, surface: { surface(format) },
        write: { write($0, to: .standardOutput) == .written }, note: complain)
      return try await withOperations(call) { operations in
        try await ShownZone.$current.withValue(await call.zone(operations)) {
          try await work(call, operations, output)
        }
        return Script(text: [])
      }
    }
  }

  private func withOperations(
    _ call: Invocation, _ body: @Sendable (ManagerOperations) async throws -> any Answer
  ) async throws(Complaint) -> any Answer {
    try await withDatabase(call, hasSchema: true) { pool in
      let core = OperationCore(
        pool: pool, now: now, deadlines: nil, clock: ClockWatch(), outboxFilled: {})
      return try await body(
        ManagerOperations(
          core: core, passwords: PasswordWork(), coverageCache: CoverageCache(),
          dirtyShifts: DirtyShifts(), refusedRequests: nil,
          heavyReads: HeavyReads(pool: pool)))
    }
  }

  private func present(_ answer: any Answer, as format: OutputFormat) -> ExitStatus {
    let surface = surface(format)
    let isShown = show(format == .json ? answer.json.lines : answer.lines(on: surface))
    if format != .json {
      for note in answer.notes(on: surface) { write(note + "\n", to: .standardError) }
    }
    guard isShown else {
      complain("the answer could not be written: check whether the disk is full")
      return .lostOutput
    }
    return answer.exitStatus
  }

  private func surface(_ format: OutputFormat) -> Surface {
    Surface(
      isTable: format == .table, styling: Styling(isTerminal: isTerminal, environment: environment),
      now: now(), columns: isTerminal ? columns : nil)
  }

  private var isTerminal: Bool {
    // Lets a script without a terminal show what a terminal would.
    let isForced = !(environment["SHIFTGUARD_FORCE_TTY"] ?? "").isEmpty
    return isForced || isatty(STDOUT_FILENO) == 1
  }

  private var columns: Int? {
    environment["COLUMNS"].flatMap { Int($0) } ?? Terminal.size()?.columns
  }

  /// - Returns: `false` when the lines were lost.
  private func show(_ lines: [String]) -> Bool {
    lines.isEmpty || write(lines.map { $0 + "\n" }.joined(), to: .standardOutput) != .lost
  }

  private func complain(_ text: String) {
    write("guardctl: \(text.showable)\n", to: .standardError)
  }

  private enum Writing {
    case written
    /// A reader has closed the pipe, as `| head` does: no error.
    case unread
    /// The disk is full, for example.
    case lost
  }

  @discardableResult private func write(_ text: String, to handle: FileHandle) -> Writing {
    do {
      try handle.write(contentsOf: Data(text.utf8))
      return .written
    } catch {
      let error = error as NSError
      let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
      return cause.domain == NSPOSIXErrorDomain && cause.code == Int(EPIPE) ? .unread : .lost
    }
  }
}
