import Lifecycle
import TestKit
import Testing

// R: W26
@Suite("Turns at a fair gate") struct FairGateTurnTests {
  private typealias Gate = FairGate<String>

  @Test("who asks one at a time and who has two requests in line get as many turns")
  func twoTabs() async {
    let crowd = Crowd(Gate())
    for owner in ["one", "two", "three"] { await crowd.ask(owner) }
    for tab in ["first tab", "second tab"] { await crowd.ask("tabs", tab) }
    for _ in 0..<40 {
      let left = await crowd.leave(0)
      await crowd.ask(left.owner, left.subject)
    }
    for owner in ["one", "two", "three", "tabs"] {
      let turns = crowd.entries.count { $0 == owner }
      #expect((10...11).contains(turns), "\(owner): \(turns)")
    }
    crowd.close()
  }

  @Test("a place in line that nobody came back for costs its owner no later turn")
  func expired() async {
    var limits = Gate.Limits()
    (limits.places, limits.keptFor) = (1, .zero)
    let crowd = Crowd(Gate(limits))
    await crowd.ask("gone")
    await #expect(throws: GateBusy(place: 1)) {
      try await crowd.gate.enter("gone", for: "second tab", patience: .zero)
    }
    _ = await crowd.leave(0)
    for owner in ["one", "two", "three", "gone"] { await crowd.ask(owner) }
    for _ in 0..<3 {
      let left = await crowd.leave(0)
      await crowd.ask(left.owner)
    }
    #expect(crowd.entries == ["gone", "one", "two", "three", "gone"])
    crowd.close()
  }

  @Test("whoever waits is let in before anybody else is twice", arguments: UInt64(0)..<40)
  func nobodyTwice(seed: UInt64) async {
    var random = SeededRandom(seed: seed)
    var limits = Gate.Limits()
    limits.places = 1 + Int(seed % 3)
    limits.keptFor = seed.isMultiple(of: 2) ? .zero : .seconds(60)
    let crowd = Crowd(Gate(limits))
    /// How often the others were let in while an owner waited without a place.
    var others: [String: [String: Int]] = [:]
    for _ in 0..<200 {
      let (owner, subject) = ("\(random.below(6))", "\(random.below(3))")
      let inside = crowd.gate.load.inside
      switch random.below(8) {
      case 0: crowd.cancel(Int(random.below(20)))
      case 1 where inside == limits.places:
        _ = try? await crowd.gate.enter(owner, for: subject, patience: .zero)
      case 0..<5: await crowd.ask(owner, subject)
      default: if inside > 0 { _ = await crowd.leave(Int(random.below(Int64(inside)))) }
      }
      for entry in crowd.newEntries() {
        others[entry] = nil
        for waiting in others.keys {
          others[waiting]?[entry, default: 0] += 1
          #expect(others[waiting]?[entry] == 1, "\(entry) before \(waiting)")
        }
      }
      let waiting = crowd.waiting
      others = others.filter { waiting.contains($0.key) }
      for owner in waiting where others[owner] == nil { others[owner] = [:] }
    }
    #expect(crowd.entries.count > 20)
    crowd.close()
  }

  @Test("a few owners who fill the line keep nobody else out")
  func full() async {
    var limits = Gate.Limits()
    (limits.waitingMax, limits.waitingOfOneMax) = (6, 3)
    let crowd = Crowd(Gate(limits))
    for owner in ["one", "two"] {
      for tab in ["a", "b", "c", "d"] { await crowd.ask(owner, tab) }
    }
    #expect(crowd.gate.load == (2, 6))
    await crowd.ask("three")
    #expect(crowd.gate.load == (2, 6) && crowd.waiting == ["three"])
    _ = await crowd.leave(0)
    #expect(crowd.entries == ["one", "two", "three"] && crowd.gate.load == (2, 5))
    crowd.close()
  }

  @Test("in a full line, places that are only kept are given up first, and nobody's only one")
  func fullOfKept() async throws {
    var limits = Gate.Limits()
    (limits.places, limits.waitingMax, limits.keptFor) = (1, 3, TestDatabase.patience)
    let crowd = Crowd(Gate(limits))
    for owner in ["held", "one"] { await crowd.ask(owner) }
    for (owner, subject, place) in [
      ("one", "kept", 2), ("two", "", 2), ("three", "", 3), ("four", "", nil),
    ] {
      await #expect(throws: GateBusy(place: place)) {
        try await crowd.gate.enter(owner, for: subject, patience: .zero)
      }
    }
    #expect(crowd.gate.load == (1, 3) && crowd.waiting == ["one"])
    crowd.close()
  }

  @Test("nobody is counted as waiting once their place is not kept any more")
  func counted() async throws {
    var limits = Gate.Limits()
    (limits.places, limits.keptFor) = (1, .zero)
    let gate = Gate(limits)
    let held = try await gate.enter("held", for: "", patience: .seconds(60))
    await #expect(throws: GateBusy(place: 1)) {
      try await gate.enter("gone", for: "", patience: .zero)
    }
    #expect(gate.load == (1, 0))
    withExtendedLifetime(held) {}
  }
}

