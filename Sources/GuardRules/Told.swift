public import ShiftDomain

/// What each way was last told in a shift, which outlives incidents, breaks and take-overs. What
/// holds is compared with it: worse is an alarm, better is an end, the same is silence.
public struct Told: Hashable, Sendable {
  private var kinds: [EscalationStep: [Dimension: IncidentKind]] = [:]

  public init() {}

  public mutating func alarm(_ kind: IncidentKind, at step: EscalationStep) {
    kinds[step, default: [:]][kind.dimension] = kind
  }

  /// The end of what was told names the worst that is left; `nil`: nothing. Of what was told, the
  /// rest stays that held then, or is better.
  public mutating func end(
    leaving kind: IncidentKind?, holding held: IncidentKindSet, at step: EscalationStep
  ) {
    var left = (kinds[step] ?? [:]).compactMapValues { told in
      held.kind(of: told.dimension).map { $0.isWorse(than: told) ? told : $0 }
    }
    if let kind { left[kind.dimension] = kind }
    kinds[step] = left
  }

  /// Whether `kind` is no news: the way was told the same or worse.
  public func knows(_ kind: IncidentKind, at step: EscalationStep) -> Bool {
    kinds[step]?[kind.dimension].map { !kind.isWorse(than: $0) } ?? false
  }

  /// The ways that were told of something that is over, or has become better.
  /// - Parameter kinds: What holds, one for each dimension.
  public func waysToEnd(holding kinds: [IncidentKind]) -> Set<EscalationStep> {
    Set(
      self.kinds.filter { way in
        way.value.values.contains { told in
          let present = kinds.first { $0.dimension == told.dimension }
          return present.map { told.isWorse(than: $0) } ?? true
        }
      }.keys)
  }
}

extension StepStates {
  /// These, but a way that was told the same or worse counts as reached.
  public func knowing(_ kind: IncidentKind, from told: Told) -> StepStates {
    func state(_ step: EscalationStep, _ state: StepState) -> StepState {
      told.knows(kind, at: step) ? .reached : state
    }
    // Without an open app, what it showed before reaches nobody now.
    return StepStates(
      inApp: inApp == .absent ? .absent : state(.inApp, inApp), push: state(.push, push),
      email: state(.email, email), managers: state(.managers, managers))
  }
}
