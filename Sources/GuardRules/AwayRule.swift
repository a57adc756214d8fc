public import ShiftDomain

/// A time in a shift during which all its positions were off site.
public struct AwaySpan: Hashable, Sendable {
  /// The first of these positions.
  public var start: Instant
  /// The first position that was not off site, or the break that began before it; `nil`: it lasts.
  public var end: Instant?

  public init(from start: Instant, to end: Instant? = nil) {
    (self.start, self.end) = (start, end)
  }
}

/// Finds when an employee was away from all sites, from the positions of a shift that count, which
/// are added in order of time.
///
/// It is no incident, and time without positions neither begins nor ends it.
public struct AwaySpans: Sendable {
  private struct Run {
    let start: Instant
    var last: Instant
  }

  private let sites: [Site]
  private let breaks: IntervalSet
  private let awayAfter: TimeSpan
  /// The positions off site up to the one added last.
  private var run: Run?
  private var ended: [AwaySpan] = []

  /// - Parameters:
  ///   - sites: Those in force at the clock-in. Without any, nobody is away.
  ///   - breaks: Those of the shift; a current one ends in the far future.
  ///   - awayAfter: From the first position of a run to its last; zero: nobody is away.
  public init(from sites: [Site], breaks: IntervalSet, after awayAfter: TimeSpan) {
    (self.sites, self.breaks, self.awayAfter) = (sites, breaks, awayAfter)
  }

  /// - Parameters:
  ///   - position: A mock or inaccurate one is left out.
  ///   - instant: Not before the position added last. One in a break is left out.
  public mutating func add(_ position: ClockInPlace.Position, at instant: Instant) {
    guard awayAfter > .zero, !position.isMock, !breaks.contains(instant),
      let isOffSite = ClockInPlace(sites: sites, position: position).isOffSite
    else { return }
    if let begun = run, let pause = breakStart(after: begun.last), pause < instant {
      end(at: pause)
    }
    guard isOffSite else { return end(at: instant) }
    run = Run(start: run?.start ?? instant, last: instant)
  }

  /// So far, in order; at most the last one has no end.
  public var found: [AwaySpan] {
    var all = self
    if let begun = run, let pause = breakStart(after: begun.last) { all.end(at: pause) }
    return all.ended + (all.span(to: nil).map { [$0] } ?? [])
  }

  private mutating func end(at instant: Instant) {
    if let span = span(to: instant) { ended.append(span) }
    run = nil
  }

  /// The run, if it is long enough.
  private func span(to end: Instant?) -> AwaySpan? {
    guard let run, run.last - run.start >= awayAfter else { return nil }
    return AwaySpan(from: run.start, to: end)
  }

  /// When the first break after `instant`, which is in none, begins.
  private func breakStart(after instant: Instant) -> Instant? {
    let next = breaks.intervals.partitionIndex { $0.start > instant }
    return next < breaks.intervals.count ? breaks.intervals[next].start : nil
  }
}

/// Whether a clock-out was made off site. Raw values are stored; append-only.
public enum EndedOffSite: UInt8, Coded {
  case no = 0
  case yes = 1
  /// There is no position, or it is too inaccurate.
  case unknown = 2

  public var code: String {
    switch self {
    case .no: "no"
    case .yes: "yes"
    case .unknown: "unknown"
    }
  }
}

extension ClockInPlace {
  /// Whether the position is outside all sites; `nil` without sites or a position, and for one that
  /// is too inaccurate.
  var isOffSite: Bool? { nearest.map { $0.marginMeters < 0 } }

  /// Of a clock-out, which is never guarded; `nil`: there are no sites.
  public var endedOffSite: EndedOffSite? {
    guard !sites.isEmpty else { return nil }
    return isOffSite.map { $0 ? .yes : .no } ?? .unknown
  }
}
