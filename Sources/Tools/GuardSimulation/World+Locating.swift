import GuardRules
import ShiftDomain

extension World {
  /// The phone takes a position, if it can, and sends it a little later or when it is online.
  mutating func locate() -> Violation? {
    let truePermission = phones[0].truePermission
    guard phones[0].app != .ended, truePermission.services == .on,
      truePermission.authorization == .always || truePermission.authorization == .whenInUse
    else { return nil }
    // An app keeps at most 12 fixes and drops the oldest.
    if phones[0].unsentFixes.count >= 12 { phones[0].unsentFixes.removeFirst() }
    phones[0].unsentFixes.append(now - .milliseconds(Int64(dice.below(40_000))))
    return dice.oneIn(12) ? nil : sendFixes()
  }

  /// The phone in use sends all unsent positions in one request.
  mutating func sendFixes() -> Violation? {
    let (device, fixes) = (phones[0].device, phones[0].unsentFixes)
    guard phones[0].isOnline, phones[0].app != .ended, let newest = fixes.max() else {
      return nil
    }
    phones[0].unsentFixes.removeAll(keepingCapacity: true)
    devices[Int(device)].lastFixAt = newest
    guard let shift = reference.shift else { return nil }
    let isTracking = device == shift.device
    if isTracking {
      track.recordContact(at: now)
      if reference.incident(.contact) != nil || dice.oneIn(16),
        let violation = judge(.signOfLife(.noContact, device: device, at: now), at: now)
      {
        return violation
      }
    }
    let kept = fixes.compactMap { place($0, from: device) }.max()
    guard isTracking, let kept, let open = reference.shift, !open.isOnBreak,
      reference.incident(.fix) != nil || dice.oneIn(16)
    else { return nil }
    return judge(.signOfLife(.noFix, device: device, at: kept), at: now)
  }

  /// Lets the rules place a fix, and stores it accordingly.
  /// - Returns: The time for which the fix counts; `nil` when it was refused.
  private mutating func place(_ instant: Instant, from device: Int16) -> Instant? {
    let expected = oracle.placement(of: instant, from: device, now: now)
    let rows = reference.shift.map { [track.row(of: $0)] } ?? []
    let found = rules.placement(instant, device, rows, now)
    if found != expected, objection == nil {
      objection = "a fix is placed wrongly: \(found) instead of \(expected)"
    }
    guard case .shift = found, let shift = reference.shift else {
      if expected == .refused(.onBreak) { caseCoverage.mark(.refusedOnBreak) }
      return nil
    }
    let at = max(instant, shift.startedAt)
    if oracle.isSealed(at) { caseCoverage.mark(.sealed) }
    track.add(ReceivedPing(device: device, effectiveAt: at, fix: .position))
    return at
  }
}
