import Lifecycle
import TestKit
import Testing

// R: W26
@Suite("A fair gate") struct FairGateTests {
  private typealias Gate = FairGate<String>

  private func gate(_ change: (inout Gate.Limits) -> Void = { _ in }) -> Gate {
    var limits = Gate.Limits()
    (limits.places, limits.keptFor) = (1, TestDatabase.patience)
    change(&limits)
    return Gate(limits)
  }

  /// Returns when so many wait.
  private func until(_ gate: Gate, holds count: Int) async {
    while gate.load.waiting != count { await Task.yield() }
  }

  private func enter(_ gate: Gate, _ owner: String, _ subject: String = "report") async throws
    -> Gate.Place
  {
    try await gate.enter(owner, for: subject, patience: .seconds(60))
  }

  @Test("owners take turns: who floods it waits behind their own requests")
  func fairness() async throws {
    let gate = gate()
    var first: Gate.Place? = try await enter(gate, "flood")
    let (entries, entered) = AsyncStream.makeStream(of: String.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (count, owner) in ["flood", "flood", "flood", "flood", "other"].enumerated() {
        group.addTask {
          let place = try await enter(gate, owner)
          entered.yield(owner)
          withExtendedLifetime(place) {}
        }
        await until(gate, holds: count + 1)
      }
      #expect(gate.load.inside == 1)
      first = nil
      try await group.waitForAll()
    }
    entered.finish()
    var order: [String] = []
    for await owner in entries { order.append(owner) }
    #expect(first == nil && order == ["other", "flood", "flood", "flood", "flood"])
    #expect(gate.load == (0, 0))
  }

  @Test("one owner has one place, even while others are free")
  func placesOfOne() async throws {
    let gate = gate { $0.places = 2 }
    let held = try await enter(gate, "one")
    await #expect(throws: GateBusy(place: 1)) {
      try await gate.enter("one", for: "report", patience: .zero)
    }
    _ = try await enter(gate, "two")
    withExtendedLifetime(held) {}
  }

  @Test("the line is bounded, for each owner and in all; who is refused waits for nothing")
  func bounds() async throws {
    let gate = gate { ($0.waitingOfOneMax, $0.waitingMax) = (2, 3) }
    let held = try await enter(gate, "held")
    for (owner, subject, place) in [
      ("one", "a", 1), ("one", "b", 2), ("one", "c", nil), ("two", "a", 2), ("two", "b", nil),
      ("three", "a", 3), ("four", "a", nil), ("one", "b", nil),
    ] {
      await #expect(throws: GateBusy(place: place)) {
        try await gate.enter(owner, for: subject, patience: .zero)
      }
    }
    #expect(gate.load == (1, 3))
    withExtendedLifetime(held) {}
  }

  @Test("who gave up and comes again for the same has kept their place, and delays nobody")
  func keptPlace() async throws {
    let gate = gate()
    var held: Gate.Place? = try await enter(gate, "held")
    await #expect(throws: GateBusy(place: 1)) {
      try await gate.enter("early", for: "report", patience: .zero)
    }
    await #expect(throws: GateBusy(place: 2)) {
      try await gate.enter("late", for: "report", patience: .zero)
    }
    await #expect(throws: GateBusy(place: 1)) {
      try await gate.enter("early", for: "report", patience: .zero)
    }
    #expect(gate.load.waiting == 2)
    held = nil
    // The earlier one is not there now.
    held = try await enter(gate, "late")
    #expect(held != nil && gate.load == (1, 1))
    held = nil
    _ = try await enter(gate, "early")
    #expect(gate.load == (0, 0))
  }

  @Test("forgets places in the line that nobody comes back for")
  func forgotten() async throws {
    let gate = gate { ($0.keptFor, $0.waitingMax) = (.zero, 1) }
    let held = try await enter(gate, "held")
    for owner in ["one", "two", "three"] {
      await #expect(throws: GateBusy(place: 1)) {
        try await gate.enter(owner, for: "report", patience: .zero)
      }
    }
    withExtendedLifetime(held) {}
  }

  @Test("a cancelled one leaves the line, and the next one gets the place")
  func cancellation() async throws {
    let gate = gate()
    var held: Gate.Place? = try await enter(gate, "held")
    let gone = Task { try await enter(gate, "gone") }
    await until(gate, holds: 1)
    let next = Task { try await enter(gate, "next") }
    await until(gate, holds: 2)
    gone.cancel()
    await #expect(throws: GateBusy(place: nil)) { _ = try await gone.value }
    #expect(gate.load == (1, 1))
    held = nil
    _ = try await next.value
    #expect(held == nil)
  }

  @Test("says when nobody waits any more, and how long those waited who came in")
  func observed() async throws {
    let waits = Lock(0)
    let quiet = Lock(0)
    var limits = Gate.Limits()
    limits.places = 1
    let gate = Gate(limits, waited: { _ in waits.withLock { $0 += 1 } }) {
      quiet.withLock { $0 += 1 }
    }
    var held: Gate.Place? = try await enter(gate, "one")
    let next = Task { _ = try await enter(gate, "two") }
    await until(gate, holds: 1)
    held = nil
    #expect(held == nil && quiet.withLock { $0 } == 0)
    try await next.value
    while quiet.withLock({ $0 }) == 0 { await Task.yield() }
    #expect(quiet.withLock { $0 } == 1 && waits.withLock { $0 } == 2)
  }
}
