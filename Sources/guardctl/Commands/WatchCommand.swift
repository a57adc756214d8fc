import CommandParsing
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
      line of JSON, or tab-separated with the time first.
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
      try await operations.board(for: call.principal, team: team), onlyProblems: onlyProblems)
  }
  // What is wrong at first is an error; afterwards it may pass.
  var board = try await read()
  var trouble: String?
  let screen = output.isTerminal && output.format == .table ? Keyboard() : nil
  if screen != nil { output.write(ScreenCode.enter) }
  defer { if screen != nil { output.write(ScreenCode.leave) } }
  var shown: [String] = []
  while true {
    if screen != nil {
      let lines = board.screen(output.surface(), trouble: trouble, rows: Terminal.size()?.rows)
      if lines != shown { output.write(ScreenCode.frame(lines)) }
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
      // `q`, Ctrl-C and Ctrl-D.
      if let key = screen?.key(within: 0), [0x71, 3, 4].contains(key) { return }
      try await Task.sleep(for: keyPause)
    }
    do throws(OperationError) {
      (board, trouble) = (try await read(), nil)
    } catch {
      trouble = complaint(of: error).text
    }
  }
}
