import GuardRules
import Postgres
import ShiftDomain
import ShiftStore

/// How long before `pingRetention` a shift's pings are no longer counted on: a shift that begins
/// before midnight of the day on which they go may end on the next.
let sealingLead = TimeSpan.hours(24)

extension CoverageFrame {
  /// What frames a shift's pings, up to its end or `asOf`.
  init(_ record: ShiftRecord, _ surroundings: ShiftSurroundings, asOf: Instant) {
    let end = record.endedAt ?? max(asOf, record.startedAt)
    self.init(
      shift: Interval(from: record.startedAt, to: end), fixAgeMax: record.fixAgeMax,
      devices: record.devices(surroundings.takeOvers, until: end),
      reports: surroundings.reports,
      breaks: surroundings.breaks.intersection(IntervalSet(from: record.startedAt, to: end)),
      outages: surroundings.outages)
  }
}

extension ShiftRecord {
  /// Who tracked the shift from when on. A correction may have left take-overs outside of it: the
  /// last one before its start tracked from there.
  fileprivate func devices(_ takeOvers: [TrackingSpan], until end: Instant) -> [TrackingSpan] {
    let first = takeOvers.last { $0.since <= startedAt }?.device ?? device
    return [TrackingSpan(device: first, since: startedAt)]
      + takeOvers.filter { $0.since > startedAt && $0.since < end }
  }

  /// The position sent with the clock-in speaks for its beginning.
  fileprivate var startSigns: ShiftSigns {
    guard let startFixAt, startFixAt >= startedAt - tapFixAgeMax,
      endedAt.map({ startFixAt < $0 }) ?? true
    else { return ShiftSigns() }
    let at = max(startFixAt, startedAt)
    return ShiftSigns([
      ReceivedPing(device: device, effectiveAt: at, receivedAt: at, speaksForPosition: true)
    ])
  }
}

/// A shift's coverage, to the last ping.
func exactCoverage(of record: ShiftRecord, asOf: Instant, on session: inout Session)
  throws(PostgresError) -> ShiftCoverage
{
  let around = try surroundings(of: [record.shift], on: &session)
  return try ShiftCoverage(of: record, around[0], asOf: asOf, on: &session)
}

extension ShiftCoverage {
  /// A shift's coverage from all its pings or, when these may have gone, from what was folded.
  init(
    of record: ShiftRecord, _ surroundings: ShiftSurroundings, asOf: Instant,
    on session: inout Session
  ) throws(PostgresError) {
    let frame = CoverageFrame(record, surroundings, asOf: asOf)
    let signs: ShiftSigns
    if surroundings.signs.isSealed, let sealed = surroundings.signs.signs {
      signs = sealed.parted(by: frame)
    } else {
      let pings = try coveragePings(of: record.shift, on: &session)
      signs = ShiftSigns(pings.counted(in: frame, isOpen: record.endedAt == nil))
    }
    self.init(of: record, frame, signs)
  }

  /// A shift's coverage from what was folded; `nil` when that does not fit, or is not there.
  init?(ofFolded record: ShiftRecord, _ surroundings: ShiftSurroundings, asOf: Instant) {
    guard var signs = surroundings.signs.signs else { return nil }
    let frame = CoverageFrame(record, surroundings, asOf: asOf)
    if surroundings.signs.isSealed {
      signs = signs.parted(by: frame)
    } else if !signs.fit(frame) {
      return nil
    }
    self.init(of: record, frame, signs)
  }

  init(of record: ShiftRecord, _ frame: CoverageFrame, _ signs: ShiftSigns) {
    let known = record.startFixAt == nil ? signs : signs.adding(record.startSigns)
    let segments = GuardRules.coverage(of: CoverageFacts(frame, signs: known))
    var totals = TrackingTotals()
    totals.add(segments)
    self.init(
      shift: record.shift, startedAt: record.startedAt, endedAt: record.endedAt,
      asOf: frame.shift.end, segments: segments, trackingPermille: totals.permille)
  }
}
