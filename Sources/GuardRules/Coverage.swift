public import ShiftDomain

/// Why an instant of a shift was tracked, or was not. Raw values are stored; append-only.
public enum CoverageReason: UInt8, Coded {
  /// A fix, or a sign of life at rest, speaks for it.
  case tracked = 0
  /// The employee was on a break.
  case onBreak = 1
  /// Location was forbidden by an administrator.
  case restricted = 2
  /// Location services were off.
  case servicesOff = 3
  /// The employee had refused location.
  case denied = 4
  /// The app had not asked, or *Allow Once* had run out.
  case notDetermined = 5
  /// Positions were approximate, and none came.
  case accuracyReduced = 6
  /// Location was granted only while in use, and none came.
  case whenInUse = 7
  /// The app had been ended.
  case appTerminated = 8
  /// Our own outage; counts against nobody.
  case serviceUnavailable = 9
  /// Tracking had only just begun.
  case waitingFirstFix = 10
  /// The permission had only just come back.
  case resuming = 11
  /// The phone spoke but sent no position.
  case noFix = 12
  /// Nothing was heard of the phone.
  case noContact = 13

  /// Its word in JSON.
  public var code: String {
    switch self {
    case .tracked: "tracked"
    case .onBreak: "on_break"
    case .restricted: "restricted"
    case .servicesOff: "services_off"
    case .denied: "denied"
    case .notDetermined: "not_determined"
    case .accuracyReduced: "accuracy_reduced"
    case .whenInUse: "when_in_use"
    case .appTerminated: "app_terminated"
    case .serviceUnavailable: "service_unavailable"
    case .waitingFirstFix: "waiting_first_fix"
    case .resuming: "resuming"
    case .noFix: "no_fix"
    case .noContact: "no_contact"
    }
  }
}

/// A stretch of a shift with one reason.
public struct CoverageSegment: Hashable, Sendable {
  /// When.
  public var interval: Interval
  /// Why.
  public var reason: CoverageReason
  /// Tracked, but under while-in-use or reduced accuracy.
  public var isAtRisk: Bool

  /// `reason` during `interval`.
  public init(interval: Interval, reason: CoverageReason, isAtRisk: Bool) {
    self.interval = interval
    self.reason = reason
    self.isAtRisk = isAtRisk
  }
}

/// All that coverage is computed from. Order and duplicates do not matter, except in `states`.
public struct CoverageFacts: Sendable {
  /// The shift, or the part of an open one that has passed.
  public var shift: Interval
  /// The employee's breaks.
  public var breaks = IntervalSet()
  /// Effective times of fixes, and of signs of life at rest, of the device that tracked then.
  public var fixes: [Instant] = []
  /// Receipts of whatever came from the tracking device.
  public var contacts: [Instant] = []
  /// Time that begins and ends with one of `fixes`, and in which one followed another within
  /// `fixAgeMax`: for fixes that are not told one by one.
  public var fixRuns: [Interval] = []
  /// The like for `contacts`.
  public var contactRuns: [Interval] = []
  /// The tracking device's reports, by effective time; the one in force at the start comes first,
  /// whenever it was made. Without one, nothing is known before the first.
  public var states: [ReportedState] = []
  /// Causes found out afterwards.
  public var inferred: [InferredCause] = []
  /// Our own outages.
  public var outages = IntervalSet()
  /// Take-overs by another device, at which waiting for a first fix begins anew.
  public var takeOvers: [Instant] = []
  /// How long a fix speaks: the policy's `fixAgeMax` at clock-in.
  public var fixAgeMax: TimeSpan

  /// The facts of a shift of which nothing else is known yet.
  public init(shift: Interval, fixAgeMax: TimeSpan) {
    self.shift = shift
    self.fixAgeMax = fixAgeMax
  }
}

/// A permission state and the instant from which it held.
public struct ReportedState: Hashable, Sendable {
  /// From when.
  public var since: Instant
  /// What.
  public var state: PermissionState
  /// Whether another device speaks from here on: what this state leaves unknown is unknown.
  public var startsAnew: Bool

  /// `state`, in force since `since`.
  public init(since: Instant, state: PermissionState, startsAnew: Bool = false) {
    self.since = since
    self.state = state
    self.startsAnew = startsAnew
  }
}

/// A cause of silence that later evidence explained.
public struct InferredCause: Hashable, Sendable {
  /// The silence it explains.
  public var interval: Interval
  /// The cause.
  public var reason: CoverageReason

  /// `reason` during `interval`.
  public init(interval: Interval, reason: CoverageReason) {
    self.interval = interval
    self.reason = reason
  }
}

