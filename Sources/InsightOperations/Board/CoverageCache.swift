import GuardRules
import Lifecycle
import ReadModels
import ShiftDomain
import ShiftStore

/// A cache of the coverage of shifts on boards, computed ahead: until something new is known about
/// a shift, its coverage is the cached one, up to the present.
///
/// Entries may be dropped at any time and are then computed again. Unused entries are dropped
/// within two hours, also those of erased employees: no version of theirs occurs again.
package final class CoverageCache: Sendable {
  /// How far ahead coverage is computed, and how long it is used at most.
  static let foresight = TimeSpan.hours(1)
  /// More shifts than a company of ten thousand has in a day; usually some kilobytes each.
  private static let shiftsMax = 20_000

  private struct Entry {
    let version: ShiftVersion
    let outages: IntervalSet
    let until: Instant
    let segments: [CoverageSegment]
  }

  private struct Entries {
    var entries: [ShiftID: Entry] = [:]
    var sweptAt = Instant(milliseconds: 0)

    mutating func sweep(_ present: Instant) {
      guard present > sweptAt + CoverageCache.foresight || entries.count >= CoverageCache.shiftsMax
      else { return }
      entries = entries.filter { present <= $1.until }
      if entries.count >= CoverageCache.shiftsMax { entries = [:] }
      sweptAt = present
    }
  }

  private let state = Lock(Entries())

  package init() {}

  /// The cached coverage of each of `shifts`, in their order and up to `asOf`; `nil` for shifts
  /// with something new.
  /// - Parameter outages: Our own outages since the first shift began, not clipped.
  func segments(of shifts: [DayShift], _ outages: IntervalSet, asOf: Instant)
    -> [[CoverageSegment]?]
  {
    let known = state.withLock { entries in shifts.map { entries.entries[$0.shift] } }
    return zip(shifts, known).map { shift, entry in
      guard let entry, entry.version == shift.version, asOf <= entry.until,
        entry.outages == outages.touching(shift)
      else { return nil }
      return entry.segments.elapsed(of: shift, asOf: asOf)
    }
  }

  /// Caches the coverage of a shift computed at `asOf`, from facts no older than its version.
  /// - Parameter segments: Up to its end, or to `asOf + foresight`.
  func note(
    _ segments: [CoverageSegment], of shift: DayShift, _ outages: IntervalSet, asOf: Instant
  ) {
    let entry = Entry(
      version: shift.version, outages: outages, until: asOf + Self.foresight, segments: segments)
    state.withLock { entries in
      entries.sweep(asOf)
      entries.entries[shift.shift] = entry
    }
  }
}

extension [CoverageSegment] {
  /// The part of the cached coverage of `shift` that is in the past.
  func elapsed(of shift: DayShift, asOf: Instant) -> [CoverageSegment] {
    guard shift.endedAt == nil, let last, last.interval.end > asOf else { return self }
    let end = Swift.max(asOf, shift.startedAt)
    return compactMap { $0.clipped(to: Interval(from: shift.startedAt, to: end)) }
  }
}

extension IntervalSet {
  fileprivate func touching(_ shift: DayShift) -> IntervalSet {
    guard !intervals.isEmpty else { return self }
    return IntervalSet(
      intervals.filter { outage in
        outage.end > shift.startedAt && shift.endedAt.map { outage.start < $0 } ?? true
      })
  }
}

extension CoverageSegment {
  /// `nil` if they do not intersect.
  func clipped(to span: Interval) -> CoverageSegment? {
    let part = Interval(
      from: max(interval.start, span.start), to: min(interval.end, span.end))
    guard part.start < part.end else { return nil }
    var segment = self
    segment.interval = part
    return segment
  }
}
