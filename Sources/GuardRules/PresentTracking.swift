public import ShiftDomain

extension GuardState {
  /// The tracking state by what the state remembers of the reports, and the newest pings: the same
  /// as by the coverage of the whole shift.
  /// - Parameters:
  ///   - frame: The open shift with its breaks and devices. Its reports and silences are not used,
  ///     and an outage is recorded when it is over.
  ///   - newest: All pings that may count within the longest `fixAgeMax` before `asOf`, each
  ///     device's newest position, and its last ones before those if the shift has a rest or a
  ///     hidden page; others do no harm.
  /// - Returns: `nil` if only all of the shift's records can tell.
  public func trackingState(
    in frame: CoverageFrame, newest: [ReceivedPing], at asOf: Instant
  ) -> TrackingState? {
    guard let shift else { return TrackingState(.offShift, at: asOf) }
    let at = max(asOf, frame.shift.start)
    if frame.breaks.contains(at) { return TrackingState(.onBreak, at: at) }
    if shift.waitsForConfirmation { return TrackingState(not: .notAsked, at: at) }
    guard let marks = shift.reportMarks, marks.newestAt ?? at <= at, shift.askedFrom ?? at <= at,
      let present = PresentContact(frame, newest, marks, at: at), let isTracked = present.isTracked
    else { return nil }
    let impairments = shift.known.state.impairments
    if isTracked {
      return TrackingState(
        impairments.contains { $0.row.isRisk } ? .atRisk : .tracked, at: at)
    }
    guard let isHidden = present.isHidden else { return nil }
    return TrackingState(
      not: impairments.filter { $0.row.reason != nil }.worst?.row.reason
        ?? present.unproven ?? reason(isHidden, present), at: at)
  }

  private func reason(_ isHidden: Bool, _ present: PresentContact) -> CoverageReason {
    if isHidden { return .pageHidden }
    if present.waits { return .waitingFirstFix }
    if present.resumes { return .resuming }
    return self[.contact] == nil ? .noFix : .noContact
  }
}

/// The tracking device's contact at one instant, as `CoveragePositions` counts it.
private struct PresentContact {
  private let frame: CoverageFrame
  private let marks: ReportMarks
  private let at: Instant
  private let turn: TrackingTurn
  /// The signs until `at` that count, in order.
  private let signs: [ReceivedPing]
  /// Whether `signs` has the newest one: before one that does not count, it may not have been read.
  private let knowsSigns: Bool
  private let fixes: [Instant]
  /// Whether `fixes` has one if the shift has one.
  private let knowsFixes: Bool

  /// `nil` soon after a take-over: signs of two devices count then.
  init?(_ frame: CoverageFrame, _ newest: [ReceivedPing], _ marks: ReportMarks, at: Instant) {
    let turns = frame.turns
    guard let turn = turns.turn(at: at) else { return nil }
    let longest = turns.map { $0.fixAgeMax }.max() ?? turn.fixAgeMax
    guard turns.count == 1 || turn.time.start + longest <= at else { return nil }
    let past = newest.filter { $0.effectiveAt <= at }
    let counted = past.counted(in: frame, isOpen: true)
    fixes = counted.filter { $0.fix == .position }.map { $0.effectiveAt }
    // Beside one that is ahead, the newest one before it may not have been read.
    knowsFixes = newest.count { $0.fix == .position } == fixes.count
    signs = counted.filter { $0.device == turn.device }.sorted { $0.effectiveAt < $1.effectiveAt }
    knowsSigns = past.count { $0.device == turn.device } == signs.count
    (self.frame, self.marks, self.at, self.turn) = (frame, marks, at, turn)
  }

  /// `nil` if it cannot be told from the newest pings.
  var isTracked: Bool? {
    var isUnknown = !knowsSigns
    for (place, sign) in signs.enumerated() {
      if sign.fix == .position, counts(until: sign.effectiveAt) { return true }
      let isAtRest = sign.fix == nil && sign.isStationary && counts(until: sign.effectiveAt)
      var isResting = false
      if let until = sign.restEnd {
        let end = announcement(place, until: until)
        if end == nil { isUnknown = true }
        isResting = end.map(counts(until:)) ?? false
      }
      guard isAtRest || isResting else { continue }
      // Before the first position, nothing is still valid.
      if fixes.contains(where: { $0 <= sign.effectiveAt }) { return true }
      if !knowsFixes { isUnknown = true }
    }
    return isUnknown ? nil : false
  }

  /// Whether a sign that lasts until `end` proves a position at this instant.
  private func counts(until end: Instant) -> Bool {
    at < end + turn.fixAgeMax && marks.lostAt.map { $0 < end || at < $0 } ?? true
  }

  /// When an announced rest ended: at `end`, or with the device's next ping or report before that.
  /// `nil` if it may count still and that is not known.
  private func announcement(_ place: Int, until end: Instant) -> Instant? {
    let start = signs[place].effectiveAt
    if marks.lostAt == start { return start }
    let end = min(end, signs[place...].first { $0.effectiveAt > start }?.effectiveAt ?? end)
    guard turn.time.start <= start else { return counts(until: end) ? nil : end }
    guard let newest = marks.newestAt, newest > start else { return end }
    guard let previous = marks.previousAt, previous > start else { return min(end, newest) }
    // The first report after it is not known, only that it came at the latest then.
    return counts(until: min(end, previous)) ? nil : min(end, previous)
  }

  /// `nil` if it cannot be told.
  var isHidden: Bool? {
    guard let last = signs.last?.effectiveAt,
      signs.contains(where: { $0.effectiveAt == last && $0.isHidden })
    else { return false }
    guard turn.time.start <= last else { return nil }
    return marks.newestAt ?? last <= last && marks.lostAt != last
  }

  /// Why the newest fix, which counts still, proves no position.
  var unproven: CoverageReason? {
    guard let last = signs.last(where: { $0.fix != nil })?.effectiveAt, at < last + turn.fixAgeMax
    else { return nil }
    let proofs = signs.filter { $0.effectiveAt == last }.compactMap { $0.fix }
    if proofs.contains(.position) { return nil }
    return proofs.contains(.mock) ? .mockLocation : .lowAccuracy
  }

  var waits: Bool {
    isWaiting(since: frame.beginning)
      || frame.breaks.intervals.contains { isWaiting(since: $0.end) }
      || frame.devices.dropFirst().contains { isWaiting(since: $0.since) }
  }

  var resumes: Bool { marks.restoredAt.map(isWaiting(since:)) ?? false }

  private func isWaiting(since start: Instant) -> Bool {
    start <= at && at < start + turn.fixAgeMax && !fixes.contains { start <= $0 }
  }
}
