public import ShiftDomain

/// What the open app was last notified of in a shift, and when that is compared with what holds:
/// once a debounce for all dimensions, which begins when the two differ and is never restarted.
public struct NotifiedKinds: Hashable, Sendable {
  /// One of each dimension at most; also what the end of something else named as left.
  public var kinds: IncidentKindSet
  /// The first alarm since a comparison last found nothing in the dimension. Later steps count from
  /// it.
  public var alarmedAt: [Dimension: Instant]
  /// The end of the debounce that runs; `nil`: none does.
  public var comparesAt: Instant?

  public init(
    kinds: IncidentKindSet = [], alarmedAt: [Dimension: Instant] = [:], comparesAt: Instant? = nil
  ) {
    self.kinds = kinds
    self.alarmedAt = alarmedAt
    self.comparesAt = comparesAt
  }

  /// - Parameter alarming: What of `holding` is told by an alarm: the rest is only named by ends.
  fileprivate mutating func take(
    _ holding: [IncidentKind], _ alarming: [IncidentKind], at instant: Instant
  ) {
    comparesAt = nil
    kinds = IncidentKindSet(holding)
    let dimensions = alarming.map { $0.dimension }
    alarmedAt = alarmedAt.filter { dimensions.contains($0.key) }
    for dimension in dimensions { alarmedAt[dimension] = alarmedAt[dimension] ?? instant }
  }
}

extension GuardState {
  /// This state by `now`: a comparison that was due has been made.
  public func compared(by now: Instant) -> GuardState {
    guard let at = shift?.notified.comparesAt, at <= now else { return self }
    var state = self
    state.shift?.notified.take(holding, alarming, at: at)
    if holdsLessThanNotified { state.noteLeft(at: at) }
    return state
  }

  /// Whether something is over, or better, that was notified.
  private var holdsLessThanNotified: Bool {
    let (known, present) = (shift?.notified.kinds ?? [], IncidentKindSet(holding))
    return known.kinds.contains { kind in
      present.kind(of: kind.dimension).map { kind.isWorse(than: $0) } ?? true
    }
  }

  /// What is accepted counts as notified once the end of something else names it as left.
  private mutating func noteLeft(at instant: Instant) {
    guard let left = worstLeft(in: self, at: instant),
      let place = incidents.firstIndex(where: { $0.kind == left && $0.isAccepted })
    else { return }
    incidents[place].wasNotifiedBefore = true
    shift?.notified.kinds.insert(IncidentKindSet(left))
  }

  /// Whether `kind` is accepted, and the open app knows it all the same: an end named it as left.
  func hasNamed(_ kind: IncidentKind) -> Bool {
    guard let shift else { return false }
    return shift.accepted.covers(kind) && shift.notified.kinds.contains(IncidentKindSet(kind))
  }

  /// What the employee is to know, and what is accepted as long as they know it.
  fileprivate var holding: [IncidentKind] {
    let known = shift?.notified.kinds ?? []
    let named = incidents.filter { $0.isAccepted && known.contains(IncidentKindSet($0.kind)) }
    return alarming + named.map { $0.kind }
  }

  /// What the employee is to know: not what is accepted, nor that a phone is silent which is known
  /// to be impossible to locate.
  private var alarming: [IncidentKind] {
    let known = shift?.notified.kinds ?? []
    let isExplained = incidents.contains {
      $0.kind.cannotLocate && known.contains(IncidentKindSet($0.kind))
    }
    return incidents.filter { !$0.isAccepted && !($0.kind == .noContact && isExplained) }
      .map { $0.kind }
  }
}

extension GuardStep {
  /// Begins a debounce if something else holds than the open app was notified of, and none runs.
  /// None does on a break, nor before a new device says what holds.
  mutating func compareLater(under policy: Policy, now: Instant) {
    guard let shift = state.shift else { return }
    let waits = shift.isOnBreak || shift.awaitsReport && state.incidents.isEmpty
    if waits || shift.notified.comparesAt == nil {
      let differs = IncidentKindSet(state.holding) != shift.notified.kinds
      state.shift?.notified.comparesAt = differs && !waits ? now + policy.debounce : nil
    }
  }
}