/// Every instant of the shift with its reason: sorted, gapless, summing to the shift exactly.
///
/// Reasons are layers, most telling first. Each takes what it explains of the time still
/// unexplained, so segments cannot overlap and nothing can be left over.
public func coverage(of facts: CoverageFacts) -> [CoverageSegment] {
  let timeline = StateTimeline(facts.states, over: facts.shift)
  var layers = Layers(over: facts.shift)

  layers.take(facts.breaks, as: .onBreak)
  layers.take(trackedTime(facts, timeline), as: .tracked)
  for reason in StateTimeline.reasonsByRank {
    layers.take(timeline.time(of: reason), as: reason)
  }
  for reason in CoverageReason.allCases {
    let causes = facts.inferred.filter { $0.reason == reason }
    layers.take(IntervalSet(causes.map { $0.interval }), as: reason)
  }
  layers.take(facts.outages, as: .serviceUnavailable)
  let beginnings = [facts.shift.start] + facts.breaks.intervals.map { $0.end } + facts.takeOvers
  layers.take(waits(after: beginnings, facts), as: .waitingFirstFix)
  layers.take(waits(after: timeline.restorations, facts), as: .resuming)
  layers.take(echoes(facts), as: .noFix)
  layers.takeRest(as: .noContact)
  return layers.segments(atRiskDuring: timeline.atRisk)
}

/// ⋃ [t, min(t + fixAgeMax, start of the next cannot-locate state ≥ t)).
private func trackedTime(_ facts: CoverageFacts, _ timeline: StateTimeline) -> IntervalSet {
  let starts = timeline.cannotLocate.intervals.map { $0.start }
  return IntervalSet(
    facts.fixes.compactMap { fix in
      // What lies past the end is cut off with the layers.
      guard facts.shift.start <= fix else { return nil }
      let end = fix + facts.fixAgeMax
      let lost = starts.isEmpty ? nil : starts[starts.firstIndex(from: fix)...].first
      return Interval(from: fix, to: min(end, lost ?? end))
    } + facts.fixRuns)
}

/// From each beginning to the next fix, `fixAgeMax` at most.
private func waits(after beginnings: [Instant], _ facts: CoverageFacts) -> IntervalSet {
  let fixes = facts.fixes.sorted()
  return IntervalSet(
    beginnings.map { start in
      let end = start + facts.fixAgeMax
      let next = fixes[fixes.firstIndex(from: start)...].first
      return Interval(from: start, to: min(end, next ?? end))
    })
}

/// (x − fixAgeMax, x] holds a contact exactly when x lies in [contact, contact + fixAgeMax).
private func echoes(_ facts: CoverageFacts) -> IntervalSet {
  IntervalSet(
    facts.contacts.map { Interval(from: $0, to: $0 + facts.fixAgeMax) } + facts.contactRuns)
}

/// The time still unexplained, and what has been explained so far.
private struct Layers {
  private var rest: IntervalSet
  private var taken: [CoverageSegment] = []

  init(over shift: Interval) { rest = IntervalSet([shift]) }

  mutating func take(_ time: IntervalSet, as reason: CoverageReason) {
    for interval in rest.intersection(time).intervals {
      taken.append(CoverageSegment(interval: interval, reason: reason, isAtRisk: false))
    }
    rest = rest.subtracting(time)
  }

  mutating func takeRest(as reason: CoverageReason) { take(rest, as: reason) }

  /// In order of time, tracked time split where a risk begins or ends.
  func segments(atRiskDuring risk: IntervalSet) -> [CoverageSegment] {
    var segments: [CoverageSegment] = []
    for segment in taken {
      guard segment.reason == .tracked else {
        segments.append(segment)
        continue
      }
      let tracked = IntervalSet([segment.interval])
      for (part, isAtRisk) in [
        (tracked.intersection(risk), true), (tracked.subtracting(risk), false),
      ] {
        for interval in part.intervals {
          segments.append(
            CoverageSegment(interval: interval, reason: .tracked, isAtRisk: isAtRisk))
        }
      }
    }
    return segments.sorted { $0.interval.start < $1.interval.start }.joined
  }
}

extension [CoverageSegment] {
  /// Neighbours with one reason, though known by different evidence, are one segment.
  fileprivate var joined: [CoverageSegment] {
    var joined: [CoverageSegment] = []
    for segment in self {
      if let last = joined.last, last.reason == segment.reason, last.isAtRisk == segment.isAtRisk {
        joined[joined.count - 1].interval.end = segment.interval.end
      } else {
        joined.append(segment)
      }
    }
    return joined
  }
}
