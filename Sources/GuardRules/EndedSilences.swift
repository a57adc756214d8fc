public import ShiftDomain

// The record of silences that are over. What comes later may take time out of one (a rest, hidden
// time or position, a break or take-over), or let it begin earlier (what ended a rest). Until it is
// over `silenceEvents` does this.

/// A device's last receipt before a long time without one, and the next; without one so far, the
/// end of time.
public struct ReceiptGap: Hashable, Sendable {
  public var device: Int16
  public var interval: Interval

  public init(of device: Int16, _ interval: Interval) {
    self.device = device
    self.interval = interval
  }

  fileprivate func begins(like other: ReceiptGap) -> Bool {
    device == other.device && interval.start == other.interval.start
  }
}

/// A silence that is over, as it must be on record.
public struct EndedSilence: Hashable, Sendable {
  public let kind: SilenceKind
  public let device: Int16
  public let interval: Interval
  /// What ended it, if it ends otherwise than on record.
  public let closing: IncidentClosing
  /// Of no contact: the last receipt before it, if that is known.
  public let silentSince: Instant?
  /// Of no contact: its cause, by the reports.
  public let explanation: IncidentKind?
}

extension EndedSilence {
  fileprivate func overlaps(_ other: SilentSpan) -> Bool {
    kind == other.kind && device == other.device && interval.overlaps(other.interval)
  }
}

extension CoverageFacts {
  /// Whether the record of silences that are over must become another.
  public var changesSilences: Bool {
    Set(endedSilences.map { SilentSpan($0.kind, of: $0.device, during: $0.interval) })
      != Set(frame.endedSilences.map { SilentSpan($0.kind, of: $0.device, during: $0.interval) })
  }

  /// What must be on record of silences that are over, in any order.
  public var endedSilences: [EndedSilence] {
    let isNone = frame.endedSilences.isEmpty && frame.keptReceiptGaps?.isEmpty ?? true
    return isNone ? [] : SilenceRecord(self).silences
  }
}

/// Computes what the record of ended silences must be.
private struct SilenceRecord {
  private(set) var silences: [EndedSilence] = []
  private let facts: CoverageFacts
  private let timeline: StateTimeline
  private let turns: [TrackingTurn]
  private var frame: CoverageFrame { facts.frame }

  init(_ facts: CoverageFacts) {
    self.facts = facts
    timeline = StateTimeline(facts.frame)
    turns = facts.frame.turns
    let gaps = facts.frame.receiptGaps
    for gap in gaps ?? [] { add(gap) }
    let onlyCut = frame.endedSilences.filter {
      $0.kind == .noContact && (gaps == nil || $0.silentSince == nil)
    }
    for silence in onlyCut where !silences.contains(where: { $0.overlaps(silence) }) {
      add(silence, during: remains(of: silence))
    }
    // A missing position is not recorded where these say more.
    let contact = silences.map { $0.interval }
    let outranking = IntervalSet(contact + timeline.unlocatable.flatMap { $0.time.intervals })
    for silence in frame.endedSilences where silence.kind == .noFix {
      let proofs = proofs(of: silence.device, until: silence.interval.end)
      let remains = evidence(of: silence.device, at: silence.interval.start)
        .parts(of: remains(of: silence, without: proofs), unlessLostIn: contact)
      add(
        silence,
        during: remains.filter {
          $0.start == silence.interval.start || !outranking.contains($0.start)
        })
    }
  }

  /// A silence on record of which this much remains.
  private mutating func add(_ silence: SilentSpan, during remains: [Interval]) {
    for interval in remains {
      add(silence.kind, of: silence.device, during: interval, since: silence.silentSince)
    }
  }

  /// The silences of contact in `gap`, whatever is on record.
  private mutating func add(_ gap: ReceiptGap) {
    let (start, receipt) = (frame.shift.start, frame.offlineReceipt ?? frame.shift.start)
    for turn in turns where turn.device == gap.device {
      let span = IntervalSet([gap.interval])
        .intersection(IntervalSet([turn.time])).intersection(IntervalSet([frame.shift])).intervals
      guard let span = span.first else { continue }
      let signs = [
        Interval(from: gap.interval.start, to: gap.interval.start),
        Interval(from: start, to: receipt), Interval(from: turn.time.start, to: turn.time.start),
      ]
      let excused = timeOff(gap.device) + announced(by: gap.device, until: span.end)
      let evidence = SilenceEvidence(fixAgeMax: turn.fixAgeMax, outages: frame.outages)
      for interval in evidence.remains(of: span, without: signs + excused)
      where interval.end < Instant(milliseconds: .max) {
        add(.noContact, of: gap.device, during: interval, since: gap.interval.start)
      }
    }
  }

