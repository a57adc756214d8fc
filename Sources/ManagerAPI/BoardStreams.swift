import HTTPAPI
import InsightOperations
import InstallationOperations
import JSONText
import Lifecycle
import LiveEvents
import ManagerCore
import ManagerOperations
import OperationCore
import ReadModels
import ShiftDomain
import Telemetry

/// The boards that are open at this instance, and the poll that notifies them of changes: one query
/// of the marks of all employees for all boards, several times a second while any board is open.
///
/// An event carries no data, only a reason to read again, so a board that missed one loses nothing.
/// Marks are compared, not times, so a transaction that commits late is noticed like any other.
///
/// Once a second another query finds sessions and tokens that have ended or whose rights have
/// changed: their boards are closed, and reconnect with the rights they have then.
package final class BoardStreams: Service {
  package struct Pace: Sendable {
    /// From one query to the next; a change is sent within this time plus the time of a query.
    package var poll: Duration = .milliseconds(400)
    /// From one check of rights to the next. A principal whose right was revoked may still receive
    /// changes for this time plus the time of a query.
    package var recheck: Duration = .seconds(1)
    /// From one sign of life to the next.
    package var heartbeat: Duration = .seconds(15)
    /// A stream is closed after this time; the client reconnects.
    package var life: Duration = .seconds(300)
    /// The maximum number of events that wait for one board.
    package var waitingMax = 16
    /// More changes than this are sent as one event that asks for a full reload.
    package var namedMax = 100

    package init() {}
  }

  package let name = "board-streams"
  package let wakeSignal: WakeSignal

  private let operations: ManagerOperations
  private let pace: Pace
  private let meter: PollMeter
  private let pollSeconds: Histogram
  private let hub: LiveHub<Int64, [UInt8]>
  private let state = Lock(BoardsState())

  /// - Parameter operations: On their own connections, so that heavy request traffic delays no
  ///   change.
  package init(
    operations: ManagerOperations, pace: Pace = Pace(), wakeSignal: WakeSignal = WakeSignal(),
    monitor: Monitor
  ) {
    self.operations = operations
    self.pace = pace
    self.wakeSignal = wakeSignal
    meter = PollMeter("boards", monitor)
    pollSeconds = monitor.metrics.histogram(
      "shiftguard_board_poll_seconds", "Duration of a poll for changes on open boards.",
      bounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1])
    hub = LiveHub(waitingMax: pace.waitingMax)
    monitor.metrics.gauge("shiftguard_boards_open", "Open boards of managers.") { [hub] in
      Double(hub.listenerCount)
    }
  }

  package var count: Int { hub.listenerCount }

  /// The changes that `principal` may see from now on, as server-sent events. The first is
  /// `resync`: a client that reads the board after it misses nothing.
  /// - Parameters:
  ///   - credential: The session or token that authenticated them: when it ends, or its teams
  ///     change, the stream ends; `nil`: not checked again.
  ///   - team: Only its changes; `nil`: all changes that they may see.
  package func open(
    for principal: Principal, by credential: ManagerCredential?, team: TeamID? = nil
  )
    -> AsyncStream<[UInt8]>
  {
    let granted = principal.scope(.coverage)
    let number = state.withLock { $0.number() }
    let listener = hub.listen(to: number) { [weak self] in
      self?.state.withLock { $0.boards[number] = nil }
    }
    // After the subscription exists: from now on it can receive events.
    state.withLock {
      $0.boards[number] = OpenBoard(
        scope: granted.narrowed(to: team), granted: granted, credential: credential)
    }
    wakeSignal.signal()
    let body = BoardBody(listener)
    return AsyncStream { await body.next() }
  }

  /// Serves until its task is cancelled; then it closes all boards.
  package func run() async {
    var known: [EmployeeID: BoardMark]?
    var (beatenAt, checkedAt) = (ContinuousClock.now, ContinuousClock.now)
    await Polling(every: pace.poll, wakeSignal: wakeSignal).run {
      if ContinuousClock.now - checkedAt >= pace.recheck {
        await endThoseWithoutRight()
        checkedAt = .now
      }
      known = await poll(since: known)
      if ContinuousClock.now - beatenAt >= pace.heartbeat {
        hub.sendToIdle(EventText.heartbeat)
        beatenAt = .now
      }
      return known == nil ? .after(.seconds(60)) : .atInterval
    }
    for number in state.withLock({ $0.takeAll() }) { hub.end(number) }
  }

  private func endThoseWithoutRight() async {
    let boards = state.withLock { $0.boards }
    let credentials = Set(boards.values.compactMap(\.credential))
    guard !credentials.isEmpty else { return }
    do throws(OperationError) {
      let holders = try await operations.installation.holders(of: credentials)
      for (number, board) in boards {
        guard let credential = board.credential,
          holders[credential]?.scope(.coverage) != board.granted
        else {
          continue
        }
        hub.end(number)
      }
    } catch {
      // While the database cannot be read, no change can leak either.
      meter.fail("\(error)")
    }
  }

  /// - Parameter known: The result of the previous query; `nil`: none that boards rely on.
  /// - Returns: The new result; `nil` when no board is open.
  private func poll(since known: [EmployeeID: BoardMark]?) async -> [EmployeeID: BoardMark]? {
    let start = ContinuousClock.now
    let boards = state.withLock { $0.boards }
    guard !boards.isEmpty else { return nil }
    for (number, board) in boards where start - board.openedAt >= pace.life { hub.end(number) }
    defer { pollSeconds.observe(ContinuousClock.now - start) }
    do throws(OperationError) {
      let marks = try await operations.insight.boardMarks()
      notify(boards, known.map { changes(from: $0, to: marks) } ?? [:])
      meter.end(isWell: true)
      return marks
    } catch {
      meter.fail("\(error)")
      meter.end(isWell: false)
      // The next query compares with the last result, so no change is lost.
      return known ?? [:]
    }
  }

  /// Sends each board its part of `changes`; a new board gets `resync`.
  private func notify(
    _ boards: [Int64: OpenBoard], _ changes: [TeamID: Set<EmployeeID>]
  ) {
    var events: [TeamScope: [UInt8]?] = [:]
    for (number, board) in boards {
      if board.isNew {
        hub.send(BoardEvent.resync, to: number)
        state.withLock { $0.boards[number]?.isNew = false }
        continue
      }
      guard !changes.isEmpty else { continue }
      let event = events[board.scope] ?? self.event(of: changes, in: board.scope)
      events[board.scope] = event
      if let event { hub.send(event, to: number) }
    }
  }

  private func event(of changes: [TeamID: Set<EmployeeID>], in scope: TeamScope) -> [UInt8]? {
    let own = changes.filter { scope.contains($0.key) }.flatMap(\.value)
    guard !own.isEmpty else { return nil }
    return own.count > pace.namedMax ? BoardEvent.resync : BoardEvent.changed(Set(own))
  }
}

