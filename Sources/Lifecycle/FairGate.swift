/// Why a gate let somebody not in.
public struct GateBusy: Error, Hashable, Sendable {
  /// Their place in the line, from 1, which is kept for a while; `nil`: the line is full.
  public let place: Int?

  public init(place: Int?) { self.place = place }
}

/// Lets a few in at a time. The others wait in a bounded line, from which the owners take turns:
/// who asks for much waits behind their own requests, not others behind them.
/// INVARIANT: while an owner without a place waits, no other owner is let in twice. Whoever begins
/// to wait or gives a place back goes behind all who are in line then, so nothing has to be
/// remembered about owners who are not.
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
    /// The owners of the tickets in `line`, in the order of their turns.
    var turns: [Owner] = []
    var taken: [Owner: Int] = [:]
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

  /// How many are behind the gate, and how many wait in the line or may come back to their place.
  public var load: (inside: Int, waiting: Int) {
    state.withLock { state in
      state.forgetExpired(at: .now)
      return (state.taken.values.reduce(0, +), state.line.count)
    }
  }

  /// Waits for a place; who comes again for the same `subject` within `keptFor` has kept their
  /// place in the line.
  /// - Throws: `GateBusy` after `patience`, when the task is cancelled, at once if the line is
  ///   full, or when an owner with fewer requests needs the place in the full line.
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
    let (number, displaced) = state.withLock { state -> (UInt64?, Turn?) in
      state.forgetExpired(at: now)
      if let kept = state.takeUpKept(owner, subject) { return (kept, nil) }
      guard state.count(of: owner) < limits.waitingOfOneMax else { return (nil, nil) }
      var displaced: Ticket?
      if state.line.count >= limits.waitingMax {
        displaced = state.makeRoom(for: owner)
        guard displaced != nil else { return (nil, nil) }
      }
      return (state.add(owner, subject, at: now), displaced?.turn)
    }
    displaced?.resume(returning: nil)
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
    let turn = state.withLock { $0.remove(number)?.turn }
    turn?.resume(returning: nil)
  }

  private func leave(_ owner: Owner) {
    let isQuiet = state.withLock { state in
      let count = (state.taken[owner] ?? 0) - 1
      state.taken[owner] = count > 0 ? count : nil
      state.moveBack(owner)
      return !state.line.contains { $0.turn != nil }
    }
    letIn()
    if isQuiet { left() }
  }
}

extension FairGate.State {
  fileprivate func index(of number: UInt64) -> Int? { line.firstIndex { $0.number == number } }

  fileprivate func count(of owner: Owner) -> Int { line.count { $0.owner == owner } }

  /// - Returns: The number of the new ticket.
  fileprivate mutating func add(
    _ owner: Owner, _ subject: String, at now: ContinuousClock.Instant
  ) -> UInt64 {
    lastNumber += 1
    line.append(
      FairGate<Owner>.Ticket(number: lastNumber, owner: owner, subject: subject, arrivedAt: now))
    if !turns.contains(owner) { turns.append(owner) }
    return lastNumber
  }

  /// - Returns: The number of the ticket that was kept; `nil`: none was.
  fileprivate mutating func takeUpKept(_ owner: Owner, _ subject: String) -> UInt64? {
    let kept = line.firstIndex {
      $0.keptUntil != nil && $0.owner == owner && $0.subject == subject
    }
    guard let kept else { return nil }
    line[kept].keptUntil = nil
    return line[kept].number
  }

  fileprivate mutating func remove(_ number: UInt64) -> FairGate<Owner>.Ticket? {
    guard let index = index(of: number) else { return nil }
    let ticket = line.remove(at: index)
    if count(of: ticket.owner) == 0 { turns.removeAll { $0 == ticket.owner } }
    return ticket
  }

  fileprivate mutating func forgetExpired(at now: ContinuousClock.Instant) {
    for ticket in line where ticket.keptUntil.map({ $0 <= now }) ?? false {
      _ = remove(ticket.number)
    }
  }

  /// Takes a ticket of the owner with the most out of a full line, the newest, one that nobody
  /// waits with first: so a few owners cannot keep the others out.
  /// - Returns: `nil`: nobody has more than `owner` would have.
  fileprivate mutating func makeRoom(for owner: Owner) -> FairGate<Owner>.Ticket? {
    let counts = line.reduce(into: [:]) { $0[$1.owner, default: 0] += 1 }
    func rank(_ ticket: FairGate<Owner>.Ticket) -> (Int, Int, UInt64) {
      (counts[ticket.owner] ?? 0, ticket.keptUntil == nil ? 0 : 1, ticket.number)
    }
    guard let last = line.max(by: { rank($0) < rank($1) }),
      counts[last.owner] ?? 0 > count(of: owner) + 1
    else { return nil }
    return remove(last.number)
  }

  /// Puts an owner behind all others in line.
  fileprivate mutating func moveBack(_ owner: Owner) {
    turns.removeAll { $0 == owner }
    if count(of: owner) > 0 { turns.append(owner) }
  }

  /// The owners in line, those with the fewest places first. Sorting is stable.
  private var order: [Owner] { turns.sorted { taken[$0] ?? 0 < taken[$1] ?? 0 } }

  /// Takes the next one out of the line, and a place for them; `nil`: no place, or nobody waits.
  fileprivate mutating func next(_ limits: FairGate<Owner>.Limits) -> FairGate<Owner>.Ticket? {
    guard taken.values.reduce(0, +) < limits.places else { return nil }
    for owner in order where taken[owner] ?? 0 < limits.placesOfOne {
      guard let index = line.firstIndex(where: { $0.owner == owner && $0.turn != nil }) else {
        continue
      }
      let ticket = line.remove(at: index)
      taken[owner, default: 0] += 1
      moveBack(owner)
      return ticket
    }
    return nil
  }

  /// Where a ticket stands if everybody waits: in each round every owner has a turn.
  fileprivate func place(of number: UInt64) -> Int? {
    guard let index = index(of: number) else { return nil }
    let owner = line[index].owner
    let round = line[...index].count { $0.owner == owner }
    var place = 0
    // The owners before it have their turn of the same round earlier, the others later.
    var rounds = round
    for other in order {
      place += other == owner ? round : min(count(of: other), rounds)
      if other == owner { rounds -= 1 }
    }
    return place
  }
}