/// Owners who ask and leave one after the other, so that nothing but the gate decides the order.
private final class Crowd: Sendable {
  private struct Visit {
    let owner: String
    let subject: String
    let place: FairGate<String>.Place
  }

  private struct Request {
    let owner: String
    var task: Task<Void, Never>?
  }

  private struct State {
    var asked = 0
    var asking: [Int: Request] = [:]
    var inside: [Visit] = []
    var entries: [String] = []
    var entriesRead = 0
  }

  let gate: FairGate<String>
  private let state = Lock(State())

  init(_ gate: FairGate<String>) { self.gate = gate }

  /// Those who were let in, in order.
  var entries: [String] { state.withLock { $0.entries } }

  /// Those since the last call.
  func newEntries() -> [String] {
    state.withLock { state in
      defer { state.entriesRead = state.entries.count }
      return Array(state.entries[state.entriesRead...])
    }
  }

  /// Owners with a request in line and no place.
  var waiting: Set<String> {
    state.withLock { state in
      Set(state.asking.values.map(\.owner)).subtracting(state.inside.map(\.owner))
    }
  }

  /// Is in line, or let in, when it returns.
  func ask(_ owner: String, _ subject: String = "") async {
    let number = state.withLock { state in
      state.asked += 1
      state.asking[state.asked] = Request(owner: owner)
      return state.asked
    }
    let task = Task.immediate { [self] in
      let place = try? await gate.enter(owner, for: subject, patience: .seconds(60))
      state.withLock { state in
        state.asking[number] = nil
        guard let place else { return }
        state.inside.append(Visit(owner: owner, subject: subject, place: place))
        state.entries.append(owner)
      }
    }
    state.withLock { $0.asking[number]?.task = task }
    await settle()
  }

  /// Gives a place back, the one held longest at 0.
  func leave(_ index: Int) async -> (owner: String, subject: String) {
    let left = state.withLock { state in
      let visit = state.inside.remove(at: index)
      return (visit.owner, visit.subject)
    }
    await settle()
    return left
  }

  /// Cancels one of the requests in line, if there are any.
  func cancel(_ index: Int) {
    let task = state.withLock { state -> Task<Void, Never>? in
      let numbers = state.asking.keys.sorted()
      guard !numbers.isEmpty else { return nil }
      return state.asking.removeValue(forKey: numbers[index % numbers.count])?.task
    }
    task?.cancel()
  }

  /// All requests and places end.
  func close() {
    let (tasks, inside) = state.withLock { state in
      defer { (state.asking, state.inside) = ([:], []) }
      return (state.asking.values.map(\.task), state.inside)
    }
    for task in tasks { task?.cancel() }
    withExtendedLifetime(inside) {}
  }

  /// Returns when everybody who was let in knows it.
  private func settle() async {
    while gate.load.inside != state.withLock({ $0.inside.count }) { await Task.yield() }
  }
}
