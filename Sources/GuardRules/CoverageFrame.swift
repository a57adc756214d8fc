public import ShiftDomain

/// An incident of silence: the record of missing requests.
public struct SilentSpan: Hashable, Sendable {
  public var kind: SilenceKind
  public var device: Int16
  /// From its deadline to the request that ended it; in the far future while it is open.
  public var interval: Interval
  /// Of no contact: the last receipt before it, if that is known.
  public var silentSince: Instant?

  public init(
    _ kind: SilenceKind, of device: Int16, during interval: Interval, since receipt: Instant? = nil
  ) {
    self.kind = kind
    self.device = device
    self.interval = interval
    silentSince = receipt
  }
}

public struct CoverageFrame: Hashable, Sendable {
  /// The shift; an open one ends at the time of the query.
  public var shift: Interval
  /// How long a fix counts as tracked, fixed at clock-in; a device that took over may have its own.
  public var fixAgeMax: TimeSpan
  /// The tracking devices, in order; the first from the shift's start.
  public var devices: [TrackingSpan]
  /// The reports of the shift, and those that each device had made before, in any order.
  public var reports: [ReceivedReport]
  public var breaks: IntervalSet
  public var outages: IntervalSet
  /// The incidents of silence of the shift, in any order.
  public var silences: [SilentSpan]
  /// The newest of each device, and those in which it was at rest or hidden, with a silence or
  /// without; `nil`: not known, and no silence can begin earlier than on record.
  public var keptReceiptGaps: [ReceiptGap]?
  /// When no phone had been asked to track.
  public var notAsked: IntervalSet
  /// What corrections added to the shift: no position of that time counts.
  public var added: IntervalSet
  /// When the clock-in was received, if it was made offline.
  public var offlineReceipt: Instant?
  /// When the first phone began, at the recorded clock-in, the acceptance or the confirmation;
  /// `nil`: with the shift.
  public var begunAt: Instant?
  /// The report that this was decided on: it counts from then on, whatever was reported before.
  public var evidence: ReportID?
  /// Whether its policy ignores simulated positions, so that they count as accepted.
  public var isMockIgnored: Bool
  /// Whether the employee clocked in with a simulated position.
  public var isMockAccepted: Bool

  public init(
    shift: Interval, fixAgeMax: TimeSpan, devices: [TrackingSpan], reports: [ReceivedReport],
    breaks: IntervalSet = IntervalSet(), outages: IntervalSet = IntervalSet(),
    silences: [SilentSpan] = [], notAsked: IntervalSet = IntervalSet(),
    added: IntervalSet = IntervalSet(), offlineReceipt: Instant? = nil, begunAt: Instant? = nil,
    evidence: ReportID? = nil, isMockIgnored: Bool = false,
    isMockAccepted: Bool = false
  ) {
    self.shift = shift
    self.fixAgeMax = fixAgeMax
    self.devices = devices
    self.reports = reports
    self.breaks = breaks
    self.outages = outages
    self.silences = silences
    self.notAsked = notAsked
    self.added = added
    self.offlineReceipt = offlineReceipt
    self.begunAt = begunAt
    self.evidence = evidence
    self.isMockIgnored = isMockIgnored
    self.isMockAccepted = isMockAccepted
  }

  var beginning: Instant { begunAt ?? shift.start }

  /// The instants from which, or up to which, coverage needs single signs; sorted.
  public var cuts: [Instant] { cuts(StateTimeline(self)) }

  func cuts(_ timeline: StateTimeline) -> [Instant] {
    var cuts = [shift.start, beginning] + devices.dropFirst().map { $0.since }
    cuts += timeline.restorations
    for pause in breaks.intervals { cuts += [pause.start, pause.end] }
    // A fix at the very instant of such a report is lost with it; the next one is not.
    for lost in timeline.losses { cuts += [lost, lost + .milliseconds(1)] }
    return cuts.sorted()
  }

  var turns: [TrackingTurn] {
    devices.indices.map { place in
      let span = devices[place]
      let end = place + 1 < devices.count ? devices[place + 1].since : Instant(milliseconds: .max)
      let start = place == 0 ? min(span.since, shift.start) : span.since
      return TrackingTurn(
        device: span.device, time: Interval(from: start, to: max(start, end)),
        fixAgeMax: span.fixAgeMax ?? fixAgeMax, freshFor: span.freshFor, evidence: span.evidence)
    }
  }
}

struct TrackingTurn {
  let device: Int16
  let time: Interval
  let fixAgeMax: TimeSpan
  /// The maximum age of a report that it brought along; `nil`: any.
  let freshFor: TimeSpan?
  /// The report that its take-over was decided on.
  let evidence: ReportID?

  /// How many of the device's reports, in order, it began with: those up to that of its take-over,
  /// even if this counts from a later one that precedes it, and the others from before.
  func begun(with reports: [CountedReport]) -> Int {
    let own = reports.firstIndex {
      $0.received.report.id == evidence && $0.received.report.effectiveAt <= time.start
    }
    let first = own.map { $0 + 1 } ?? 0
    return first + reports[first...].prefix { $0.since < time.start }.count
  }
}

extension [TrackingTurn] {
  func turn(at instant: Instant) -> TrackingTurn? {
    let next = partitionIndex { $0.time.start > instant }
    return prefix(next).last ?? first
  }
}
