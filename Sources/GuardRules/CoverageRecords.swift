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
    self.init(shift: shift, fixAgeMax: fixAgeMax)
    self.breaks = breaks
    self.outages = outages
    takeOvers = devices.dropFirst().map { $0.since }
    fixes = pings.filter { ping in
      ping.speaksForPosition && ping.device == devices.device(at: ping.effectiveAt)
        && !breaks.contains(ping.effectiveAt)
    }.map { $0.effectiveAt }
    contacts =
      pings.filter { $0.device == devices.device(at: $0.receivedAt) }.map { $0.receivedAt }
      + reports.filter { $0.device == devices.device(at: $0.receivedAt) }.map { $0.receivedAt }
    var told: [Int16: Told] = [:]
    for (index, span) in devices.enumerated() {
      let end = index + 1 < devices.count ? devices[index + 1].since : shift.end
      let own = told[span.device] ?? Told(by: span.device, pings, reports, fixAgeMax: fixAgeMax)
      told[span.device] = own
      states += own.states.held(from: span.since, to: end, isFirst: index == 0)
      inferred += own.causes.compactMap { $0.clipped(from: span.since, to: end) }
    }
  }
}

/// What one device told in a shift, whether it tracked just then or not.
private struct Told {
  let states: [ReportedState]
  let causes: [InferredCause]

  init(
    by device: Int16, _ pings: [ReceivedPing], _ reports: [ReceivedReport], fixAgeMax: TimeSpan
  ) {
    let own = reports.filter { $0.device == device }
    states = statesInOrder(own)
    causes = inferredCauses(own, signs: signs(of: device, pings, own), fixAgeMax: fixAgeMax)
  }
}

/// What showed that `device` lived: effective times of its fixes, receipts of everything.
private func signs(
  of device: Int16, _ pings: [ReceivedPing], _ reports: [ReceivedReport]
) -> [Instant] {
  var signs = reports.map { $0.receivedAt }
  for ping in pings where ping.device == device {
    signs.append(ping.receivedAt)
    if ping.speaksForPosition { signs.append(ping.effectiveAt) }
  }
  return signs
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
