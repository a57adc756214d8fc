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
      devices: record.devices(surroundings.takeOvers, until: end),
      reports: surroundings.reports,
      breaks: surroundings.breaks.intersection(IntervalSet(from: record.startedAt, to: end)),
      outages: surroundings.outages, silences: surroundings.silences, notAsked: record.notAsked,
      offlineReceipt: record.offlineReceipt)
  }
}

extension ShiftRow {
  /// The tracking devices of the shift over time. A correction may have moved take-overs outside of
  /// it: then the last device before its start tracks from the start.
  fileprivate func devices(_ takeOvers: [TrackingSpan], until end: Instant) -> [TrackingSpan] {
    var first =
      takeOvers.last { $0.since <= startedAt } ?? TrackingSpan(device: device, since: startedAt)
    (first.since, first.freshFor) = (startedAt, nil)
    return [first]
      + takeOvers.filter { $0.since > startedAt && $0.since < end }
  }

  /// The positions sent with the clock-in and the clock-out; the first may be from before the start
  /// and counts at the start.
  fileprivate func actionContacts(_ devices: [TrackingSpan]) -> ContactRuns {
    var pings: [ReceivedPing] = []
    if let startFix, startFix.at >= startedAt - actionFixAgeMax,
      endedAt.map({ startFix.at < $0 }) ?? true
    {
      pings.append(
        ReceivedPing(
          device: device, effectiveAt: max(startFix.at, startedAt), fix: startFix.proof))
    }
    if let endFix, let tracking = devices.last(where: { $0.since <= endFix.at }) {
      pings.append(
        ReceivedPing(device: tracking.device, effectiveAt: endFix.at, fix: endFix.proof))
    }
    return ContactRuns(pings)
  }
}

package func exactCoverage(of record: ShiftRow, asOf: Instant, on session: inout Session)
  throws(PostgresError) -> ShiftCoverage
{
  let around = try surroundings(of: [record.shift], on: &session)
  return try ShiftCoverage(of: record, around[0], asOf: asOf, on: &session)
}

extension ShiftCoverage {
  /// A shift's coverage from all its pings or, if these may have been deleted, from the rollup.
  init(
    of record: ShiftRow, _ surroundings: ShiftSurroundings, asOf: Instant,
    on session: inout Session
  ) throws(PostgresError) {
    let frame = CoverageFrame(record, surroundings, asOf: asOf)
    let contactRuns: ContactRuns
    if surroundings.rollup.isSealed, let sealed = surroundings.rollup.contactRuns {
      contactRuns = sealed.parted(by: frame)
    } else {
      let pings = try coveragePings(of: record.shift, on: &session)
      contactRuns = ContactRuns(pings.counted(in: frame, isOpen: record.endedAt == nil))
    }
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
    let hasFix = record.startFix != nil || record.endFix != nil
    let known = hasFix ? contactRuns.adding(record.actionContacts(frame.devices)) : contactRuns
    let segments = GuardRules.coverage(of: CoverageFacts(frame, contactRuns: known))
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
