import GuardRules
import ShiftDomain

extension World {
  /// The phone takes a position, if it can, and sends it a little later or when it is online.
  mutating func locate() -> Violation? {
    let sight = handsets[0].sight
    guard handsets[0].app != .ended, sight.services == .on,
      sight.authorization == .always || sight.authorization == .whenInUse
    else { return nil }
    // An app keeps at most 12 fixes and drops the oldest.
    if handsets[0].unsentFixes.count >= 12 { handsets[0].unsentFixes.removeFirst() }
    handsets[0].unsentFixes.append(now - .milliseconds(Int64(dice.below(40_000))))
    return dice.oneIn(12) ? nil : sendFixes()
  }

  /// The phone in use sends all unsent positions in one request.
  mutating func sendFixes() -> Violation? {
    let (device, fixes) = (handsets[0].device, handsets[0].unsentFixes)
    guard handsets[0].isOnline, handsets[0].app != .ended, let newest = fixes.max() else {
      return nil
    }
    handsets[0].unsentFixes.removeAll(keepingCapacity: true)
    devices[Int(device)].lastFixAt = newest
    guard let shift = ledger.shift else { return nil }
    let isTracking = device == shift.device
    if isTracking {
      track.hear(at: now)
      if ledger.incident(.contact) != nil || dice.oneIn(16),
        let violation = judge(.signOfLife(.noContact, device: device, at: now), at: now)
      {
        return violation
      }
    }
    let kept = fixes.compactMap { place($0, from: device) }.max()
    guard isTracking, let kept, let open = ledger.shift, !open.isOnBreak,
      ledger.incident(.fix) != nil || dice.oneIn(16)
    else { return nil }
    return judge(.signOfLife(.noFix, device: device, at: kept), at: now)
  }

  /// Lets the rules place a fix, and stores it accordingly.
  /// - Returns: The time for which the fix counts; `nil` when it was refused.
  private mutating func place(_ instant: Instant, from device: Int16) -> Instant? {
    let expected = oracle.placement(of: instant, from: device, now: now)
    let rows = ledger.shift.map { [track.row(of: $0)] } ?? []
    let found = rules.placement(instant, device, rows, now)
    if found != expected, objection == nil {
      objection = "a fix is placed wrongly: \(found) instead of \(expected)"
    }
    guard case .shift = found, let shift = ledger.shift else {
      if expected == .refused(.onBreak) { met.mark(.refusedOnBreak) }
      return nil
    }
    let at = max(instant, shift.startedAt)
    if oracle.isSealed(at) { met.mark(.sealed) }
    track.add(ReceivedPing(device: device, effectiveAt: at, fix: .position))
    return at
  }
}
