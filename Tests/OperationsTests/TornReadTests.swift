import CivilTime
import Dispatch
import GuardRules
import InsightOperations
import Lifecycle
import ManagerCore
import ManagerOperations
import OperationCore
import Postgres
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

/// What a manager sees was true at one moment: between any two round trips of a reading a writer
/// changes all that it shows, and the reading equals the one from before or the one from after.
@Suite("A reading while others write is not torn:") struct TornReadTests {
  @Test("the board", .disabled(if: isOnCitus, "each node has a snapshot of its own"))
  func board() async throws {
    try await withTornWorld { world in
      try await world.expectWhole { try await $0.insight.board(for: world.principal) }
    }
  }

  @Test("the check of an employee")
  func check() async throws {
    try await withTornWorld { world in
      try await world.expectWhole {
        try await $0.insight.check(employee: EmployeeID(7), device: nil, preset: nil)
      }
    }
  }

  @Test("a time sheet", .disabled(if: isOnCitus, "each node has a snapshot of its own"))
  func timeSheet() async throws {
    try await withTornWorld { world in
      let period = PayPeriod(of: try #require(CivilDate("2026-03-02")), .standard)
      try await world.expectWhole { try await $0.reviews.timeSheet(for: world.principal, period) }
    }
  }

  @Test("the page of a shift")
  func shift() async throws {
    try await withTornWorld { world in
      try await world.expectWhole {
        try await $0.insight.page(
          of: ShiftID(employee: EmployeeID(7), number: 2), for: world.principal)
      }
    }
  }

  @Test("the page of an employee")
  func employee() async throws {
    try await withTornWorld { world in
      try await world.expectWhole { try await $0.insight.page(of: EmployeeID(7), shiftsMax: 60) }
    }
  }
}

/// A company whose employee 7 has one ended and one open shift, and a pool that can be paused.
private struct TornWorld {
  let world: OperationsWorld
  let phone: Phone
  let pauses: Pauses
  let paused: Pool

  var principal: Principal { world.principal }

  /// Reads plainly, then with a writer after the first round trip, after the second, and so on.
  func expectWhole<Value: Equatable & Sendable>(
    _ read: (ManagerOperations) async throws -> Value
  ) async throws {
    var gap = 1
    var wasPaused = true
    while wasPaused {
      world.wait(.minutes(1))
      let before = try await read(manager)
      // The end of its snapshot is a round trip too.
      while paused.load.lent > 0 { await Task.yield() }
      pauses.pause(after: gap) { [gap] in try await write(gap) }
      let between = try await read(manager)
      wasPaused = try pauses.end()
      let after = try await read(manager)
      if wasPaused { #expect(before != after, "the writer changes what is read") }
      #expect(
        between == before || between == after,
        "torn by a writer after round trip \(gap):\n\(between)\n\nbefore:\n\(before)")
      gap += 1
    }
    #expect(gap > 1)
  }

  /// Without anything cached.
  private var manager: ManagerOperations {
    OperationsWorld(pool: paused, clock: world.clock).operations.manager
  }

  private func write(_ number: Int) async throws {
    let start = world.now - .hours(2) + .seconds(Int64(number))
    try await world.pool.write([
      "UPDATE team SET name = \("Team \(number)")",
      "UPDATE employee SET name = \("Name \(number)")",
      "UPDATE shift SET started_at = \(start) WHERE ended_at IS NOT NULL",
    ])
    try await phone.report(number % 2 == 1 ? .denied : .always)
  }
}

private func withTornWorld(_ body: (TornWorld) async throws -> Void) async throws {
  try await withTestDatabase { database in
    let pauses = Pauses()
    var configuration = database.configuration
    configuration.slowAfter = .zero
    configuration.noteSlow = { _ in pauses.noteRoundTrip() }
    try await withPool(database.configuration, size: 6) { pool in
      let world = try await OperationsWorld.company(pool: pool)
      let phone = try await Phone.enrolled(in: world)
      try await phone.beginShift()
      world.wait(.minutes(30))
      _ = try await phone.clockOut("out")
      world.wait(.minutes(5))
      try await phone.beginShift("in again")
      _ = try await phone.ping([fix(at: world.now)])
      try await withPool(configuration, size: 2) { paused in
        try await body(TornWorld(world: world, phone: phone, pauses: pauses, paused: paused))
      }
    }
  }
}

/// Runs a writer on the thread of a connection, which may block, between two of its round trips.
private final class Pauses: Sendable {
  private struct State {
    var left = 0
    var write: (@Sendable () async throws -> Void)?
    var outcome: Result<Void, any Error>?
  }

  private let state = Lock(State())

  func pause(after count: Int, _ write: @escaping @Sendable () async throws -> Void) {
    state.withLock { $0 = State(left: count, write: write) }
  }

  func noteRoundTrip() {
    let write = state.withLock { state -> (@Sendable () async throws -> Void)? in
      state.left -= 1
      return state.left == 0 ? state.write : nil
    }
    guard let write else { return }
    let isDone = DispatchSemaphore(value: 0)
    Task {
      let outcome: Result<Void, any Error>
      do { outcome = .success(try await write()) } catch { outcome = .failure(error) }
      state.withLock { $0.outcome = outcome }
      isDone.signal()
    }
    isDone.wait()
  }

  /// Whether there was a pause.
  func end() throws -> Bool {
    let outcome = state.withLock { state in
      defer { state = State() }
      return state.outcome
    }
    try outcome?.get()
    return outcome != nil
  }
}
