import GuardRules
import ShiftDomain

/// Checks a shift's coverage against the definition of each reason, at a few instants.
struct CoverageProbe {
  private let shift: Interval
  private let fixAgeMax: TimeSpan
  private let devices: [TrackingSpan]
  private let breaks: [Interval]
  private let outages: [Interval]
  private let fixes: [Instant]
  private let losses: [Instant]
  private var causes: [(interval: Interval, kind: IncidentKind)] = []
  private let spans: [Span]
  private let silences: [SilentSpan]
  /// The form that the rules take.
  let facts: CoverageFacts

  init(_ open: ReferenceState.Shift, until end: Instant, _ track: Track, _ rules: RulesUnderTest) {
    let shift = Interval(from: open.startedAt, to: end)
    let breaks = open.breaks.map { Interval(from: $0.start, to: $0.end ?? end) }
    var devices = open.devices
    for place in devices.indices.dropFirst() { devices[place].freshFor = .seconds(300) }
    let tracking = { [devices] (instant: Instant) in
      (devices.last { $0.since <= instant } ?? devices[0]).device
    }
    self.shift = shift
    self.breaks = breaks
    self.devices = devices
    outages = track.outages
    fixAgeMax = track.fixAgeMax
    fixes = track.pings.filter { ping in
      ping.device == tracking(ping.effectiveAt)
        && !breaks.contains { $0.holds(ping.effectiveAt) }
    }.map { $0.effectiveAt }
    silences = Array(track.silences.values)
    var (turns, spans, losses): ([(Interval, [Placed])], [Span], [Instant]) = ([], [], [])
    for (place, device) in devices.enumerated() {
      let time = Interval(
        from: device.since, to: place + 1 < devices.count ? devices[place + 1].since : end)
      let own = Self.inOrder(track.reports.filter { $0.received.device == device.device })
      spans += Self.spans(of: own, during: time, isFirst: place == 0)
      losses += own.filter {
        $0.truePermission.worstLoss != nil && (place == 0 || time.start <= $0.since)
          && $0.since < time.end
      }.map { $0.since }
      turns.append((time, own))
    }
    self.spans = spans
    self.losses = losses
    let frame = CoverageFrame(
      shift: shift, fixAgeMax: track.stored.fixAgeMax, devices: devices,
      reports: track.reports.map { $0.received }, breaks: IntervalSet(breaks),
      outages: IntervalSet(track.outages), silences: silences)
    facts = CoverageFacts(frame, contactRuns: ContactRuns(rules.counted(track.pings, frame, false)))
    for (time, reports) in turns {
      causes += self.causes(of: reports, during: time) { tracking($0.since) == $0.received.device }
    }
  }

  /// What is wrong with `segments`, or `nil`.
  func objection(to segments: [CoverageSegment], _ dice: inout Dice) -> String? {
    var end = shift.start
    for segment in segments {
      if segment.interval.start != end || segment.interval.end <= end {
        return "coverage has a gap, an overlap or an empty part"
      }
      end = segment.interval.end
    }
    if end != shift.end { return "coverage does not sum to the shift" }
    let length = Int(truncatingIfNeeded: shift.length.milliseconds)
    for _ in 0..<4 {
      let offset = dice.below(length)
      let instant = shift.start + .milliseconds(Int64(offset))
      let expected = reason(at: instant)
      let found = segments.first { $0.interval.holds(instant) }
      if found?.reason != expected {
        return "coverage says \(found?.reason.code ?? "nothing") \(offset) ms into the shift, "
          + "instead of \(expected.code)"
      }
      let isAtRisk = expected == .tracked && held(at: instant).isRisky
      if found?.isAtRisk != isAtRisk { return "coverage is wrong about the risk" }
    }
    return nil
  }

  /// The first reason that applies at `instant`.
  private func reason(at instant: Instant) -> CoverageReason {
    if breaks.contains(where: { $0.holds(instant) }) { return .onBreak }
    if fixes.contains(where: { isSpeaking($0, at: instant) }) { return .tracked }
    let now = held(at: instant)
    for (kind, reason) in Self.byRank where now.has(kind) { return reason }
    if outages.contains(where: { $0.holds(instant) }) { return .serviceUnavailable }
    // Of several reports, the first gives the cause.
    if let cause = causes.first(where: { $0.interval.holds(instant) })?.kind {
      return Self.byRank.first { $0.0 == cause }?.1 ?? .appTerminated
    }
    let takeOvers = devices.dropFirst().map { $0.since }
    let beginnings = [shift.start] + breaks.map { $0.end } + takeOvers
    if beginnings.contains(where: { isWaiting(at: instant, since: $0) }) {
      return .waitingFirstFix
    }
    // A report that another replaces at the same instant was never in force.
    let isResuming = spans.contains { span in
      held(at: span.since - .milliseconds(1)).isBlind && !held(at: span.since).isBlind
        && !takeOvers.contains(span.since) && isWaiting(at: instant, since: span.since)
    }
    if isResuming { return .resuming }
    for kind in [SilenceKind.noContact, .noFix]
    where silences.contains(where: { $0.kind == kind && $0.interval.holds(instant) }) {
      return kind == .noContact ? .noContact : .noFix
    }
    let isBeforeSilence = silences.contains { silence in
      silence.kind == .noContact && isInOneGap(instant, silence.interval.start)
    }
    return isBeforeSilence ? .noContact : .noFix
  }

