import CommandParsing
import InsightOperations
import ManagerOperations
import OperationCore
import ShiftDomain
import SystemCalls

let watchCommand = Leaf(
  Command(
    "watch", "show the board, and each change of it",
    options: [
      onlyTeamOption, .flag("problems", "only employees with a problem"),
    ],
    footer: """
      On a terminal, q or Ctrl-C ends it. In a pipe, each change prints the whole board: as one \
      line of JSON, or tab-separated with the time first; an empty board is a line with nothing \
      but the time. While the database is away, standard error says so.
      """),
  .live(watch))

/// Time between two looks at the keyboard.
private let keyPause = Duration.milliseconds(100)

private func watch(
  _ call: Invocation, _ operations: ManagerOperations, _ output: LiveOutput
) async throws {
  let team = try await call.onlyTeam(operations)
  let onlyProblems = call.parsed.flag("problems")
  func read() async throws(OperationError) -> WatchedBoard {
    WatchedBoard(
      try await operations.insight.board(for: call.principal, team: team),
      onlyProblems: onlyProblems)
  }
  // What is wrong at first is an error; afterwards it may pass.
  var board = try await read()
  var trouble: String?
  let screen = output.isTerminal && output.format == .table ? await FullScreen(output) : nil
  var shown: [String] = []
  while true {
    if screen != nil {
      let lines = board.screen(output.surface(), trouble: trouble, rows: Terminal.size()?.rows)
      if lines != shown { screen?.show(lines) }
      shown = lines
    } else {
      let lines = board.lines(output, isFirst: shown.isEmpty)
      // The time of the look is no change.
      if lines.change != shown {
        guard output.write(lines.text.map { $0 + "\n" }.joined()) else { return }
      }
      shown = lines.change
    }
    let next = ContinuousClock.now + .seconds(1)
    while ContinuousClock.now < next {
      if screen?.isLeft == true { return }
      try await Task.sleep(for: keyPause)
    }
    let before = trouble
    do throws(OperationError) {
      (board, trouble) = (try await read(), nil)
    } catch {
      trouble = complaint(of: error).text
    }
    if screen == nil, trouble != before {
      output.note(trouble.map { "not current: \($0)" } ?? "current again")
    }
  }
}
