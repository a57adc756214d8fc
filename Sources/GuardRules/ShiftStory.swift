public import ShiftDomain

/// An incident as the story of its shift places it.
public struct ToldIncident: Hashable, Sendable {
  public var number: Int32
  public var kind: IncidentKind
  /// In the far future while it is open.
  public var interval: Interval
  /// Of a silence: when what the phone had recorded had arrived, if that was after its end.
  public var arrivedAt: Instant?

  public init(
    _ number: Int32, _ kind: IncidentKind, during interval: Interval, arrivedAt: Instant? = nil
  ) {
    self.number = number
    self.kind = kind
    self.interval = interval
    self.arrivedAt = arrivedAt
  }
}

/// How one correction changed the span of a shift.
public struct ToldCorrection: Hashable, Sendable {
  public var number: Int16
  public var at: Instant
  public var old: ShiftSpan
  public var new: ShiftSpan
  /// How the shift had ended before it; `nil` if it was open.
  public var oldEnding: ShiftEnding?

  public init(
    _ number: Int16, at: Instant, from old: ShiftSpan, endedBy oldEnding: ShiftEnding?,
    to new: ShiftSpan
  ) {
    self.number = number
    self.at = at
    self.old = old
    self.new = new
    self.oldEnding = oldEnding
  }
}

/// What is recorded of a shift, as far as its story is decided by it.
public struct StoryRecords: Hashable, Sendable {
  /// Its present span.
  public var span: ShiftSpan
  public var openedBy: ShiftOpening
  public var ending: ShiftEnding?
  /// When somebody else entered it, if that was later than its start.
  public var enteredAt: Instant?
  /// When clock actions and reports were received that came late, by the times that they tell of.
  public var lateReceipts: [Instant: Instant]
  /// The phone on which a shift that somebody else had opened was confirmed.
  public var confirmation: TrackingSpan?
  /// In order, without the confirmation.
  public var takeOvers: [TrackingSpan]
  /// In order.
  public var corrections: [ToldCorrection]
  /// The shift's coverage.
  public var segments: [CoverageSegment]
  public var incidents: [ToldIncident]
  /// When the employee was away from all sites, in order.
  public var away: [AwaySpan]
  /// What was said about the shift; the story only puts it in its place.
  public var remarks: [StoryEntry]

  public init(
    span: ShiftSpan, openedBy: ShiftOpening, ending: ShiftEnding? = nil,
    enteredAt: Instant? = nil, lateReceipts: [Instant: Instant] = [:],
    confirmation: TrackingSpan? = nil, takeOvers: [TrackingSpan] = [],
    corrections: [ToldCorrection] = [],
    segments: [CoverageSegment], incidents: [ToldIncident] = [], away: [AwaySpan] = [],
    remarks: [StoryEntry] = []
  ) {
    (self.span, self.openedBy, self.ending) = (span, openedBy, ending)
    (self.enteredAt, self.lateReceipts) = (enteredAt, lateReceipts)
    (self.confirmation, self.takeOvers, self.corrections) = (confirmation, takeOvers, corrections)
    (self.segments, self.incidents) = (segments, incidents)
    (self.away, self.remarks) = (away, remarks)
  }
}

/// What an entry tells. Numbers are those of the shift's lists.
public enum StoryContent: Hashable, Sendable {
  case opened(ShiftOpening)
  case confirmed(device: Int16)
  case tookOver(device: Int16)
  /// A span of the coverage, with the incidents that it says everything about.
  case spent(CoverageSegment, incidents: [Int32])
  /// An incident beside the spans: positions came all the same, or something else was worse.
  case impaired(incident: Int32)
  /// The phone was silent, and what it had recorded arrived afterwards.
  case offline(incident: Int32)
  /// The place of a notification in the list of those about the shift.
  case notified(Int)
  /// The place of a visit in the list of visits.
  case visited(Int)
  /// Off all sites, beside the spans of the coverage.
  case away
  case noted(Int16)
  case corrected(Int16)
  case timesConfirmed
  case approved
  case objected
  case ended(ShiftEnding?)
}

public struct StoryEntry: Hashable, Sendable {
  /// When it was.
  public var at: Instant
  /// The end of what lasted; `nil` for what happened at an instant, and while it lasts.
  public var until: Instant?
  /// When it was known, if that was later.
  public var knownAt: Instant?
  public var content: StoryContent

  public init(
    _ content: StoryContent, at: Instant, until: Instant? = nil, knownAt: Instant? = nil
  ) {
    (self.content, self.at) = (content, at)
    (self.until, self.knownAt) = (until, knownAt)
  }
}

