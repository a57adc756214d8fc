import GuardRules
import ShiftDomain

// The input for measuring the rules: from a seed, so that every run gets the same.

/// 2026-11-20T08:00:00Z
private let start = Instant(milliseconds: 1_795_161_600_000)

/// Evidence from all kinds of devices before a clock-in.
func benchEvidence() -> [(Evidence, Instant)] {
  var seed = Seed(1)
  return (0..<4_096).map { index in
    let now = start + .seconds(Int64(seed.below(600)))
    switch index % 16 {
    case 0: return (.noReport, now)
    case 1: return (.cannotReport(lastFixAt: start), now)
    default:
      let report = PermissionReport(
        id: ReportID(Int64(index)), state: seed.permission(), effectiveAt: start,
        skew: .seconds(Int64(seed.below(1_200)) - 600), sequence: Int64(index))
      return (.report(report, seed.below(2) == 0 ? .ios : .android), now)
    }
  }
}

/// A position between a hundred sites.
func benchPlace() -> ClockInPlace {
  let sites = (0..<100).compactMap { index in
    Coordinate(latitude: 45 + Double(index) / 1_000, longitude: 14).map {
      Site(number: Int16(index + 1), name: "", center: $0, radiusMeters: 50)
    }
  }
  let position = Coordinate(latitude: 45.0505, longitude: 14.01).map {
    ClockInPlace.Position($0, accuracyMeters: 20)
  }
  return ClockInPlace(sites: sites, position: position)
}

/// Pairs of permission states: before and after.
func benchStates() -> [(PermissionState, PermissionState)] {
  var seed = Seed(2)
  return (0..<4_096).map { _ in (seed.permission(), seed.permission()) }
}

/// The events of a shift: a clock-in, a report every quarter of an hour, some with impairments, a
/// break and a clock-out.
func benchEvents() -> [(GuardEvent, Instant)] {
  func report(_ minute: Int64, _ authorization: Authorization) -> PermissionReport {
    PermissionReport(
      id: ReportID(minute),
      state: PermissionState(authorization: authorization, accuracy: .full, services: .on),
      effectiveAt: start + .minutes(minute), sequence: minute)
  }
  var events: [(GuardEvent, Int64)] = [
    (.clockIn(device: 1, at: start, .report(report(0, .always), .android)), 0)
  ]
  for quarter in Int64(1)..<32 {
    let authorization: Authorization =
      quarter % 7 == 0 ? .denied : quarter % 5 == 0 ? .whenInUse : .always
    events.append((.report(report(15 * quarter, authorization), device: 1), 15 * quarter))
  }
  events.insert((.breakStart(at: start + .minutes(241)), 241), at: 17)
  events.insert((.breakEnd(at: start + .minutes(254)), 254), at: 18)
  events.append((.clockOut(at: start + .minutes(480)), 480))
  return events.map { event, minute in (event, start + .minutes(minute)) }
}

/// The records of a shift of eight hours.
struct BenchShift {
  let shift = Interval(from: start, to: start + .hours(8))
  var devices: [TrackingSpan]
  var pings: [ReceivedPing]
  var reports: [ReceivedReport]
  var breaks: IntervalSet

  /// - Parameters:
  ///   - pings: Spread over the shift, each within a second of its regular time.
  ///   - reports: From the devices in turn; every fourth impairs, and every sixteenth is late.
  ///   - takeOvers: By two devices in turn.
  init(pings count: Int, reports: Int, takeOvers: Int) {
    var seed = Seed(3)
    let length = shift.length.milliseconds
    func instant(_ index: Int, of count: Int) -> Instant {
      start + .milliseconds(length * Int64(index) / Int64(max(count, 1)))
    }
    let devices = (0...takeOvers).map { index in
      TrackingSpan(device: Int16(index % 2 + 1), since: instant(index, of: takeOvers + 1))
    }
    self.devices = devices
    pings = (0..<count).map { index in
      let effectiveAt = instant(index, of: count)
      return ReceivedPing(
        device: takeOvers == 0 ? 1 : Int16(index % 2 + 1),
        effectiveAt: effectiveAt + .milliseconds(Int64(seed.below(1_000))),
        fix: index % 10 == 0 ? nil : .position)
    }
    self.reports = (0..<reports).map { index in
      let effectiveAt = instant(index, of: reports)
      let authorization: Authorization = index % 4 == 3 ? .denied : .always
      let report = PermissionReport(
        id: ReportID(Int64(index)),
        state: PermissionState(authorization: authorization, accuracy: .full, services: .on),
        effectiveAt: effectiveAt, sequence: Int64(index % 16 == 15 ? index - 5 : index))
      return ReceivedReport(
        report, from: takeOvers == 0 ? 1 : Int16(index % 2 + 1),
        receivedAt: effectiveAt + .milliseconds(500))
    }
    breaks = IntervalSet(from: start + .hours(4), to: start + .minutes(270))
  }

  /// The facts from these records.
  var facts: CoverageFacts {
    CoverageFacts(
      CoverageFrame(
        shift: shift, fixAgeMax: .seconds(180), devices: devices, reports: reports,
        breaks: breaks),
      contactRuns: ContactRuns(pings))
  }
}

/// A seeded source of small numbers (SplitMix64).
private struct Seed {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }

  mutating func permission() -> PermissionState {
    PermissionState(
      authorization: Authorization.allCases[below(Authorization.allCases.count)],
      accuracy: LocationAccuracy.allCases[below(LocationAccuracy.allCases.count)],
      services: Switch.allCases[below(Switch.allCases.count)],
      conditions: DeviceConditions(
        notifications: Switch.allCases[below(Switch.allCases.count)],
        batteryOptimisation: Switch.allCases[below(Switch.allCases.count)]))
  }
}
