public import ShiftDomain

/// A half-open interval of time. Never empty inside an `IntervalSet`.
public struct Interval: Hashable, Sendable {
  /// The first instant inside.
  public var start: Instant
  /// The first instant after.
  public var end: Instant

  public init(from start: Instant, to end: Instant) {
    self.start = start
    self.end = end
  }

  /// Its length; zero or less when empty.
  public var length: TimeSpan { end - start }

  /// Whether an instant is in both, if neither is empty.
  public func overlaps(_ other: Interval) -> Bool { start < other.end && end > other.start }
}

/// A set of instants: sorted, disjoint, non-adjacent, non-empty intervals.
public struct IntervalSet: Hashable, Sendable {
  // INVARIANT: each span's start is before its end, and its end before the next one's start.
  public private(set) var intervals: [Interval]

  public init() { intervals = [] }

  /// The union of `intervals`, which may overlap, repeat, be empty and come in any order.
  public init(_ intervals: [Interval]) {
    var merged: [Interval] = []
    merged.reserveCapacity(intervals.count)
    for interval in Self.inOrder(intervals) where interval.start < interval.end {
      if let last = merged.last, interval.start <= last.end {
        if interval.end > last.end { merged[merged.count - 1].end = interval.end }
      } else {
        merged.append(interval)
      }
    }
    self.intervals = merged
  }

  public init(from start: Instant, to end: Instant) { self.init([Interval(from: start, to: end)]) }

  public func contains(_ instant: Instant) -> Bool {
    let next = intervals.partitionIndex { $0.start > instant }
    return next > 0 && instant < intervals[next - 1].end
  }

  public var length: TimeSpan {
    var total = TimeSpan.zero
    for interval in intervals { total = total + interval.length }
    return total
  }

  /// The instants in both sets. Linear in the number of intervals.
  public func intersection(_ other: IntervalSet) -> IntervalSet {
    var common: [Interval] = []
    var (mine, theirs) = (0, 0)
    while mine < intervals.count, theirs < other.intervals.count {
      let (a, b) = (intervals[mine], other.intervals[theirs])
      let interval = Interval(from: max(a.start, b.start), to: min(a.end, b.end))
      if interval.start < interval.end { common.append(interval) }
      if a.end < b.end { mine += 1 } else { theirs += 1 }
    }
    return IntervalSet(disjoint: common)
  }

  /// The instants in this set and not in `other`. Linear in the number of intervals.
  public func subtracting(_ other: IntervalSet) -> IntervalSet {
    var rest: [Interval] = []
    var theirs = 0
    for interval in intervals {
      var start = interval.start
      while theirs < other.intervals.count, other.intervals[theirs].end <= start { theirs += 1 }
      var cut = theirs
      while cut < other.intervals.count, other.intervals[cut].start < interval.end {
        if start < other.intervals[cut].start {
          rest.append(Interval(from: start, to: other.intervals[cut].start))
        }
        start = max(start, other.intervals[cut].end)
        cut += 1
      }
      if start < interval.end { rest.append(Interval(from: start, to: interval.end)) }
    }
    return IntervalSet(disjoint: rest)
  }

  private init(disjoint intervals: [Interval]) { self.intervals = intervals }

  /// Fixes nearly always arrive in order, and then sorting would be most of the work.
  private static func inOrder(_ intervals: [Interval]) -> [Interval] {
    let areSorted = zip(intervals, intervals.dropFirst()).allSatisfy { $0.start <= $1.start }
    return areSorted ? intervals : intervals.sorted { $0.start < $1.start }
  }
}

extension Array {
  /// The index of the first element that is `behind`, or the count, by bisection: all after it are.
  func partitionIndex(_ behind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if behind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension [Instant] {
  /// The index of the first of these sorted instants that is not before `start`.
  func firstIndex(from start: Instant) -> Int { partitionIndex { $0 >= start } }
}
