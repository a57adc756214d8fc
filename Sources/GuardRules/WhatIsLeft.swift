import ShiftDomain

// What an employee is told when a notified incident closes: that tracking has resumed, and within
// which limits, or what still prevents it.

/// The worst remaining impairment of an employee, whatever its origin: one that prevents locating
/// the phone, an accepted or a notified one, or one that is no worse than what was notified of its
/// dimension before. What was due by `now` counts as notified. `nil` if none remains.
public func worstLeft(in state: GuardState, at now: Instant) -> IncidentKind? {
  let known = state.compared(by: now).shift?.notified.kinds ?? []
  var left = state.incidents.filter { incident in
    incident.kind.cannotLocate || incident.isAccepted || incident.wasNotified(by: now)
      || known.kind(of: incident.kind.dimension).map { !incident.kind.isWorse(than: $0) } ?? false
  }.map { $0.kind }
  // On a break there are no new incidents, although the phone may be impossible to locate.
  if let loss = state.shift?.known.state.worstLoss { left.append(loss) }
  return left.worst
}

extension GuardState {
  /// Whether something else may hold than in `before`, so that pending notifications must be
  /// decided again.
  public func mayHoldOther(than before: GuardState) -> Bool {
    func facts(_ state: GuardState) -> [Int32?] {
      let flags: [Int32?] = [
        state.shift?.number, state.shift?.isOnBreak == true ? 1 : 0,
        state.shift?.awaitsReport == true ? 1 : 0,
      ]
      return flags + state.incidents.flatMap { [$0.number, $0.isAccepted ? 1 : 0] }
    }
    return facts(self) != facts(before)
  }
}

extension OpenShift {
  /// Whether its device has taken over and not reported yet: what held before is told until then.
  var awaitsReport: Bool { takenOverAt != nil && report == nil }
}
