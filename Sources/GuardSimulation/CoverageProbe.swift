import GuardRules
import ShiftDomain

/// A shift's coverage beside the rule's own words, at a few instants of it.
struct CoverageProbe {
  private let shift: Interval
  private let fixAgeMax: TimeSpan
  private let devices: [TrackingSpan]
  private let breaks: [Interval]
  private let outages: [Interval]
  private let fixes: [Instant]
  private let contacts: [Instant]
  private let causes: [(interval: Interval, kind: IncidentKind)]
  private let spans: [Span]
  /// As the rules take it.
  let facts: CoverageFacts

  init(_ open: Ledger.Shift, until end: Instant, _ track: Track) {
    let shift = Interval(from: open.startedAt, to: end)
    let breaks = open.breaks.map { Interval(from: $0.start, to: $0.end ?? end) }
    let devices = open.devices
    let tracking = { (instant: Instant) in
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
    contacts =
      track.pings.filter { $0.device == tracking($0.receivedAt) }.map { $0.receivedAt }
      + track.reports.map { $0.received }.filter { $0.device == tracking($0.receivedAt) }
      .map { $0.receivedAt }
    var (causes, spans): ([(Interval, IncidentKind)], [Span]) = ([], [])
    for (place, device) in devices.enumerated() {
      let time = Interval(
        from: device.since, to: place + 1 < devices.count ? devices[place + 1].since : end)
      let own = track.reports.filter { $0.received.device == device.device }
      spans += Self.spans(of: own, during: time, isFirst: place == 0)
      causes += Self.causes(of: own, track, during: time)
    }
    self.causes = causes
    self.spans = spans
    facts = CoverageFacts(
      shift: shift, fixAgeMax: track.fixAgeMax, devices: devices, pings: track.pings,
      reports: track.reports.map { $0.received }, breaks: IntervalSet(breaks),
      outages: IntervalSet(track.outages))
  }

  /// What is wrong with `segments`; `nil` when nothing is.
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
    let explaining = causes.filter { $0.interval.holds(instant) }
    for (kind, reason) in Self.byRank where explaining.contains(where: { $0.kind == kind }) {
      return reason
    }
    if !explaining.isEmpty { return .appTerminated }
    if outages.contains(where: { $0.holds(instant) }) { return .serviceUnavailable }
    let beginnings =
      [shift.start] + breaks.map { $0.end } + devices.dropFirst().map { $0.since }
    if beginnings.contains(where: { isWaiting(at: instant, since: $0) }) {
      return .waitingFirstFix
    }
    let isResuming = spans.contains { span in
      isWaiting(at: instant, since: span.since) && held(at: span.since) == 0
        && held(at: span.since - .milliseconds(1)) != 0
    }
    if isResuming { return .resuming }
    let hasSpoken = contacts.contains { $0 <= instant && instant < $0 + fixAgeMax }
    return hasSpoken ? .noFix : .noContact
  }

  /// Whether `fix` is young enough and no cannot-locate state was entered since.
  private func isSpeaking(_ fix: Instant, at instant: Instant) -> Bool {
    guard shift.start <= fix, fix <= instant, instant < fix + fixAgeMax else { return false }
    return !spans.contains { span in
      fix <= span.since && span.since <= instant && held(at: span.since).isBlind
        && !held(at: span.since - .milliseconds(1)).isBlind
    }
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
    (.notDetermined, .notDetermined), (.accuracyReduced, .accuracyReduced),
    (.whenInUse, .whenInUse),
  ]
}

/// A stretch in which the same impairments held, one bit for each kind.
private struct Span {
  var since: Instant
  var held: UInt16
}

extension CoverageProbe {
  fileprivate typealias Told = (received: ReceivedReport, sight: Sight)

  /// A report's number decides, or the order of receipt, and it holds from the one before at the
  /// earliest; what it does not tell stays as it was. A device that takes over brings what it had
  /// told by then.
  fileprivate static func spans(
    of reports: [Told], during time: Interval, isFirst: Bool
  ) -> [Span] {
    let ordered = reports.sorted { one, other in
      if let first = one.received.report.sequence, let second = other.received.report.sequence {
        return first < second
      }
      if one.received.receivedAt != other.received.receivedAt {
        return one.received.receivedAt < other.received.receivedAt
      }
      return one.received.report.effectiveAt < other.received.report.effectiveAt
    }
    var spans = isFirst ? [] : [Span(since: time.start, held: 0)]
    var known: [IncidentKind?] = [nil, nil, nil]
    var since = Instant(milliseconds: .min)
    for entry in ordered {
      since = max(since, entry.received.report.effectiveAt)
      if since >= time.end { break }
      for (place, dimension) in Sight.dimensions.prefix(3).enumerated() {
        switch entry.sight.impairment(of: dimension) {
        case .unknown: break
        case .none: known[place] = nil
        case .some(let kind): known[place] = kind
        }
      }
      var held: UInt16 = 0
      for case let kind? in known { held |= 1 << UInt16(kind.rawValue) }
      if !isFirst, since <= time.start {
        spans[0].held = held
      } else {
        spans.append(Span(since: since, held: held))
      }
    }
    return spans
  }

  /// A past silence that a report explains: from the end of the app's process to its next sign of
  /// life, or from when the silence began to the report.
  fileprivate static func causes(
    of reports: [Told], _ track: Track, during time: Interval
  ) -> [(Interval, IncidentKind)] {
    var causes: [(Interval, IncidentKind)] = []
    for (received, sight) in reports {
      let report = received.report
      let isLate = reports.contains { other in
        guard let mine = report.sequence, let theirs = other.received.report.sequence
        else { return false }
        return other.received.receivedAt < received.receivedAt && mine < theirs
      }
      let exit = report.appExit.flatMap { $0.cause == .other ? nil : $0 }
      var kind = exit == nil && !isLate ? nil : sight.worst
      if exit?.cause == .userRequested { kind = .appTerminated }
      guard let kind else { continue }
      var signs = reports.map { $0.received.receivedAt }
      for ping in track.pings where ping.device == received.device {
        signs += [ping.receivedAt, ping.effectiveAt]
      }
      let last = signs.filter { $0 < report.effectiveAt }.max()
      guard let start = exit?.at ?? last.map({ $0 + track.fixAgeMax }) else { continue }
      // An app that ended has ended until it shows any sign of life.
      var end = report.effectiveAt
      if exit != nil {
        signs += reports.map { $0.received.report.effectiveAt }
        end = min(end, signs.filter { $0 > start }.min() ?? end)
      }
      let inside = Interval(from: max(start, time.start), to: min(end, time.end))
      if inside.start < inside.end { causes.append((inside, kind)) }
    }
    return causes
  }
}

extension Interval {
  fileprivate func holds(_ instant: Instant) -> Bool { start <= instant && instant < end }
}

extension UInt16 {
  fileprivate func has(_ kind: IncidentKind) -> Bool { self & (1 << UInt16(kind.rawValue)) != 0 }

  fileprivate var isBlind: Bool {
    has(.restricted) || has(.denied) || has(.notDetermined) || has(.servicesOff)
  }

  fileprivate var isRisky: Bool { has(.whenInUse) || has(.accuracyReduced) }
}