/// The story of a shift, in order of time. Its spans are the segments of the coverage; every
/// incident is told once, by the first span that says what it says, or by an entry of its own.
public func story(of records: StoryRecords) -> [StoryEntry] {
  var told: [[Int32]] = Array(repeating: [], count: records.segments.count)
  var entries = records.clockActions
  for incident in records.incidents {
    let parts = records.segments.parts(during: incident.interval)
    if let place = incident.placeThatTells(parts, of: records.segments) {
      told[place].append(incident.number)
    } else {
      entries.append(incident.entry(beside: parts, of: records.segments))
    }
  }
  for (segment, incidents) in zip(records.segments, told) {
    let end = segment.interval.end
    let lasts = records.span.end == nil && end == records.segments.last?.interval.end
    entries.append(
      StoryEntry(
        .spent(segment, incidents: incidents), at: segment.interval.start,
        until: lasts ? nil : end))
  }
  for place in entries.indices where entries[place].knownAt == nil {
    entries[place].knownAt = records.lateReceipts[entries[place].at]
  }
  entries += records.away.map { StoryEntry(.away, at: $0.start, until: $0.end) }
  entries += records.remarks
  return entries.enumerated().sorted {
    ($0.element.at, $0.element.content.rank, $0.offset)
      < ($1.element.at, $1.element.content.rank, $1.offset)
  }.map { $0.element }
}

extension StoryRecords {
  /// Clock actions at the times at which they were made, whatever corrections say of them since.
  fileprivate var clockActions: [StoryEntry] {
    var entries = [
      StoryEntry(
        .opened(openedBy), at: corrections.first?.old.start ?? span.start, knownAt: enteredAt)
    ]
    if let confirmation {
      entries.append(
        StoryEntry(.confirmed(device: confirmation.device), at: confirmation.since))
    }
    entries += takeOvers.map { StoryEntry(.tookOver(device: $0.device), at: $0.since) }
    entries += corrections.map { StoryEntry(.corrected($0.number), at: $0.at) }
    // An end that no correction has set was made by a clock action or by the service.
    var set: Instant?
    for correction in corrections {
      if let end = correction.old.end, end != set {
        entries.append(StoryEntry(.ended(correction.oldEnding), at: end))
      }
      set = correction.new.end
    }
    if let end = span.end, end != set { entries.append(StoryEntry(.ended(ending), at: end)) }
    return entries
  }
}

extension [CoverageSegment] {
  /// The places of the segments during which a phone was asked, and could be heard.
  fileprivate func parts(during interval: Interval) -> [Int] {
    var place = partitionIndex { $0.interval.end > interval.start }
    var parts: [Int] = []
    while place < count, self[place].interval.start < interval.end {
      if self[place].reason.isAboutPhone { parts.append(place) }
      place += 1
    }
    return parts
  }
}

extension ToldIncident {
  fileprivate func placeThatTells(_ parts: [Int], of segments: [CoverageSegment]) -> Int? {
    guard let reason = kind.toldAs,
      parts.allSatisfy({ segments[$0].reason == reason || agrees(with: segments[$0]) })
    else { return nil }
    return parts.first { segments[$0].reason == reason || segments[$0].isInferred }
  }

  /// During a silence nothing can have been recorded but its causes, and what runs out.
  private func agrees(with segment: CoverageSegment) -> Bool {
    guard !kind.dimension.isReported else { return false }
    return segment.isInferred || segment.reason.isSilence || segment.reason == .waitingFirstFix
      || segment.reason == .resuming
  }

  fileprivate func entry(beside parts: [Int], of segments: [CoverageSegment]) -> StoryEntry {
    let until = interval.end == Instant(milliseconds: .max) ? nil : interval.end
    // A denial from before it needs no record of the silence.
    let hasRecords = parts.contains { place in
      segments[place].reason == .tracked
        || segments[place].interval.start > interval.start && !agrees(with: segments[place])
    }
    return kind == .noContact && hasRecords && until != nil
      ? StoryEntry(
        .offline(incident: number), at: interval.start, until: until, knownAt: arrivedAt ?? until)
      : StoryEntry(.impaired(incident: number), at: interval.start, until: until)
  }
}

extension IncidentKind {
  /// The reason of the spans that say the same; `nil` if positions may still come.
  fileprivate var toldAs: CoverageReason? {
    switch self {
    case .noContact: .noContact
    case .noFix: .noFix
    default: cannotLocate ? row.reason : nil
    }
  }
}

extension CoverageReason {
  fileprivate var isAboutPhone: Bool {
    switch self {
    case .onBreak, .notAsked, .serviceUnavailable: false
    default: true
    }
  }
}

extension StoryContent {
  /// What comes first of several at one instant.
  fileprivate var rank: Int {
    switch self {
    case .opened: 0
    case .confirmed: 1
    case .tookOver: 2
    case .spent: 3
    case .impaired, .offline, .away: 4
    case .visited, .noted: 5
    case .ended: 6
    case .corrected, .timesConfirmed, .approved, .objected: 7
    // What a message is about comes before it.
    case .notified: 8
    }
  }
}