  /// Whether an instant in a gap and the later opening of a silence lie in the same gap: no tracked
  /// time and no break between them.
  private func isInOneGap(_ instant: Instant, _ opening: Instant) -> Bool {
    instant < opening && opening < shift.end
      && !fixes.contains {
        instant < $0 && $0 <= opening && shift.start <= $0 && isSpeaking($0, at: $0)
      }
      && !breaks.contains { $0.start <= opening && instant < $0.end && $0.start < $0.end }
  }

  /// Whether `fix` is recent enough, and no later report says that the phone cannot be located.
  private func isSpeaking(_ fix: Instant, at instant: Instant) -> Bool {
    guard shift.start <= fix, fix <= instant, instant < fix + fixAgeMax else { return false }
    return !losses.contains { fix <= $0 && $0 <= instant }
  }

  private func isWaiting(at instant: Instant, since start: Instant) -> Bool {
    start <= instant && instant < start + fixAgeMax
      && !fixes.contains { start <= $0 && $0 <= instant }
  }

  private func held(at instant: Instant) -> UInt16 {
    spans.last { $0.since <= instant }?.held ?? 0
  }

  private static let byRank: [(IncidentKind, CoverageReason)] = [
    (.restricted, .restricted), (.servicesOff, .servicesOff), (.denied, .denied),
    (.notDetermined, .notDetermined),
  ]
}

/// A period with the same impairments, one bit for each kind.
private struct Span {
  var since: Instant
  var held: UInt16
}

extension CoverageProbe {
  fileprivate typealias Received = (received: ReceivedReport, truePermission: TruePermission)
  fileprivate typealias Placed = (
    received: ReceivedReport, truePermission: TruePermission, since: Instant
  )

  /// Sorts reports by sequence number, or by receipt. A report counts at the earliest from the one
  /// before.
  fileprivate static func inOrder(_ reports: [Received]) -> [Placed] {
    let ordered = reports.sorted { one, other in
      if let first = one.received.report.sequence, let second = other.received.report.sequence {
        return first < second
      }
      if one.received.receivedAt != other.received.receivedAt {
        return one.received.receivedAt < other.received.receivedAt
      }
      return one.received.report.effectiveAt < other.received.report.effectiveAt
    }
    var since = Instant(milliseconds: .min)
    return ordered.map { entry in
      since = max(since, entry.received.report.effectiveAt)
      return (entry.received, entry.truePermission, since)
    }
  }

  /// Values that a report does not contain stay. A device that takes over keeps its reports of the
  /// last five minutes.
  fileprivate static func spans(
    of reports: [Placed], during time: Interval, isFirst: Bool
  ) -> [Span] {
    var spans = isFirst ? [] : [Span(since: time.start, held: 0)]
    var known = [IncidentKind?](repeating: nil, count: TruePermission.dimensions.count)
    for entry in reports where entry.since < time.end {
      if !isFirst, entry.since < time.start - .seconds(300) { continue }
      for (place, dimension) in TruePermission.dimensions.enumerated() {
        switch entry.truePermission.impairment(of: dimension) {
        case .unknown: break
        case .none: known[place] = nil
        case .some(let kind): known[place] = kind
        }
      }
      var held: UInt16 = 0
      for case let kind? in known { held |= 1 << UInt16(kind.rawValue) }
      if !isFirst, entry.since < time.start {
        spans[0].held = held
      } else {
        spans.append(Span(since: entry.since, held: held))
      }
    }
    return spans
  }

  /// The silences that a report explains, from the end of the app's process to the report. The
  /// report must count in the silence, or before it in the same gap, and must not be received
  /// before the silence began.
  fileprivate func causes(
    of reports: [Placed], during time: Interval, where isOfTracking: (Placed) -> Bool
  ) -> [(Interval, IncidentKind)] {
    var causes: [(Interval, IncidentKind)] = []
    for (place, entry) in reports.enumerated() where isOfTracking(entry) {
      guard let exit = entry.received.report.appExit,
        place == 0 || reports[place - 1].since < exit.at,
        let kind = entry.truePermission.worstLoss
          ?? (exit.cause == .userRequested ? IncidentKind.appTerminated : nil)
      else { continue }
      let isInGap =
        shift.start <= entry.since && !fixes.contains { isSpeaking($0, at: entry.since) }
      let explains = silences.contains { silence in
        let (opening, end) = (silence.interval.start, silence.interval.end)
        // An open silence lasts no longer than the shift.
        let isOver = entry.since > (end.milliseconds == .max ? shift.end : end)
        return silence.kind == .noContact && silence.device == entry.received.device
          && opening <= entry.received.receivedAt && !isOver
          && (opening <= entry.since || (isInGap && isInOneGap(entry.since, opening)))
      }
      let inside = Interval(from: max(exit.at, time.start), to: min(entry.since, time.end))
      if explains, inside.start < inside.end { causes.append((inside, kind)) }
    }
    return causes
  }
}

extension Interval {
  fileprivate func holds(_ instant: Instant) -> Bool { start <= instant && instant < end }
}

extension UInt16 {
  fileprivate func has(_ kind: IncidentKind) -> Bool { self & (1 << UInt16(kind.rawValue)) != 0 }

  fileprivate var isBlind: Bool { self & blindKinds != 0 }

  fileprivate var isRisky: Bool { self & riskyKinds != 0 }
}

private let blindKinds = bits { $0.blinds }
private let riskyKinds = bits { $0.endangers }

private func bits(_ isWanted: (IncidentKind) -> Bool) -> UInt16 {
  IncidentKind.allCases.filter(isWanted).reduce(0) { $0 | 1 << UInt16($1.rawValue) }
}
