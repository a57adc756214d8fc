public import ShiftDomain

/// A ping as coverage needs it.
public struct ReceivedPing: Hashable, Sendable {
  /// The device that sent it.
  public var device: Int16
  /// When it was.
  public var effectiveAt: Instant
  /// When it arrived.
  public var receivedAt: Instant
  /// Whether it speaks for the phone's position: a fix, or a sign of life at rest.
  public var speaksForPosition: Bool

  /// A ping.
  public init(
    device: Int16, effectiveAt: Instant, receivedAt: Instant, speaksForPosition: Bool
  ) {
    self.device = device
    self.effectiveAt = effectiveAt
    self.receivedAt = receivedAt
    self.speaksForPosition = speaksForPosition
  }
}

/// A permission report and when it arrived.
public struct ReceivedReport: Hashable, Sendable {
  /// The device that sent it.
  public var device: Int16
  /// The report.
  public var report: PermissionReport
  /// When it arrived.
  public var receivedAt: Instant

  /// `report`, received from `device` at `receivedAt`.
  public init(_ report: PermissionReport, from device: Int16, receivedAt: Instant) {
    self.device = device
    self.report = report
    self.receivedAt = receivedAt
  }
}

extension CoverageFacts {
  /// The facts of a shift from what was received: each record counts for the time in which its
  /// device tracked, whatever took over later.
  /// - Parameters:
  ///   - shift: The shift; an open one ends at the time of asking.
  ///   - devices: Who tracked from when on; the first from the shift's start.
  ///   - pings: Those of the shift, in any order.
  ///   - reports: Those of the shift, with the one that each device had made before, in any order.
  ///   - breaks, outages: Taken as they are, like `fixAgeMax`: how long a fix speaks.
  public init(
    shift: Interval, fixAgeMax: TimeSpan, devices: [TrackingSpan], pings: [ReceivedPing],
    reports: [ReceivedReport], breaks: IntervalSet = IntervalSet(),
    outages: IntervalSet = IntervalSet()
  ) {
    let frame = CoverageFrame(
      shift: shift, fixAgeMax: fixAgeMax, devices: devices, reports: reports, breaks: breaks,
      outages: outages)
    self.init(frame, signs: ShiftSigns(pings))
  }

  /// The facts of a shift from what is known besides pings, and its pings, single or folded.
  /// - Parameter signs: Must fit `frame`.
  public init(_ frame: CoverageFrame, signs: ShiftSigns) {
    self.init(shift: frame.shift, fixAgeMax: frame.fixAgeMax)
    let devices = frame.devices
    breaks = frame.breaks
    outages = frame.outages
    takeOvers = devices.dropFirst().map { $0.since }
    // A run lies wholly on one side of each break and take-over: its first sign tells which.
    for told in signs.devices {
      add(
        positions: told.positions.filter { run in
          told.device == devices.device(at: run.first) && !breaks.contains(run.first)
        })
      add(receipts: told.receipts.filter { told.device == devices.device(at: $0.first) })
    }
    for report in frame.reports where report.device == devices.device(at: report.receivedAt) {
      contacts.append(report.receivedAt)
    }
    var told: [Int16: Told] = [:]
    for (index, span) in devices.enumerated() {
      let end = index + 1 < devices.count ? devices[index + 1].since : shift.end
      let own = told[span.device] ?? Told(by: span.device, signs, in: frame)
      told[span.device] = own
      states += own.states.held(from: span.since, to: end, isFirst: index == 0)
      inferred += own.causes.compactMap { $0.clipped(from: span.since, to: end) }
    }
  }

  private mutating func add(positions runs: [SignRun]) {
    fixes += runs.instants
    fixRuns += runs.intervals
  }

  private mutating func add(receipts runs: [SignRun]) {
    contacts += runs.instants
    contactRuns += runs.intervals
  }
}

extension [SignRun] {
  /// The time from the first sign of each to the last; nothing for one that is alone.
  fileprivate var intervals: [Interval] {
    compactMap { $0.first == $0.last ? nil : Interval(from: $0.first, to: $0.last) }
  }
}

/// What one device told in a shift, whether it tracked just then or not.
private struct Told {
  let states: [ReportedState]
  let causes: [InferredCause]

  init(by device: Int16, _ signs: ShiftSigns, in frame: CoverageFrame) {
    let own = frame.reports.filter { $0.device == device }
    states = statesInOrder(own)
    causes = inferredCauses(
      own, signs: signs.life(of: device, own), fixAgeMax: frame.fixAgeMax)
  }
}

extension ShiftSigns {
  /// What showed that `device` lived: effective times of its fixes, receipts of everything.
  fileprivate func life(of device: Int16, _ reports: [ReceivedReport]) -> [Instant] {
    var signs = reports.map { $0.receivedAt }
    for told in devices where told.device == device {
      signs += told.receipts.instants + told.positions.instants
    }
    return signs
  }
}

extension [TrackingSpan] {
  /// The device that tracks at `instant`; before the first span, the first.
  fileprivate func device(at instant: Instant) -> Int16? {
    let next = partitionIndex { $0.since > instant }
    return (prefix(next).last ?? first)?.device
  }
}

extension [ReportedState] {
  /// The part in which one device tracked. A device that takes over brings what it had said by
  /// then, and inherits nothing; the first brings it from whenever it was said.
  fileprivate func held(from start: Instant, to end: Instant, isFirst: Bool) -> [ReportedState] {
    let inside = filter { $0.since < end }
    if isFirst { return inside }
    var known = PermissionState(authorization: .unknown)
    for reported in inside where reported.since <= start {
      known = known.overlaid(by: reported.state)
    }
    return [ReportedState(since: start, state: known, startsAnew: true)]
      + inside.filter { $0.since > start }
  }
}

extension InferredCause {
  fileprivate func clipped(from start: Instant, to end: Instant) -> InferredCause? {
    let inside = Interval(from: max(interval.start, start), to: min(interval.end, end))
    return inside.start < inside.end ? InferredCause(interval: inside, reason: reason) : nil
  }
}
