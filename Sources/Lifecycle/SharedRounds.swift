#if !TSAN_LOCKS
  public import Synchronization
#endif

// Inlinable, so that callers compile it for their own types: unspecialised it costs microseconds an
// item.
/// Collects items that arrive while work is in progress, and processes them all at once. A single
/// item does not wait, except for a moment after a round of several; a full queue rejects items
/// before any work on them.
///
/// A round leaves as soon as a writer is free, and another one beside it as soon as as much waits
/// as is under way: so few callers do not all wait for the same round.
public final class SharedRounds<Item: Sendable, Answer: Sendable>: Sendable {
  /// Processes one round. Returns a result for every item, in order.
  public typealias Perform = @Sendable ([Item]) async -> [Answer]

  @usableFromInline let bounds: SharedRoundBounds
  @usableFromInline let threads: [SerialThread]
  /// Where writers without a thread, and callers, have a later look timed.
  @usableFromInline let timer: SerialThread
  @usableFromInline let perform: Perform
  @usableFromInline let state: Lock<State>

  /// - Parameter threads: Where the writers work, the first one on the first; those without one
  ///   work on Swift's. Nobody else may block these threads: a writer called to a blocked thread
  ///   holds up everything that waits.
  public init(
    _ bounds: SharedRoundBounds, on threads: [SerialThread] = [], perform: @escaping Perform
  ) {
    self.bounds = bounds
    self.threads = threads
    timer = threads.first ?? SerialThread()
    self.perform = perform
    state = Lock(State())
  }

  deinit {
    // They find that nothing is left to wait for.
    for writer in state.withLock({ $0.resting }) { writer.signal() }
  }

  @inlinable public var waitingWeight: Int { state.withLock { $0.weight } }

  @inlinable public var isFull: Bool { waitingWeight >= bounds.waitingMax }

  /// `nil` if too much is waiting. `weight`, from 1, is the item's part of a round; never split.
  @inlinable public func submit(_ item: Item, weight: Int) async -> Answer? {
    await withCheckedContinuation { (continuation: CheckedContinuation<Answer?, Never>) in
      let isTaken = submit(item, weight: weight) { continuation.resume(returning: $0) }
      if !isTaken { continuation.resume(returning: nil) }
    }
  }

  /// The same for callers without a task.
  /// - Parameter done: Gets the answer once, on another thread, perhaps before this returns. Should
  ///   be quick: the round's other answers wait for it.
  /// - Returns: Whether the item was taken; `false`: too much is waiting, and `done` is not called.
  @inlinable public func submit(
    _ item: Item, weight: Int, done: @escaping @Sendable (Answer) -> Void
  ) -> Bool {
    let (isTaken, step) = state.withLock { state -> (Bool, Step) in
      guard state.weight < bounds.waitingMax else { return (false, .nothing) }
      state.items.append(item)
      state.calls.append(Call(weight: weight, done: done))
      state.weight += weight
      if state.kept == nil { state.kept = self }
      return (true, state.nextStep(bounds))
    }
    take(step, on: timer)
    return isTaken
  }

  /// Begins what waits, if it may.
  @inlinable func lookAgain(on thread: SerialThread) {
    let step = state.withLock { state in
      state.isTimed = false
      if let linger = state.linger, linger.end <= .now { state.linger = nil }
      return state.nextStep(bounds)
    }
    take(step, on: thread)
  }

  @inlinable func take(_ step: Step, on thread: SerialThread) {
    switch step {
    case .nothing: break
    case .wake(let writer): writer.signal()
    case .startWriter(let number): startWriter(number)
    case .lookAgain(let instant):
      thread.run(at: instant) { [weak self] in self?.lookAgain(on: thread) }
    }
  }

  /// Never cancelled, and detached: rounds have items of several callers, so nothing of the one
  /// that happens to start it, such as the ids of a request, may be in their work and answers.
  @inlinable func startWriter(_ number: Int) {
    let wakeSignal = WakeSignal()
    let thread = number < threads.count ? threads[number] : nil
    Task.detached(executorPreference: thread) { [weak self] in
      while await self?.write(wakeSignal, thread) != nil { await wakeSignal.wait() }
    }
  }

  /// Processes rounds until none may begin.
  @inlinable func write(_ wakeSignal: WakeSignal, _ thread: SerialThread?) async {
    var finished: Finished?
    while let round = next(after: finished, wakeSignal, thread ?? timer) {
      let answers = await perform(round.items)
      precondition(answers.count == round.calls.count, "an item without an answer")
      for (call, answer) in zip(round.calls, answers) { call.done(answer) }
      finished = Finished(weight: round.weight, count: answers.count)
    }
  }

  /// The oldest items, as many as one round takes; `nil`: the writer rests until `wakeSignal`.
  @inlinable func next(
    after finished: Finished?, _ wakeSignal: WakeSignal, _ thread: SerialThread
  ) -> Round? {
    let (round, step) = state.withLock { state -> (Round?, Step) in
      if let finished { state.finish(finished, bounds) } else { state.coming -= 1 }
      let round = state.begin(bounds)
      if round == nil { state.resting.append(wakeSignal) }
      return (round, state.nextStep(bounds))
    }
    take(step, on: thread)
    return round
  }
}

extension SharedRounds {
  @usableFromInline struct Call: Sendable {
    @usableFromInline let weight: Int
    @usableFromInline let done: @Sendable (Answer) -> Void

    @inlinable init(weight: Int, done: @escaping @Sendable (Answer) -> Void) {
      self.weight = weight
      self.done = done
    }
  }

