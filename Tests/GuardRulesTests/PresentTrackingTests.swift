import ShiftDomain
import Testing

@testable import GuardRules

@Suite("The present tracking state") struct PresentTrackingTests {
  // R: M6
  @Test("is by the state and the newest pings what it is by the coverage of the whole shift")
  func agrees() {
    var random = SeededRandom(seed: 34)
    var found: [CoverageReason?: Int] = [:]
    for round in 0..<12_000 {
      let present = Present(random: &random)
      let whole = TrackingState(in: coverage(of: present.records.facts), at: present.asOf)
      guard
        let short = present.state.trackingState(
          in: present.frame, newest: present.newest, at: present.asOf)
      else { continue }
      #expect(short == whole, "round \(round)")
      found[short.reason, default: 0] += 1
    }
    #expect(found.values.reduce(0, +) > 6_000, "mostly, nothing else is read")
    for reason in [
      nil, .denied, .servicesOff, .waitingFirstFix, .resuming, .noFix, .noContact, .mockLocation,
      .lowAccuracy, .pageHidden,
    ] as [CoverageReason?] {
      #expect(found[reason, default: 0] > 10, "\(reason?.code ?? "tracked")")
    }
  }

  @Test("costs no reading before the first position, and a rest ends with the next report")
  func restEnds() {
    var state = GuardState(
      shift: OpenShift(number: 1, device: 1, startedAt: morning, report: nil))
    let frame = CoverageFrame(
      shift: Interval(from: morning, to: morning + .hours(1)), fixAgeMax: .seconds(180),
      devices: [TrackingSpan(device: 1, since: morning)], reports: [])
    let pings = [
      ReceivedPing(device: 1, effectiveAt: morning + .minutes(1), fix: .position),
      ReceivedPing(
        device: 1, effectiveAt: morning + .minutes(2), isStationary: true,
        restsUntil: morning + .minutes(40)),
    ]
    func reason(_ minutes: Int64) -> CoverageReason?? {
      state.trackingState(in: frame, newest: pings, at: morning + .minutes(minutes)).map(\.reason)
    }
    #expect(reason(42) == .some(nil))
    #expect(reason(43) == .noFix)
    state.shift?.reportMarks = ReportMarks(newestAt: morning + .minutes(20))
    #expect(reason(22) == .some(nil))
    #expect(reason(23) == .noFix)
    state.shift?.reportMarks?.previousAt = morning + .minutes(19)
    #expect(reason(21) == nil, "a report before these may have ended the rest")
    #expect(reason(22) == .noFix)
  }

  @Test("a ping that does not count may keep the one before it from being read")
  func pingInBreak() {
    let rest = ReceivedPing(
      device: 1, effectiveAt: morning + .minutes(2), fix: .position,
      restsUntil: morning + .minutes(40))
    let late = ReceivedPing(device: 1, effectiveAt: morning + .minutes(7))
    let frame = CoverageFrame(
      shift: Interval(from: morning, to: morning + .hours(1)), fixAgeMax: .seconds(180),
      devices: [TrackingSpan(device: 1, since: morning)], reports: [],
      breaks: IntervalSet([
        Interval(from: morning + .minutes(5), to: morning + .minutes(9))
      ]))
    let state = GuardState(
      shift: OpenShift(number: 1, device: 1, startedAt: morning, report: nil))
    func known(_ pings: [ReceivedPing]) -> TrackingState? {
      state.trackingState(in: frame, newest: pings, at: morning + .minutes(12))
    }
    #expect(known([late]) == nil, "what it hides is in all records of the shift")
    #expect(known([late, rest])?.value == .tracked)
  }
}

/// A random shift as it is known at an instant of it.
private struct Present {
  var records: ShiftRecords
  let asOf: Instant
  var state: GuardState

  init(random: inout SeededRandom) {
    var records = ShiftRecords(random: &random)
    let length = records.frame.shift.length.milliseconds
    let asOf =
      records.frame.shift.start + .milliseconds(Int64.random(in: 0..<length, using: &random))
    var frame = records.frame
    frame.shift.end = asOf + .milliseconds(1)
    frame.devices.removeAll { $0.since > asOf }
    frame.reports.removeAll { max($0.receivedAt, $0.report.effectiveAt) > asOf }
    frame.breaks = IntervalSet(frame.breaks.intervals.filter { $0.start <= asOf })
    (frame.outages, frame.notAsked, frame.offlineReceipt) = (IntervalSet(), IntervalSet(), nil)
    frame.silences = frame.silences.filter { $0.interval.start <= asOf }.map { silence in
      var silence = silence
      if silence.interval.end > asOf { silence.interval.end = Instant(milliseconds: .max) }
      return silence
    }
    records.frame = frame
    records.pings.removeAll { $0.effectiveAt > asOf }
    self.records = records
    self.asOf = asOf
    state = GuardState()
    var shift = OpenShift(
      number: 1, device: frame.devices.last?.device, startedAt: frame.shift.start,
      report: inOrder(frame.reports.filter { $0.device == frame.devices.last?.device }).last?
        .report,
      known: known, takenOverAt: frame.devices.count > 1 ? frame.devices.last?.since : nil)
    shift.reportMarks = ReportMarks(of: shift, frame)
    state.shift = shift
    for silence in frame.silences where silence.interval.end > asOf {
      let kind: IncidentKind = silence.kind == .noContact ? .noContact : .noFix
      state.incidents.append(
        OpenIncident(
          number: 1, kind: kind, origin: .midShift, openedAt: silence.interval.start,
          debouncedUntil: asOf, notificationDueAt: nil))
    }
  }

  /// What its tracking device's reports say, those from before its take-over if they are fresh.
  private var known: KnownState {
    guard let turn = records.frame.devices.last else { return KnownState() }
    let isFirst = records.frame.devices.count == 1
    var known = PermissionState(authorization: .unknown)
    for state in reportsInOrder(records.frame.reports.filter { $0.device == turn.device })
    where isFirst || state.since >= turn.since - (turn.freshFor ?? .hours(24)) {
      if state.state.authorization != .unknown { known.authorization = state.state.authorization }
      if state.state.accuracy != .unknown { known.accuracy = state.state.accuracy }
      if state.state.services != .unknown { known.services = state.state.services }
    }
    return KnownState(known)
  }

  /// Its breaks and devices alone.
  var frame: CoverageFrame {
    var frame = records.frame
    (frame.reports, frame.silences) = ([], [])
    return frame
  }

  /// Only the pings that must be read.
  var newest: [ReceivedPing] {
    let ages = records.frame.devices.map { $0.fixAgeMax ?? records.frame.fixAgeMax }
    let since = asOf - (ages + [records.frame.fixAgeMax]).reduce(.zero) { max($0, $1) }
    var found = records.pings.filter { $0.effectiveAt > since }
    for device in Set(records.pings.map(\.device)) {
      let own = records.pings.filter { $0.device == device }
      let before = own.filter { $0.effectiveAt <= since }.map(\.effectiveAt).max()
      found += own.filter { $0.effectiveAt == before }
      let position = own.filter { $0.fix == .position }.map(\.effectiveAt).max()
      found += own.filter { $0.fix == .position && $0.effectiveAt == position }
    }
    return found
  }
}
