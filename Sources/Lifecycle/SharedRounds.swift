/// Collects items that arrive while work is in progress, and processes them all at once. A single
/// item does not wait; a full queue rejects items before any work on them.
public final class SharedRounds<Item: Sendable, Answer: Sendable>: Sendable {
  /// Processes one round. Returns a result for every item, in order.
  public typealias Perform = @Sendable ([Item]) async -> [Answer]

  private struct Waiter: Sendable {
    let item: Item
    let weight: Int
    let continuation: CheckedContinuation<Answer?, Never>
  }

  private struct State: Sendable {
    var waiting: [Waiter] = []
    var weight = 0
    var writers = 0
  }

  private let bounds: SharedRoundBounds
  private let perform: Perform
  private let state = Lock(State())

  public init(_ bounds: SharedRoundBounds, perform: @escaping Perform) {
    self.bounds = bounds
    self.perform = perform
  }

  public var waitingWeight: Int { state.withLock { $0.weight } }

  public var isFull: Bool { waitingWeight >= bounds.waitingMax }

  /// `nil` if too much is waiting. `weight`, from 1, is the item's part of a round; never split.
  public func submit(_ item: Item, weight: Int) async -> Answer? {
    await withCheckedContinuation { continuation in
      let waiter = Waiter(item: item, weight: weight, continuation: continuation)
      let (isTaken, wantsWriter) = state.withLock { state -> (Bool, Bool) in
        guard state.weight < bounds.waitingMax else { return (false, false) }
        state.waiting.append(waiter)
        state.weight += weight
        let wantsWriter =
          state.writers == 0
          || (state.writers < bounds.writers && state.weight >= bounds.anotherFrom)
        if wantsWriter { state.writers += 1 }
        return (true, wantsWriter)
      }
      if !isTaken { continuation.resume(returning: nil) }
      if wantsWriter { Task { await write() } }
    }
  }

  /// Processes rounds until nothing waits. Never cancelled: rounds have items of several callers.
  private func write() async {
    while let round = next() {
      let answers = await perform(round.map(\.item))
      precondition(answers.count == round.count, "an item without an answer")
      for (waiter, answer) in zip(round, answers) { waiter.continuation.resume(returning: answer) }
      // Callers that were just answered usually have more to send; small rounds slow all others
      // down.
      if round.count > 1, bounds.linger > .zero, waitingWeight < round.count {
        try? await Task.sleep(for: bounds.linger)
      }
    }
  }

  /// The oldest items, as many as one round takes; `nil` ends the writer.
  private func next() -> [Waiter]? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.writers -= 1
        return nil
      }
      var (count, weight) = (0, 0)
      for waiter in state.waiting {
        guard count == 0 || weight + waiter.weight <= bounds.roundMax else { break }
        count += 1
        weight += waiter.weight
      }
      defer {
        state.waiting.removeFirst(count)
        state.weight -= weight
      }
      return Array(state.waiting.prefix(count))
    }
  }
}

/// How much a `SharedRounds` processes at once, and lets wait.
public struct SharedRoundBounds: Sendable {
  let roundMax: Int
  let waitingMax: Int
  let writers: Int
  let anotherFrom: Int
  let linger: Duration

  /// - Parameters:
  ///   - roundMax: The weight of one round; a single item may be heavier.
  ///   - waitingMax: The weight that may wait; further items are rejected.
  ///   - writers: The most rounds at the same time, from 1.
  ///   - anotherFrom: The weight that must wait before another round begins beside one; `nil`: half
  ///     of a round, because rounds with less cost more than waiting.
  ///   - linger: How long a writer waits, after a round, for as many items as it just processed.
  public init(
    roundMax: Int, waitingMax: Int, writers: Int, anotherFrom: Int? = nil, linger: Duration
  ) {
    self.roundMax = roundMax
    self.anotherFrom = anotherFrom ?? roundMax / 2
    self.waitingMax = waitingMax
    self.writers = writers
    self.linger = linger
  }
}
