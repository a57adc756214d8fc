import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// An ended shift's visits to `sites`, from its stored pings and the fixes of its clock-in and
/// clock-out, as far as they count.
/// - Parameter coverage: Signs without a fix say where the phone is only in tracked time.
func foundVisits(
  of record: ShiftRow, _ frame: CoverageFrame, _ coverage: ShiftCoverage, to sites: [Site],
  on session: inout Session
) throws(PostgresError) -> [SiteVisit] {
  guard !sites.isEmpty else { return [] }
  let tracked = IntervalSet(
    coverage.segments.filter { $0.reason == .tracked }.map(\.interval))
  var visits = SiteVisits(to: sites)
  try forEachPing(of: record, frame, on: &session) { ping, fix in
    visits.add(ping.standing(in: tracked), at: fix)
    return !visits.isFull
  }
  return visits.found
}

/// When the employee was away from `sites` in a shift, open or ended.
func foundAway(
  in record: ShiftRow, _ frame: CoverageFrame, from sites: [Site], after awayAfter: TimeSpan,
  on session: inout Session
) throws(PostgresError) -> [AwaySpan] {
  guard !sites.isEmpty, awayAfter > .zero else { return [] }
  var away = AwaySpans(from: sites, breaks: frame.breaks, after: awayAfter)
  try forEachPing(of: record, frame, on: &session) { ping, fix in
    if let fix {
      away.add(
        ClockInPlace.Position(
          fix.coordinate, accuracyMeters: fix.accuracyMeters, isMock: ping.fix == .mock),
        at: ping.effectiveAt)
    }
    return true
  }
  return away.found
}

/// The pings of a shift that count, with their positions, and the fixes of its clock-in and
/// clock-out, in order of time.
/// - Parameter body: Whether it wants more.
private func forEachPing(
  of record: ShiftRow, _ frame: CoverageFrame, on session: inout Session,
  _ body: (ReceivedPing, Fix?) -> Bool
) throws(PostgresError) {
  var actions = try actionPings(of: record, frame, on: &session)[...]
  var last: PlacedPing?
  var wantsMore = true
  repeat {
    let pings = try placedPings(of: record.shift, after: last, limit: pingsAtOnce, on: &session)
    for placed in pings {
      while let action = actions.first, action.ping.effectiveAt <= placed.ping.effectiveAt {
        wantsMore = body(action.ping, action.fix)
        actions.removeFirst()
      }
      wantsMore = body(placed.ping, placed.fix)
    }
    last = pings.count == Int(pingsAtOnce) ? pings.last : nil
  } while last != nil && wantsMore
  for action in actions { _ = body(action.ping, action.fix) }
}

/// The fixes of the clock-in and the clock-out, in order of time.
private func actionPings(
  of record: ShiftRow, _ frame: CoverageFrame, on session: inout Session
) throws(PostgresError) -> [(ping: ReceivedPing, fix: Fix)] {
  let pings = record.actionPings(frame.devices)
  guard pings.start != nil || pings.end != nil else { return [] }
  let places = try actionPlaces(of: record.shift, on: &session)
  return [(pings.start, places.start), (pings.end, places.end)].compactMap { ping, place in
    guard let ping, let fix = place, !frame.breaks.contains(ping.effectiveAt),
      ping.effectiveAt >= frame.shift.start, ping.effectiveAt <= frame.shift.end
    else { return nil }
    return (ping, fix)
  }.sorted { $0.ping.effectiveAt < $1.ping.effectiveAt }
}

extension ReceivedPing {
  /// The same, but not at rest or stationary where the phone's position is not known.
  fileprivate func standing(in tracked: IntervalSet) -> ReceivedPing {
    guard isStationary || restsUntil != nil else { return self }
    var ping = self
    let known = tracked.intervals.first { $0.start <= effectiveAt && effectiveAt < $0.end }
    ping.isStationary = isStationary && known != nil
    ping.restsUntil = known.flatMap { known in restsUntil.map { min($0, known.end) } }
    return ping
  }
}

private let pingsAtOnce: Int32 = 2_000
