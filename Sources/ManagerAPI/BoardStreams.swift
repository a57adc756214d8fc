import APIMessages
import JSONText
public import Lifecycle
import LiveEvents
import ShiftDomain
public import ShiftOperations

/// The boards that are open at this instance, and the round that tells them of changes: one look at
/// the marks of all employees for all boards, several times a second while there are any.
///
/// What is told is no news but a reason to look: who lost some looks again and has lost nothing. A
/// mark is compared, not a time, so a transaction that commits late is noticed like any other.
///
/// Once a second one more look finds whose session or token has ended, or opens something else by
/// now: their boards are ended, and come back as whoever they are then.
public final class BoardStreams: Service {
  /// How the boards are served.
  public struct Pace: Sendable {
    /// From one look to the next; a change is told within it, and the time of a look.
    public var poll: Duration = .milliseconds(400)
    /// From one look at what the viewers may see to the next: so long, and the time of a look, may
    /// somebody hear of changes whose right was taken.
    public var recheck: Duration = .seconds(1)
    /// From one sign of life to the next.
    public var heartbeat: Duration = .seconds(15)
    /// A stream is ended after this long, and comes back.
    public var life: Duration = .seconds(300)
    /// So many events may wait for one board.
    public var waitingMax = 16
    /// More changes than this are told as one: look at everything.
    public var namedMax = 100

    /// The usual pace.
    public init() {}
  }

  /// What boards tell of themselves. Must return quickly.
  public struct Observer: Sendable {
    /// A look has ended, well or not, that took so long.
    public var looked: @Sendable (Duration) -> Void
    /// A look failed; the text is safe to log.
    public var failed: @Sendable (String) -> Void

    /// An observer; by default nobody listens.
    public init(
      looked: @escaping @Sendable (Duration) -> Void = { _ in },
      failed: @escaping @Sendable (String) -> Void = { _ in }
    ) {
      self.looked = looked
      self.failed = failed
    }
  }

  /// What log lines call it.
  public let name = "board-streams"
  /// Brings the next look forward.
  public let nudge: Nudge

  private let operations: Operations
  private let pace: Pace
  private let observer: Observer
  private let hub: LiveHub<Int64, [UInt8]>
  private let state = Lock(BoardsState())

  /// - Parameters:
  ///   - operations: On connections of their own: a crowd of requests delays no change.
  ///   - observer: Told of looks and failures.
  public init(
    operations: Operations, pace: Pace = Pace(), nudge: Nudge = Nudge(),
    observer: Observer = Observer()
  ) {
    self.operations = operations
    self.pace = pace
    self.nudge = nudge
    self.observer = observer
    hub = LiveHub(waitingMax: pace.waitingMax)
  }

  /// How many are open.
  public var count: Int { hub.listenerCount }

  /// The changes that `viewer` may see from now on, as server-sent events. The first is `resync`:
  /// whoever reads the board behind it misses nothing.
  /// - Parameters:
  ///   - pass: What let them in: when it does no more, or they may see other teams, the stream
  ///     ends; `nil`: nobody asks again.
  ///   - team: Only its changes; `nil`: of all that they may see.
  public func open(for viewer: Viewer, by pass: OfficePass?, team: TeamID? = nil)
    -> AsyncStream<[UInt8]>
  {
    let granted = viewer.scope(.coverage)
    let number = state.withLock { $0.number() }
    let listener = hub.listen(to: number) { [weak self] in
      self?.state.withLock { $0.boards[number] = nil }
    }
    // Behind the listening: from now on it may be told.
    state.withLock {
      $0.boards[number] = OpenBoard(
        scope: granted.narrowed(to: team), granted: granted, pass: pass)
    }
    nudge.nudge()
    let body = BoardBody(listener)
    return AsyncStream { await body.next() }
  }

  /// Serves until its task is cancelled; then it ends all.
  public func run() async {
    var known: [EmployeeID: BoardMark]?
    var (beatenAt, checkedAt) = (ContinuousClock.now, ContinuousClock.now)
    while !Task.isCancelled {
      if ContinuousClock.now - checkedAt >= pace.recheck {
        await endThoseWithoutRight()
        checkedAt = .now
      }
      known = await look(since: known)
      if ContinuousClock.now - beatenAt >= pace.heartbeat {
        hub.sendToIdle(EventText.heartbeat)
        beatenAt = .now
      }
      await nudge.wait(atMost: known == nil ? .seconds(60) : pace.poll)
    }
    for number in state.withLock({ $0.takeAll() }) { hub.end(number) }
  }

  /// Ends the boards of who may not see them any more, or sees something else by now.
  private func endThoseWithoutRight() async {
    let boards = state.withLock { $0.boards }
    let passes = Set(boards.values.compactMap(\.pass))
    guard !passes.isEmpty else { return }
    do throws(OperationError) {
      let holders = try await operations.holders(of: passes)
      for (number, board) in boards {
        guard let pass = board.pass, holders[pass]?.scope(.coverage) != board.granted else {
          continue
        }
        hub.end(number)
      }
    } catch {
      // Nothing can be read by now, no change either.
      if !Task.isCancelled { observer.failed("\(error)") }
    }
  }

  /// One look.
  /// - Parameter known: What was seen by the last; `nil`: there was none that boards count on.
  /// - Returns: What is known now; `nil` when nobody asks.
  private func look(since known: [EmployeeID: BoardMark]?) async -> [EmployeeID: BoardMark]? {
    let start = ContinuousClock.now
    let boards = state.withLock { $0.boards }
    guard !boards.isEmpty else { return nil }
    for (number, board) in boards where start - board.openedAt >= pace.life { hub.end(number) }
    defer { observer.looked(ContinuousClock.now - start) }
    do throws(OperationError) {
      let marks = try await operations.boardMarks()
      tell(boards, known.map { changes(from: $0, to: marks) } ?? [:])
      return marks
    } catch {
      if !Task.isCancelled { observer.failed("\(error)") }
      // The next look compares with what was seen before: nothing is lost meanwhile.
      return known ?? [:]
    }
  }

  /// Tells each board what of `changes` is its own; those that are new, that everything may be.
  private func tell(
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

/// A board that is open.
private struct OpenBoard: Sendable {
  /// Whose changes it is told.
  let scope: TeamScope
  /// All that its viewer might see when it was opened, and by what.
  let granted: TeamScope, pass: OfficePass?
  let openedAt = ContinuousClock.now
  /// Whether it was told nothing yet.
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

/// Whose marks differ, by the team that they are or were in.
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

/// The events of a board. They name employees by their numbers, and nothing else.
enum BoardEvent {
  /// Look at everything.
  static let resync = EventText.event("resync", [:])

  /// Look at these.
  static func changed(_ employees: Set<EmployeeID>) -> [UInt8] {
    let numbers = employees.map(\.rawValue).sorted()
    return EventText.event("changed", ["employees": .array(numbers.map { JSONValue($0) })])
  }
}

/// The bytes of one stream.
private final class BoardBody: Sendable {
  private let listener: LiveListener<[UInt8]>
  private let hasBegun = Lock(false)

  init(_ listener: LiveListener<[UInt8]>) { self.listener = listener }

  /// The next bytes; `nil` when the stream is over.
  func next() async -> [UInt8]? {
    let isFirst = hasBegun.withLock { begun in
      defer { begun = true }
      return !begun
    }
    return isFirst ? EventText.greeting(retry: .random(in: 300...1_000)) : await listener.next()
  }
}
