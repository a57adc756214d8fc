internal import Dispatch
import Lifecycle

/// Lends out a pool's connections, first come, first served, to a bounded number of waiters.
final class WaitingLine: Sendable {
  private typealias Answer = Result<Connection, PostgresError>

  private struct Waiter {
    let number: UInt64
    let deadline: ContinuousClock.Instant
    let continuation: CheckedContinuation<Answer, Never>
  }

  private struct State {
    // Used as a stack: the connection used last has prepared statements and warm caches.
    var idle: [Connection]
    var waiters: [Waiter] = []
    /// Whose caller has the answer, while the snapshot ends: about to be given back.
    var ending: Set<ObjectIdentifier> = []
    var lastNumber: UInt64 = 0
    var roundTrips = 0
    /// The next time at which waiters are sent away.
    var sweep: ContinuousClock.Instant?
    var isClosed = false
    var closers: [CheckedContinuation<Void, Never>] = []

    /// The connection of this thread, which then need not wake another; else that used last.
    mutating func takeIdle() -> Connection? {
      idle.lastIndex(where: \.thread.isCurrent).map { idle.remove(at: $0) } ?? idle.popLast()
    }
  }

  let connections: [Connection]
  private let waitersMax: Int
  private let state: Lock<State>
  private let clockwork = DispatchQueue(label: "postgres.waiters")

  init(_ connections: [Connection], waitersMax: Int) {
    self.connections = connections
    self.waitersMax = waitersMax
    state = Lock(State(idle: connections))
  }

  func next(until deadline: ContinuousClock.Instant) async throws(PostgresError) -> Connection {
    let (number, free) = state.withLock { state -> (UInt64, Connection?) in
      state.lastNumber += 1
      return (state.lastNumber, state.isClosed ? nil : state.takeIdle())
    }
    if let free { return free }
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        join(Waiter(number: number, deadline: deadline, continuation: continuation))
        // A cancellation before the waiter was added could not remove it.
        if Task.isCancelled { sendAway(with: .cancelled) { $0.number == number } }
      }
    } onCancel: {
      sendAway(with: .cancelled) { $0.number == number }
    }
    return try answer.get()
  }

  var load: (lent: Int, waiting: Int) {
    state.withLock { (connections.count - $0.idle.count, $0.waiters.count) }
  }

  /// The round trips of all connections in finished loans.
  var roundTrips: Int { state.withLock { $0.roundTrips } }

  func note(roundTrips: Int) { state.withLock { $0.roundTrips += roundTrips } }

  /// Notes that the caller of `connection` has the answer. It is given back soon, so that somebody
  /// may wait for it also where nobody waits otherwise.
  func noteEnd(of connection: Connection) {
    state.withLock { _ = $0.ending.insert(ObjectIdentifier(connection)) }
  }

  /// Takes a connection back and gives it to the longest-waiting caller.
  func giveBack(_ connection: Connection) {
    let (next, closers) = state.withLock { state -> (Waiter?, [CheckedContinuation<Void, Never>]) in
      state.ending.remove(ObjectIdentifier(connection))
      if !state.waiters.isEmpty { return (state.waiters.removeFirst(), []) }
      state.idle.append(connection)
      guard state.isClosed, state.idle.count == connections.count else { return (nil, []) }
      defer { state.closers = [] }
      return (nil, state.closers)
    }
    next?.continuation.resume(returning: .success(connection))
    for closer in closers { closer.resume() }
  }

  /// Accepts no more callers, rejects the waiting ones and waits until every connection is back.
  func close() async -> [Connection] {
    state.withLock { $0.isClosed = true }
    sendAway(with: .unavailable(detail: "pool is closed")) { _ in true }
    await withCheckedContinuation { continuation in
      let isQuiet = state.withLock { state in
        guard state.idle.count < connections.count else { return true }
        state.closers.append(continuation)
        return false
      }
      if isQuiet { continuation.resume() }
    }
    return connections
  }

  private func join(_ waiter: Waiter) {
    let answer = state.withLock { state -> Answer? in
      if state.isClosed { return .failure(.unavailable(detail: "pool is closed")) }
      if let free = state.takeIdle() { return .success(free) }
      guard state.waiters.count < waitersMax + state.ending.count else {
        return .failure(.unavailable(detail: "all connections busy"))
      }
      state.waiters.append(waiter)
      sweepLater(&state)
      return nil
    }
    if let answer { waiter.continuation.resume(returning: answer) }
  }

  private func sendAway(with error: PostgresError, where isMeant: (Waiter) -> Bool) {
    let meant = state.withLock { state in
      let meant = state.waiters.filter(isMeant)
      state.waiters.removeAll(where: isMeant)
      return meant
    }
    for waiter in meant { waiter.continuation.resume(returning: .failure(error)) }
  }

  /// A timer for all waiters, set for the earliest deadline, and only while there are any.
  private func sweepLater(_ state: inout State) {
    guard let earliest = state.waiters.map(\.deadline).min(),
      state.sweep.map({ earliest < $0 }) ?? true
    else { return }
    state.sweep = earliest
    let pause = ContinuousClock.now.duration(to: earliest)
    clockwork.asyncAfter(deadline: .now() + .milliseconds(Int(pause.wholeMilliseconds))) {
      let now = ContinuousClock.now
      self.sendAway(with: .unavailable(detail: "all connections busy")) { $0.deadline <= now }
      self.state.withLock { state in
        if state.sweep == earliest { state.sweep = nil }
        self.sweepLater(&state)
      }
    }
  }
}
