import GuardRules
import Lifecycle
import ShiftDomain
import ShiftStore

/// The coverage of shifts that boards asked for, as this instance foresaw it: until something new
/// becomes known of a shift, its coverage is what was foreseen, up to the time of asking.
///
/// It may be lost with the process, or be forgotten at any time: it is folded again. What nobody
/// counts on any more is let go within two hours, as the coverage of who was erased.
final class CoverageBook: Sendable {
  /// So far ahead coverage is foreseen, and so long it is counted on at the most.
  static let foresight = TimeSpan.hours(1)
  /// More shifts than a company of ten thousand has in a day; some kilobytes each as a rule.
  private static let shiftsMax = 20_000

  private struct Entry {
    let version: ShiftVersion
    /// The number of who was erased may be given anew, and all versions with it.
    let startedAt: Instant
    let outages: IntervalSet
    let until: Instant
    let segments: [CoverageSegment]
  }

  private struct Pages {
    var entries: [ShiftID: Entry] = [:]
    var sweptAt = Instant(milliseconds: 0)

    /// Lets go of what nobody may count on any more.
    mutating func sweep(_ present: Instant) {
      guard present > sweptAt + CoverageBook.foresight || entries.count >= CoverageBook.shiftsMax
      else { return }
      entries = entries.filter { present <= $1.until }
      if entries.count >= CoverageBook.shiftsMax { entries = [:] }
      sweptAt = present
    }
  }

  private let pages = Lock(Pages())

  /// What is known of each of `shifts`, in their order and up to `asOf`; `nil` for those of which
  /// something is new.
  /// - Parameter outages: Our own since the first of them began, whole.
  func segments(of shifts: [DayShift], _ outages: IntervalSet, asOf: Instant)
    -> [[CoverageSegment]?]
  {
    let known = pages.withLock { pages in shifts.map { pages.entries[$0.record.shift] } }
    return zip(shifts, known).map { shift, entry in
      guard let entry, entry.version == shift.version,
        entry.startedAt == shift.record.startedAt, asOf <= entry.until,
        entry.outages == outages.touching(shift.record)
      else { return nil }
      return entry.segments.told(of: shift.record, asOf: asOf)
    }
  }

  /// Notes what was foreseen at `asOf` of a shift, from facts no older than its version.
  /// - Parameter segments: Up to its end, or to `asOf + foresight`.
  func note(
    _ segments: [CoverageSegment], of shift: DayShift, _ outages: IntervalSet, asOf: Instant
  ) {
    let entry = Entry(
      version: shift.version, startedAt: shift.record.startedAt, outages: outages,
      until: asOf + Self.foresight, segments: segments)
    pages.withLock { pages in
      pages.sweep(asOf)
      pages.entries[shift.record.shift] = entry
    }
  }
}

extension [CoverageSegment] {
  /// The part of what was foreseen of `shift` that has come to pass.
  func told(of shift: ShiftRecord, asOf: Instant) -> [CoverageSegment] {
    guard shift.endedAt == nil, let last, last.interval.end > asOf else { return self }
    let end = Swift.max(asOf, shift.startedAt)
    return compactMap { $0.clipped(to: Interval(from: shift.startedAt, to: end)) }
  }
}

extension IntervalSet {
  /// Those of these intervals that touch `shift`, whole.
  fileprivate func touching(_ shift: ShiftRecord) -> IntervalSet {
    guard !intervals.isEmpty else { return self }
    return IntervalSet(
      intervals.filter { outage in
        outage.end > shift.startedAt && shift.endedAt.map { outage.start < $0 } ?? true
      })
  }
}

extension CoverageSegment {
  /// The part of it in `span`; `nil` when there is none.
  func clipped(to span: Interval) -> CoverageSegment? {
    let part = Interval(
      from: max(interval.start, span.start), to: min(interval.end, span.end))
    guard part.start < part.end else { return nil }
    var segment = self
    segment.interval = part
    return segment
  }
}