  private mutating func add(
    _ kind: SilenceKind, of device: Int16, during interval: Interval, since receipt: Instant?
  ) {
    let reports = kind == .noContact ? timeline.reports[device] ?? [] : []
    let cause = reports.cause(of: interval, since: receipt ?? interval.start - frame.fixAgeMax)
    silences.append(
      EndedSilence(
        kind: kind, device: device, interval: interval, closing: frame.ending(interval, in: turns),
        silentSince: receipt, explanation: cause))
  }

  private func remains(of silence: SilentSpan, without proofs: [Interval] = []) -> [Interval] {
    let (device, interval) = (silence.device, silence.interval)
    return evidence(of: device, at: interval.start).remains(
      of: interval,
      without: timeOff(device) + announced(by: device, until: interval.end) + proofs)
  }

  private func evidence(of device: Int16, at instant: Instant) -> SilenceEvidence {
    let turn = turns.filter { $0.device == device }.turn(at: instant)
    return SilenceEvidence(
      fixAgeMax: turn?.fixAgeMax ?? frame.fixAgeMax, outages: frame.outages)
  }

  /// When `device` did not have to track.
  private func timeOff(_ device: Int16) -> [Interval] {
    frame.breaks.intervals + frame.notAsked.intervals
      + turns.filter { $0.device != device }.map { $0.time }
  }

  /// Its rests and hidden times, each up to the next ping or report.
  private func announced(by device: Int16, until end: Instant) -> [Interval] {
    guard let runs = facts.contactRuns.devices.first(where: { $0.device == device }) else {
      return []
    }
    let reports = timeline.reportTimes(of: device)
    return (runs[.rest] + runs[.hidden]).filter { $0.first < end }.map { run in
      let next = reports[reports.firstIndex(from: run.first + .milliseconds(1))...].first
      return Interval(from: run.first, to: min(run.last, next ?? end, end))
    }
  }

  /// Its signs that count as a position: at rest it has one only after a fix in the shift.
  private func proofs(of device: Int16, until end: Instant) -> [Interval] {
    guard let runs = facts.contactRuns.devices.first(where: { $0.device == device }) else {
      return []
    }
    let first = facts.contactRuns.devices.flatMap { $0.fixes }.map { $0.first }.min()
    guard let first else { return [] }
    let atRest = runs[.stationary].filter { $0.last >= first }
    return (runs.fixes + atRest).map { Interval(from: max($0.first, first), to: $0.last) }
  }
}

extension SilenceEvidence {
  /// These silences of positions, each from L after the end of the silence of contact that was due
  /// before it opened.
  fileprivate func parts(of silences: [Interval], unlessLostIn contact: [Interval]) -> [Interval] {
    silences.flatMap { silence in
      let lost = contact.filter {
        $0.start <= silence.start + fixGrace && $0.end > silence.start
      }.map { Interval(from: min($0.start, silence.start), to: $0.end) }
      return lost.isEmpty
        ? [silence] : parts(of: remains(of: silence, without: lost), unlessLostIn: contact)
    }
  }
}

extension DeviceContactRuns {
  fileprivate var fixes: [ContactRun] { self[.fix] + self[.mock] + self[.coarse] }
}

extension CoverageFrame {
  fileprivate var endedSilences: [SilentSpan] {
    silences.filter {
      $0.interval.start < $0.interval.end && $0.interval.end < Instant(milliseconds: .max)
    }
  }

  /// All receipt gaps, also those known by the silences on record; `nil`: not all are known.
  fileprivate var receiptGaps: [ReceiptGap]? {
    guard var gaps = keptReceiptGaps else { return nil }
    let recorded = endedSilences.compactMap { silence in
      silence.silentSince.map { since in
        ReceiptGap(of: silence.device, Interval(from: since, to: silence.interval.end))
      }
    }
    // Of one, several silences may be on record: only the last ended with it.
    for gap in recorded.sorted(by: { $0.interval.end > $1.interval.end })
    where !gaps.contains(where: { $0.begins(like: gap) }) { gaps.append(gap) }
    // The watch over silence closes what is open first.
    let open = silences.filter {
      $0.kind == .noContact && $0.interval.end == Instant(milliseconds: .max)
    }
    return gaps.filter { gap in
      !open.contains { $0.device == gap.device && $0.interval.start < gap.interval.end }
    }.sorted { $0.interval.start < $1.interval.start }
  }

  /// What ended a silence that lasts no longer than `part`.
  fileprivate func ending(_ part: Interval, in turns: [TrackingTurn]) -> IncidentClosing {
    func starts(_ times: [Interval]) -> Bool { times.contains { $0.start == part.end } }
    if starts(breaks.intervals) { return .breakStarted }
    if starts(notAsked.intervals) || part.end == shift.end { return .shiftEnded }
    return starts(turns.map { $0.time }) ? .deviceChanged : .resumed
  }
}
