public import ShiftDomain

/// All that coverage is computed from, besides pings.
public struct CoverageFrame: Hashable, Sendable {
  /// The shift; an open one ends at the time of asking.
  public var shift: Interval
  /// How long a fix speaks: the policy's `fixAgeMax` at clock-in.
  public var fixAgeMax: TimeSpan
  /// Who tracked from when on; the first from the shift's start.
  public var devices: [TrackingSpan]
  /// Those of the shift, with the one that each device had made before, in any order.
  public var reports: [ReceivedReport]
  /// The employee's breaks.
  public var breaks: IntervalSet
  /// Our own outages.
  public var outages: IntervalSet

  /// What frames a shift's pings.
  public init(
    shift: Interval, fixAgeMax: TimeSpan, devices: [TrackingSpan], reports: [ReceivedReport],
    breaks: IntervalSet = IntervalSet(), outages: IntervalSet = IntervalSet()
  ) {
    self.shift = shift
    self.fixAgeMax = fixAgeMax
    self.devices = devices
    self.reports = reports
    self.breaks = breaks
    self.outages = outages
  }

  /// The instants from which, or up to which, coverage asks for single signs; sorted.
  public var cuts: [Instant] {
    let facts = CoverageFacts(self, signs: ShiftSigns())
    let timeline = StateTimeline(facts.states, over: shift)
    var cuts = [shift.start] + facts.takeOvers + timeline.restorations
    for rest in breaks.intervals { cuts += [rest.start, rest.end] }
    // A fix at the very start of such a state is lost with it, and the next one is not.
    for lost in timeline.cannotLocate.intervals {
      cuts += [lost.start, lost.start + .milliseconds(1)]
    }
    for device in Set(devices.map { $0.device }) {
      cuts += silenceProbes(of: reports.filter { $0.device == device })
    }
    return cuts.sorted()
  }
}
