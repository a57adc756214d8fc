public import ShiftDomain

/// What coverage needs of the tracking device's reports for the present. Kept from report to report
/// in the guard's state, so that an answer reads none of them.
public struct ReportMarks: Hashable, Sendable {
  /// From when the newest report counts, or the take-over if none came since; `nil`: none came yet.
  public var newestAt: Instant?
  /// From when the report before it counts; `nil`: there is none.
  public var previousAt: Instant?
  /// When the phone reported last that it cannot be located.
  public var lostAt: Instant?
  /// When it could be located again last.
  public var restoredAt: Instant?
  /// Whether it could not be located just before `newestAt`.
  public var wasLost: Bool

  public init(
    newestAt: Instant? = nil, previousAt: Instant? = nil, lostAt: Instant? = nil,
    restoredAt: Instant? = nil, wasLost: Bool = false
  ) {
    self.newestAt = newestAt
    self.previousAt = previousAt
    self.lostAt = lostAt
    self.restoredAt = restoredAt
    self.wasLost = wasLost
  }

  /// At a clock-in, with the report that it was decided on.
  init(_ report: PermissionReport?) {
    self.init()
    if let report { add(report.state, at: report.effectiveAt, after: KnownState()) }
  }

  /// Adds the next report in order, as `StateTimeline` would.
  /// - Parameter known: The known values before it.
  mutating func add(_ state: PermissionState, at effectiveAt: Instant, after known: KnownState) {
    let since = max(effectiveAt, newestAt ?? effectiveAt)
    // A state that is replaced in the same instant never counted.
    if let newestAt, newestAt < since { (previousAt, wasLost) = (newestAt, known.cannotLocate) }
    newestAt = since
    var known = known
    known.learn(from: state)
    if wasLost, !known.cannotLocate { restoredAt = since }
    if state.cannotLocate { lostAt = since }
  }
}

extension ReportMarks {
  /// The marks of an open shift from all its reports; `nil` if these say something else than what
  /// the shift knows, as after a late one.
  public init?(of shift: OpenShift, _ frame: CoverageFrame) {
    let timeline = StateTimeline(frame)
    guard let own = LastTurn(of: frame, timeline), own.newest?.id == shift.report?.id else {
      return nil
    }
    var (marks, known) = (ReportMarks(newestAt: own.takenOverAt), own.known)
    for report in own.reports {
      marks.add(report.state, at: report.since, after: known)
      known.learn(from: report.state)
    }
    guard known.locates(as: shift.known) else { return nil }
    (marks.lostAt, marks.restoredAt) = (timeline.losses.last, timeline.restorations.last)
    self = marks
  }
}

/// What the device that tracks last has reported.
struct LastTurn {
  /// `nil`: the shift began on it.
  private(set) var takenOverAt: Instant?
  /// What was known of it when it took over.
  private(set) var known = KnownState()
  /// Since then, in order.
  private(set) var reports: ArraySlice<CountedReport>
  let newest: PermissionReport?

  /// `nil` if no device has tracked.
  init?(of frame: CoverageFrame, _ timeline: StateTimeline) {
    guard let turn = frame.turns.last else { return nil }
    let own = timeline.reports[turn.device] ?? []
    (reports, newest) = (own[...], own.last?.received.report)
    guard frame.devices.count > 1 else { return }
    takenOverAt = turn.time.start
    let oldest = turn.freshFor.map { turn.time.start - $0 }
    let begun = turn.begun(with: own)
    reports = own[begun...]
    for report in own[..<begun] where oldest.map({ report.since >= $0 }) ?? true {
      known.learn(from: report.state)
    }
  }
}

extension OpenShift {
  /// Notes that the device had made `earlier` before the report of its clock-in. It may belong to
  /// this shift, or to one before: then the marks are kept only if that makes no difference.
  public mutating func note(_ earlier: PermissionReport) {
    var both = KnownState(earlier)
    both.learn(from: known.state)
    let isBefore = max(earlier.effectiveAt, report?.effectiveAt ?? startedAt) <= startedAt
    if !isBefore || !both.locates(as: known) { reportMarks = nil }
  }
}

extension KnownState {
  fileprivate var cannotLocate: Bool { state.cannotLocate }

  /// Whether it says the same as `other` about everything that coverage asks.
  fileprivate func locates(as other: KnownState) -> Bool {
    state.authorization == other.state.authorization && state.services == other.state.services
      && state.accuracy == other.state.accuracy
  }
}
