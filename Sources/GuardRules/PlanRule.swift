public import ShiftDomain

/// A planned shift, as far as a clock-in is judged by it.
public struct PlannedSpan: Hashable, Sendable {
  public var span: Interval
  /// The numbers of the sites that it names; none: those of the team are meant.
  public var sites: [Int16]

  public init(_ span: Interval, sites: [Int16] = []) {
    self.span = span
    self.sites = sites
  }

  public var start: Instant { span.start }
  public var end: Instant { span.end }

  /// How far its start is from a clock-in at this instant; `nil` if it is over by then or begins
  /// more than twelve hours later.
  public func distance(at instant: Instant) -> TimeSpan? {
    guard instant < end, start - instant <= ClockInPlan.ahead else { return nil }
    return start > instant ? start - instant : instant - start
  }
}

/// What was planned for an employee who clocks in.
public struct ClockInPlan: Hashable, Sendable {
  /// The planned shifts that are not over at the clock-in, as far as they are known.
  public var planned: [PlannedSpan]
  /// The absences that are not over at the clock-in, as far as they are known.
  public var absences: [Interval]
  /// Planned shifts and absences that begin from then on may be missing; `nil`: none is.
  public var knownUntil: Instant?

  /// A clock-in that is earlier than this before a planned shift has nothing to do with it.
  public static let ahead = TimeSpan.hours(12)

  public init(
    _ planned: [PlannedSpan] = [], absences: [Interval] = [], knownUntil: Instant? = nil
  ) {
    self.planned = planned
    self.absences = absences
    self.knownUntil = knownUntil
  }

  /// Planned shifts that name no sites.
  public init(planned spans: [Interval], absences: [Interval] = [], knownUntil: Instant? = nil) {
    self.init(spans.map { PlannedSpan($0) }, absences: absences, knownUntil: knownUntil)
  }
}

extension ClockInPlan {
  public func findings(at instant: Instant, under policy: Policy) -> FindingSet {
    var standing: PlanStanding = []
    for shift in planned {
      standing.formUnion(PlanStanding(of: shift.span, at: instant, earlyWindow: policy.earlyWindow))
    }
    for absence in absences {
      standing.formUnion(PlanStanding(ofAbsence: absence, at: instant))
    }
    return standing.findings(at: instant, knownUntil: knownUntil)
  }

  /// From when the employee may clock in for the next planned shift; `nil` unless it is too early.
  public func allowedFrom(at instant: Instant, under policy: Policy) -> Instant? {
    guard findings(at: instant, under: policy) == FindingSet(.tooEarly) else { return nil }
    return nextStart(after: instant).map { $0 - policy.earlyWindow }
  }

  /// When what it says of a clock-in may change.
  public func turns(under policy: Policy) -> [Instant] {
    planned.flatMap { [$0.start - Self.ahead, $0.start - policy.earlyWindow, $0.end] }
      + absences.flatMap { [$0.start, $0.end] }
  }

  /// The sites in force: those of `team` that the planned shift of a clock-in at this instant
  /// names, else all of them. A named site that was removed since does not count; nor does what is
  /// named where a shift that is not known may be nearer.
  public func sites(at instant: Instant, of team: [Site]) -> [Site] {
    guard let planned = plannedShift(at: instant), let distance = planned.distance(at: instant),
      knownUntil.map({ $0 - instant >= distance }) ?? true
    else { return team }
    let named = planned.sites
    let found = team.filter { named.contains($0.number) }
    return found.isEmpty ? team : found
  }

  /// The planned shift of a clock-in at this instant: of those that contain it or begin at most
  /// twelve hours after it, the one whose start is nearest; of two, the earlier.
  func plannedShift(at instant: Instant) -> PlannedSpan? {
    var nearest: (shift: PlannedSpan, distance: TimeSpan)?
    for shift in planned {
      guard let distance = shift.distance(at: instant) else { continue }
      if let nearest,
        distance > nearest.distance
          || distance == nearest.distance && nearest.shift.start <= shift.start
      {
        continue
      }
      nearest = (shift, distance)
    }
    return nearest?.shift
  }

  private func nextStart(after instant: Instant) -> Instant? {
    planned.lazy.map { $0.start }.filter { $0 > instant && $0 - instant <= Self.ahead }.min()
  }
}

/// How planned shifts and absences stand to a clock-in: the union of what each of them comes to.
/// Needs no memory of its own: pages have none.
public struct PlanStanding: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A shift contains the clock-in, or begins soon enough after it.
  public static let allowed = PlanStanding(rawValue: 1 << 0)
  /// A shift begins within twelve hours.
  public static let later = PlanStanding(rawValue: 1 << 1)
  /// An absence contains the clock-in.
  public static let absent = PlanStanding(rawValue: 1 << 2)

  /// Of one planned shift.
  public init(of planned: Interval, at instant: Instant, earlyWindow: TimeSpan) {
    let ahead = planned.start - instant
    guard instant < planned.end else {
      self = []
      return
    }
    if ahead <= earlyWindow {
      self = .allowed
    } else {
      self = ahead <= ClockInPlan.ahead ? .later : []
    }
  }

  /// Of one absence.
  public init(ofAbsence absence: Interval, at instant: Instant) {
    self = absence.start <= instant && instant < absence.end ? .absent : []
  }

  /// What is not known raises no finding: neither past the known plan, nor where a shift that
  /// begins after its end would make the difference.
  public func findings(at instant: Instant, knownUntil: Instant?) -> FindingSet {
    if let knownUntil, instant >= knownUntil { return [] }
    if contains(.absent) { return FindingSet(.notPlanned) }
    if contains(.allowed) { return [] }
    if contains(.later) { return FindingSet(.tooEarly) }
    if let knownUntil, instant + ClockInPlan.ahead >= knownUntil { return [] }
    return FindingSet(.notPlanned)
  }
}

/// What a clock-in is judged by besides its phone.
public struct PlaceAndPlan: Hashable, Sendable {
  /// `nil`: judged at the clock-in, not in this check.
  public var place: ClockInPlace?
  /// `nil`: not known here.
  public var plan: ClockInPlan?

  public init(place: ClockInPlace? = nil, plan: ClockInPlan? = nil) {
    self.place = place
    self.plan = plan
  }

  public func findings(at instant: Instant, under policy: Policy) -> FindingSet {
    (place?.findings ?? []).union(plan?.findings(at: instant, under: policy) ?? [])
  }
}
