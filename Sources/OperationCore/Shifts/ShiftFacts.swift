import GuardRules
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// How long before `pingRetention` a shift's pings are no longer used: a shift that begins before
/// midnight of the day on which they are deleted may end on the next.
package let sealingLead = TimeSpan.hours(24)
/// The maximum age of a fix sent with a clock action, at the time of that action.
package let actionFixAgeMax = TimeSpan.seconds(60)

extension CoverageFrame {
  package init(_ record: ShiftRow, _ surroundings: ShiftSurroundings, asOf: Instant) {
    let end = record.endedAt ?? max(asOf, record.startedAt)
    self.init(
      shift: Interval(from: record.startedAt, to: end), fixAgeMax: record.settings.fixAgeMax,
      devices: record.start.devices(surroundings.takeOvers, until: end),
      reports: surroundings.reports,
      breaks: surroundings.breaks.intersection(IntervalSet(from: record.startedAt, to: end)),
      outages: surroundings.outages, silences: surroundings.silences, notAsked: record.notAsked,
      added: record.added, offlineReceipt: record.offlineReceipt,
      begunAt: record.start.begun(surroundings.takeOvers), evidence: record.evidence,
      isMockIgnored: record.isMockIgnored, isMockAccepted: record.isMockAccepted)
  }

  /// The same of an open shift, without what only its reports and silences say.
  init(_ present: PresentShift, asOf: Instant) {
    let start = present.start
    let shift = Interval(from: start.startedAt, to: max(asOf, start.startedAt))
    self.init(
      shift: shift, fixAgeMax: start.settings.fixAgeMax,
      devices: start.devices(present.takeOvers, until: shift.end), reports: [],
      breaks: IntervalSet(present.breaks).intersection(IntervalSet([shift])),
      begunAt: start.begun(present.takeOvers))
  }
}

extension ShiftStart {
  /// The tracking devices of the shift over time. One that waited was taken over from number 0,
  /// which no device has. A correction may have moved take-overs outside of it: then the last
  /// device before its start tracks from the start.
  fileprivate func devices(_ takeOvers: [TrackingSpan], until end: Instant) -> [TrackingSpan] {
    let device = openedBy == .employee ? device ?? 0 : 0
    var first =
      takeOvers.last { $0.since <= startedAt } ?? TrackingSpan(device: device, since: startedAt)
    (first.since, first.freshFor) = (startedAt, nil)
    return [first]
      + takeOvers.filter { $0.since > startedAt && $0.since < end }
  }

  /// When the device that tracks at the start began to: perhaps by a take-over that a correction
  /// has left before the shift.
  fileprivate func begun(_ takeOvers: [TrackingSpan]) -> Instant {
    max(begunAt, takeOvers.last { $0.since < startedAt }?.since ?? begunAt)
  }

  /// What the position sent with the clock-in proves; it may be from before the start, or the
  /// confirmation, and counts from then. A start that was corrected leaves it its own time.
  /// - Parameter end: The shift's end; `nil` while it is open.
  func ping(until end: Instant?) -> ReceivedPing? {
    let isMoved = confirmedAt == nil && begunAt != startedAt
    guard let startFix, let device,
      startFix.at >= (isMoved ? startedAt : startedAt - actionFixAgeMax),
      end.map({ startFix.at < $0 }) ?? true
    else { return nil }
    return ReceivedPing(
      device: device, effectiveAt: max(startFix.at, startedAt, confirmedAt ?? startedAt),
      fix: startFix.proof)
  }
}

extension ShiftRow {
  var start: ShiftStart {
    ShiftStart(
      startedAt: startedAt, device: device, openedBy: openedBy, settings: settings,
      startFix: startFix, confirmedAt: confirmedAt, begunAt: begunAt)
  }

  /// What the positions sent with the clock-in and the clock-out prove.
  package func actionPings(_ devices: [TrackingSpan]) -> (start: ReceivedPing?, end: ReceivedPing?)
  {
    var pings: (start: ReceivedPing?, end: ReceivedPing?) = (start.ping(until: endedAt), nil)
    if let endFix, !added.contains(endFix.at),
      let tracking = devices.last(where: { $0.since <= endFix.at })
    {
      pings.end = ReceivedPing(
        device: tracking.device, effectiveAt: endFix.at, fix: endFix.proof)
    }
    return pings
  }