  @usableFromInline struct Round: Sendable {
    @usableFromInline let items: [Item]
    /// Of each item.
    @usableFromInline let calls: [Call]
    @usableFromInline let weight: Int

    @inlinable init(items: [Item], calls: [Call], weight: Int) {
      self.items = items
      self.calls = calls
      self.weight = weight
    }
  }

  @usableFromInline struct Finished: Sendable {
    @usableFromInline let weight: Int
    @usableFromInline let count: Int

    @inlinable init(weight: Int, count: Int) {
      self.weight = weight
      self.count = count
    }
  }

  /// What a change of the state requires, outside the lock.
  @usableFromInline enum Step: Sendable {
    case nothing
    /// Its number, from 0.
    case startWriter(Int)
    case wake(WakeSignal)
    case lookAgain(at: ContinuousClock.Instant)
  }

  /// INVARIANT: while items wait, a round is under way, a writer is coming, or a look is timed.
  /// Each of these ends with `nextStep`, so no item is forgotten.
  @usableFromInline struct State: Sendable {
    @usableFromInline var items: [Item] = []
    /// Of each item.
    @usableFromInline var calls: [Call] = []
    @usableFromInline var weight = 0
    /// Set while items wait, which are processed even if nobody else refers to this.
    @usableFromInline var kept: SharedRounds?
    @usableFromInline var writers = 0
    @usableFromInline var resting: [WakeSignal] = []
    /// Writers that were started or woken, and have not looked yet.
    @usableFromInline var coming = 0
    @usableFromInline var rounds = 0
    @usableFromInline var underWay = 0
    /// For what weight the next round waits, and until when, if none is under way.
    @usableFromInline var linger: (weight: Int, end: ContinuousClock.Instant)?
    @usableFromInline var isTimed = false

    @usableFromInline init() {}

    /// Whether what waits may leave now, if a writer is free.
    @inlinable func mayBegin(_ bounds: SharedRoundBounds) -> Bool {
      if calls.isEmpty { return false }
      if rounds > 0 { return weight >= min(bounds.anotherFrom, underWay) }
      guard let linger, weight < linger.weight else { return true }
      return ContinuousClock.now >= linger.end
    }

    @inlinable mutating func nextStep(_ bounds: SharedRoundBounds) -> Step {
      // A writer that is coming takes everything, or calls another.
      if coming > 0 { return .nothing }
      guard mayBegin(bounds) else {
        // Also while nothing waits: on a thread that is awake, so that no caller need wake one.
        guard rounds == 0, !isTimed, let linger else { return .nothing }
        isTimed = true
        return .lookAgain(at: linger.end)
      }
      if let writer = resting.popLast() {
        coming += 1
        return .wake(writer)
      }
      guard writers < bounds.writers else { return .nothing }
      writers += 1
      coming += 1
      return .startWriter(writers - 1)
    }

    @inlinable mutating func begin(_ bounds: SharedRoundBounds) -> Round? {
      guard mayBegin(bounds) else { return nil }
      let round = takeOldest(upTo: bounds.roundMax)
      if calls.isEmpty { kept = nil }
      weight -= round.weight
      rounds += 1
      underWay += round.weight
      linger = nil
      return round
    }

    @inlinable mutating func finish(_ round: Finished, _ bounds: SharedRoundBounds) {
      rounds -= 1
      underWay -= round.weight
      // Callers that were just answered usually have more to send, and a small round costs hardly
      // less than a large one.
      guard round.count > 1, bounds.linger > .zero else { return }
      linger = (max(round.weight / 2, min(round.weight, bounds.enough)), .now + bounds.linger)
    }

    @inlinable mutating func takeOldest(upTo roundMax: Int) -> Round {
      if weight <= roundMax {
        defer { (items, calls) = ([], []) }
        return Round(items: items, calls: calls, weight: weight)
      }
      var (count, taken) = (0, 0)
      for call in calls {
        guard count == 0 || taken + call.weight <= roundMax else { break }
        count += 1
        taken += call.weight
      }
      defer {
        items.removeFirst(count)
        calls.removeFirst(count)
      }
      return Round(
        items: Array(items.prefix(count)), calls: Array(calls.prefix(count)), weight: taken)
    }
  }
}

/// How much a `SharedRounds` processes at once, and lets wait.
public struct SharedRoundBounds: Sendable {
  @usableFromInline let roundMax: Int
  @usableFromInline let waitingMax: Int
  @usableFromInline let writers: Int
  @usableFromInline let anotherFrom: Int
  @usableFromInline let enough: Int
  @usableFromInline let linger: Duration

  /// - Parameters:
  ///   - roundMax: The weight of one round; a single item may be heavier.
  ///   - waitingMax: The weight that may wait; further items are rejected.
  ///   - writers: The most rounds at the same time, from 1.
  ///   - anotherFrom: The weight with which another round begins beside others even if more is
  ///     under way; `nil`: half of a round.
  ///   - linger: How long after a round of several the next one waits for as much as was just
  ///     processed, if no other is under way.
  ///   - enough: The weight for which it waits at most, or for half of what was processed if that
  ///     is more: then a round of one half of the callers can be under way beside that of the
  ///     other.
  public init(
    roundMax: Int, waitingMax: Int, writers: Int, anotherFrom: Int? = nil, linger: Duration,
    enough: Int = 1
  ) {
    self.roundMax = roundMax
    self.anotherFrom = anotherFrom ?? roundMax / 2
    self.waitingMax = waitingMax
    self.writers = writers
    self.enough = enough
    self.linger = linger
  }
}