private struct OpenBoard: Sendable {
  /// The teams whose changes it receives.
  let scope: TeamScope
  /// What its principal could see when it was opened, and their credential.
  let granted: TeamScope, credential: ManagerCredential?
  let openedAt = ContinuousClock.now
  var isNew = true
}

private struct BoardsState: Sendable {
  var boards: [Int64: OpenBoard] = [:]
  private var last: Int64 = 0

  mutating func number() -> Int64 {
    last += 1
    return last
  }

  mutating func takeAll() -> [Int64] {
    defer { boards = [:] }
    return Array(boards.keys)
  }
}

/// Employees whose marks differ, by their present and former teams.
func changes(from known: [EmployeeID: BoardMark], to marks: [EmployeeID: BoardMark])
  -> [TeamID: Set<EmployeeID>]
{
  var changes: [TeamID: Set<EmployeeID>] = [:]
  for (employee, mark) in marks where known[employee] != mark {
    changes[mark.team, default: []].insert(employee)
    if let former = known[employee]?.team { changes[former, default: []].insert(employee) }
  }
  for (employee, mark) in known where marks[employee] == nil {
    changes[mark.team, default: []].insert(employee)
  }
  return changes
}

/// The events of a board. They contain employee numbers and nothing else.
enum BoardEvent {
  /// Asks the client to read everything.
  static let resync = EventText.event("resync", [:])

  /// Asks the client to read these employees.
  static func changed(_ employees: Set<EmployeeID>) -> [UInt8] {
    let numbers = employees.map(\.rawValue).sorted()
    return EventText.event("changed", ["employees": .array(numbers.map { JSONValue($0) })])
  }
}

private final class BoardBody: Sendable {
  private let listener: LiveListener<[UInt8]>
  private let hasBegun = Lock(false)

  init(_ listener: LiveListener<[UInt8]>) { self.listener = listener }

  func next() async -> [UInt8]? {
    let isFirst = hasBegun.withLock { begun in
      defer { begun = true }
      return !begun
    }
    return isFirst ? EventText.greeting(retry: .random(in: 300...1_000)) : await listener.next()
  }
}