  fileprivate func actionContacts(_ devices: [TrackingSpan]) -> ContactRuns {
    let pings = actionPings(devices)
    return ContactRuns([pings.start, pings.end].compactMap(\.self))
  }
}

/// A shift's coverage, up to the last ping; `nil` if the shift does not exist.
package func exactCoverage(of shift: ShiftID, asOf: Instant, on session: inout Session)
  throws(PostgresError) -> ShiftCoverage?
{
  var reading = ShiftReading(of: shift)
  try session.run(&reading)
  guard let record = reading.record else { return nil }
  return try exactCoverage(of: record, reading.surroundings, asOf: asOf, on: &session)
}

/// The same for a shift as read, in another round trip.
package func exactCoverage(
  of record: ShiftRow, _ around: ShiftSurroundings, asOf: Instant, on session: inout Session
) throws(PostgresError) -> ShiftCoverage {
  let pings = try session.value(of: allPings(of: record, around))
  return ShiftCoverage(of: record, around, pings: pings, asOf: asOf)
}

/// All pings of a shift; `nil` if they may have been deleted, so that only the rollup is left.
func allPings(of record: ShiftRow, _ around: ShiftSurroundings) -> Query<[ReceivedPing]?> {
  if around.rollup.isSealed, around.rollup.contactRuns != nil { return Query(known: nil) }
  let pings = coveragePings(of: record.shift)
  return pings.map { $0 }
}

extension CoverageFacts {
  /// With what the positions sent with the clock-in and the clock-out prove.
  package init(of record: ShiftRow, _ frame: CoverageFrame, _ contactRuns: ContactRuns) {
    let hasFix = record.startFix != nil || record.endFix != nil
    self.init(
      frame,
      contactRuns: hasFix
        ? contactRuns.adding(record.actionContacts(frame.devices), endsAnnounced: false)
        : contactRuns)
  }
}

extension ShiftCoverage {
  /// A shift's coverage from all its pings; `nil`: from the rollup.
  init(
    of record: ShiftRow, _ surroundings: ShiftSurroundings, pings: [ReceivedPing]?,
    asOf: Instant
  ) {
    let frame = CoverageFrame(record, surroundings, asOf: asOf)
    let contactRuns =
      pings.map { ContactRuns($0.counted(in: frame, isOpen: record.endedAt == nil)) }
      ?? surroundings.rollup.contactRuns?.parted(by: frame) ?? ContactRuns()
    self.init(of: record, frame, contactRuns)
  }

  /// A shift's coverage from the rollup; `nil` if that is missing or outdated.
  package init?(ofRollup record: ShiftRow, _ surroundings: ShiftSurroundings, asOf: Instant) {
    guard var contactRuns = surroundings.rollup.contactRuns else { return nil }
    let frame = CoverageFrame(record, surroundings, asOf: asOf)
    if surroundings.rollup.isSealed {
      contactRuns = contactRuns.parted(by: frame)
    } else if !contactRuns.fit(frame) {
      return nil
    }
    self.init(of: record, frame, contactRuns)
  }

  package init(of record: ShiftRow, _ frame: CoverageFrame, _ contactRuns: ContactRuns) {
    let segments = GuardRules.coverage(of: CoverageFacts(of: record, frame, contactRuns))
    var totals = TrackingTotals()
    totals.add(segments)
    self.init(
      shift: record.shift, startedAt: record.startedAt, endedAt: record.endedAt,
      asOf: frame.shift.end, segments: segments, trackingPermille: totals.permille)
  }
}

extension IntervalSet {
  package func time(in span: Interval) -> TimeSpan {
    intervals.reduce(.zero) { sum, interval in
      let part = min(interval.end, span.end) - max(interval.start, span.start)
      return sum + max(part, .zero)
    }
  }
}
