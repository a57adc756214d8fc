/// Why a gate let somebody not in.
public struct GateBusy: Error, Hashable, Sendable {
  /// Their place in the line, from 1, which is kept for a while; `nil`: the line is full.
  public let place: Int?

  public init(place: Int?) { self.place = place }
}

/// Lets a few in at a time. The others wait in a bounded line, from which the owners take turns:
/// who asks for much waits behind their own requests, not others behind them.
public final class FairGate<Owner: Hashable & Sendable>: Sendable {
  public struct Limits: Sendable {
    public var places = 2
    public var placesOfOne = 1
    public var waitingMax = 64
    public var waitingOfOneMax = 16
    /// How long a place in the line is kept for those who stopped waiting and come again.
    public var keptFor = Duration.seconds(15)

    public init() {}
  }

  /// A place behind the gate, until the last reference is gone.
  public final class Place: Sendable {
    private let gate: FairGate
    private let owner: Owner

    fileprivate init(_ gate: FairGate, _ owner: Owner) { (self.gate, self.owner) = (gate, owner) }

    deinit { gate.leave(owner) }
  }

  fileprivate typealias Turn = CheckedContinuation<Place?, Never>

  fileprivate struct Ticket {
    let number: UInt64
    let owner: Owner
    let subject: String
    let arrivedAt: ContinuousClock.Instant
    /// `nil`: nobody waits with this ticket now.
    var turn: Turn?
    /// Until when it is kept; `nil`: somebody waits, or is about to.
    var keptUntil: ContinuousClock.Instant?
  }

  fileprivate struct State {
    /// By arrival.
    var line: [Ticket] = []
    var taken: [Owner: Int] = [:]
    /// When each of the owners here was last let in, as a number that grows.
    var lastTurns: [Owner: UInt64] = [:]
    var lastNumber: UInt64 = 0
  }

  private let limits: Limits
  private let waited: @Sendable (Duration) -> Void
  private let left: @Sendable () -> Void
  private let state = Lock(State())

  /// - Parameters:
  ///   - waited: Hears how long each waited who was let in; must return quickly.
  ///   - left: Called when a place is free and nobody waits for it; must return quickly.
  public init(
    _ limits: Limits = Limits(), waited: @escaping @Sendable (Duration) -> Void = { _ in },
    left: @escaping @Sendable () -> Void = {}
  ) {
    self.limits = limits
    self.waited = waited
    self.left = left
  }

  /// How many are behind the gate, and how many wait in the line.
  public var load: (inside: Int, waiting: Int) {
    state.withLock { ($0.taken.values.reduce(0, +), $0.line.count) }
  }

  /// Waits for a place; who comes again for the same `subject` within `keptFor` has kept their
  /// place in the line.
  /// - Throws: `GateBusy` after `patience`, when the task is cancelled, or at once if the line is
  ///   full.
  public func enter(_ owner: Owner, for subject: String, patience: Duration)
    async throws(GateBusy) -> Place
  {
    let number = try takeTicket(owner, subject)
    async let _: Void = giveUp(number, after: patience)
    let place = await withTaskCancellationHandler {
      await withCheckedContinuation { wait(with: number, $0) }
    } onCancel: {
      drop(number)
    }
    if let place { return place }
    throw GateBusy(place: state.withLock { $0.place(of: number) })
  }

  private func takeTicket(_ owner: Owner, _ subject: String) throws(GateBusy) -> UInt64 {
    let now = ContinuousClock.now
    let number = state.withLock { state -> UInt64? in
      state.line.removeAll { $0.keptUntil.map { $0 <= now } ?? false }
      if let kept = state.line.firstIndex(where: {
        $0.keptUntil != nil && $0.owner == owner && $0.subject == subject
      }) {
        state.line[kept].keptUntil = nil
        return state.line[kept].number
      }
      guard state.line.count < limits.waitingMax,
        state.line.count(where: { $0.owner == owner }) < limits.waitingOfOneMax
      else { return nil }
      state.lastNumber += 1
      state.line.append(
        Ticket(number: state.lastNumber, owner: owner, subject: subject, arrivedAt: now))
      return state.lastNumber
    }
    guard let number else { throw GateBusy(place: nil) }
    return number
  }

  private func wait(with number: UInt64, _ turn: Turn) {
    let isThere = state.withLock { state in
      guard let index = state.index(of: number), state.line[index].keptUntil == nil else {
        return false
      }
      state.line[index].turn = turn
      return true
    }
    // Given up or cancelled before it began.
    guard isThere else { return turn.resume(returning: nil) }
    letIn()
  }

  /// Lets in as many as there are places.
  private func letIn() {
    while let ticket = state.withLock({ $0.next(limits) }) {
      waited(ticket.arrivedAt.duration(to: .now))
      ticket.turn?.resume(returning: Place(self, ticket.owner))
    }
  }

  private func giveUp(_ number: UInt64, after patience: Duration) async {
    do { try await Task.sleep(for: patience) } catch { return }
    let turn = state.withLock { state -> Turn? in
      guard let index = state.index(of: number) else { return nil }
      state.line[index].keptUntil = .now + limits.keptFor
      return state.line[index].turn.take()
    }
    turn?.resume(returning: nil)
  }

  private func drop(_ number: UInt64) {
    let turn = state.withLock { state -> Turn? in
      guard let index = state.index(of: number) else { return nil }
      return state.line.remove(at: index).turn
    }
    turn?.resume(returning: nil)
  }

  private func leave(_ owner: Owner) {
    let isQuiet = state.withLock { state in
      let count = (state.taken[owner] ?? 0) - 1
      state.taken[owner] = count > 0 ? count : nil
      if state.taken[owner] == nil, !state.line.contains(where: { $0.owner == owner }) {
        state.lastTurns[owner] = nil
      }
      return !state.line.contains { $0.turn != nil }
    }
    letIn()
    if isQuiet { left() }
  }
}

extension FairGate.State {
  fileprivate func index(of number: UInt64) -> Int? { line.firstIndex { $0.number == number } }

  /// Takes the next one out of the line, and a place for them; `nil`: no place, or nobody waits.
  /// The owner with the fewest places is next, among these the one whose last turn is longest ago.
  fileprivate mutating func next(_ limits: FairGate<Owner>.Limits)
    -> FairGate<Owner>.Ticket?
  {
    guard taken.values.reduce(0, +) < limits.places else { return nil }
    let waiting = line.filter { $0.turn != nil && taken[$0.owner] ?? 0 < limits.placesOfOne }
    let next = waiting.min { rank(of: $0) < rank(of: $1) }
    guard let next, let index = index(of: next.number) else { return nil }
    taken[next.owner, default: 0] += 1
    lastNumber += 1
    lastTurns[next.owner] = lastNumber
    return line.remove(at: index)
  }

  private func rank(of ticket: FairGate<Owner>.Ticket) -> (Int, UInt64, UInt64) {
    (taken[ticket.owner] ?? 0, lastTurns[ticket.owner] ?? 0, ticket.number)
  }

  /// Where a ticket stands if everybody waits: in each round every owner has a turn.
  fileprivate func place(of number: UInt64) -> Int? {
    guard let index = index(of: number) else { return nil }
    let owner = line[index].owner
    let round = line[...index].count { $0.owner == owner }
    var rounds: [Owner: Int] = [:]
    return line.count { ticket in
      let its = (rounds[ticket.owner] ?? 0) + 1
      rounds[ticket.owner] = its
      return its < round || its == round && ticket.number <= number
    }
  }
}
