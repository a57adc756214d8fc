import GuardRules
import ShiftDomain

// The shift that a fix belongs to.

extension Oracle {
  /// The expected placement of a fix that `device` recorded at `instant`, if it arrives now. A fix
  /// from before the server received the start of an open break is stored: the end of the break
  /// will show whether the fix lies within it.
  func placement(of instant: Instant, from device: Int16, now: Instant) -> PingPlacement {
    if now - instant > .hours(168) { return .refused(.tooLate) }
    guard let shift, let first = shift.trackers.first else { return .refused(.noShift) }
    if instant < shift.startedAt {
      // The times of the clock-in and of the fix are corrected separately, so they may differ a
      // little.
      guard device == first.device, shift.startedAt - instant <= .seconds(1) else {
        return .refused(.noShift)
      }
      return isRefusedByBreak(shift.startedAt) ? .refused(.onBreak) : .shift(shift.number)
    }
    if isRefusedByBreak(instant) { return .refused(.onBreak) }
    let tracker = shift.trackers.last { $0.since <= instant } ?? first
    return tracker.device == device ? .shift(shift.number) : .refused(.notTrackingDevice)
  }

  /// Whether a stored fix from `instant` lies in the open break, as far as is known.
  func isSealed(_ instant: Instant) -> Bool {
    guard let pause = shift?.breaks.last, pause.end == nil else { return false }
    return pause.start <= instant
  }

  private func isRefusedByBreak(_ instant: Instant) -> Bool {
    shift?.breaks.contains { pause in
      guard let end = pause.end else { return max(pause.start, pause.receivedAt) <= instant }
      return pause.start <= instant && instant < end
    } ?? false
  }
}
