import Foundation
import GuardRules
import ShiftDomain

/// What was received of one shift: as rows hold it, before any rule has looked at it.
struct ShiftRecords {
  var shift: Interval
  var fixAgeMax: TimeSpan
  var devices: [TrackingSpan]
  var pings: [ReceivedPing]
  var reports: [ReceivedReport]
  var breaks: IntervalSet
  var outages: IntervalSet

  /// What is known of it besides pings.
  var frame: CoverageFrame {
    CoverageFrame(
      shift: shift, fixAgeMax: fixAgeMax, devices: devices, reports: reports, breaks: breaks,
      outages: outages)
  }

  /// The facts of it, by the service's own rule.
  var facts: CoverageFacts {
    CoverageFacts(
      shift: shift, fixAgeMax: fixAgeMax, devices: devices, pings: pings, reports: reports,
      breaks: breaks, outages: outages)
  }

  /// A shift of up to an hour on up to three devices. Instants lie on a coarse grid, so that things
  /// often begin and end together, and sometimes a millisecond beside it; reports come late,
  /// without a number, from before the shift, and from devices that do not track.
  init(random: inout SeededRandom) {
    let length = Int64.random(in: 1...360, using: &random) * 10
    shift = Interval(from: morning, to: morning + .seconds(length))
    fixAgeMax = [.seconds(120), .seconds(180), .seconds(900)].pick(&random)
    let takeOvers = Set(
      (0..<Int.random(in: 0...2, using: &random)).map { _ in
        morning + .seconds(Int64.random(in: 1...length, using: &random))
      }
    ).sorted()
    devices = [TrackingSpan(device: 1, since: morning)]
    for since in takeOvers {
      devices.append(TrackingSpan(device: Int16.random(in: 1...3, using: &random), since: since))
    }
    pings = []
    for _ in 0..<Int.random(in: 0...25, using: &random) {
      let effectiveAt = Self.instant(&random)
      pings.append(
        ReceivedPing(
          device: Int16.random(in: 1...3, using: &random), effectiveAt: effectiveAt,
          receivedAt: effectiveAt + Self.delay(&random), speaksForPosition: !random.oneIn(4)))
    }
    reports = []
    let isNumbered = !random.oneIn(4)
    for number in 0..<Int.random(in: 0...9, using: &random) {
      reports.append(Self.report(Int64(number), isNumbered: isNumbered, &random))
    }
    breaks = Self.intervals(&random)
    outages = Self.intervals(&random)
  }

  private static func report(
    _ number: Int64, isNumbered: Bool, _ random: inout SeededRandom
  ) -> ReceivedReport {
    let effectiveAt = instant(&random)
    // Often what matters: always, denied, and nothing said.
    let authorization =
      random.oneIn(2)
      ? [.always, .denied, .always].pick(&random)
      : Authorization.allCases.pick(&random)
    let state = PermissionState(
      authorization: authorization, accuracy: LocationAccuracy.allCases.pick(&random),
      services: [.unknown, .on, .on, .off].pick(&random))
    let exit = AppExit(
      AppExitCause.allCases.pick(&random),
      at: effectiveAt - .seconds(Int64.random(in: 0...600, using: &random)))
    return ReceivedReport(
      PermissionReport(
        id: ReportID(number), state: state, effectiveAt: effectiveAt,
        sequence: isNumbered && !random.oneIn(8) ? number : nil,
        appExit: random.oneIn(5) ? exit : nil),
      from: Int16.random(in: 1...2, using: &random), receivedAt: effectiveAt + delay(&random))
  }

  private static func delay(_ random: inout SeededRandom) -> TimeSpan {
    .seconds(random.oneIn(3) ? Int64.random(in: 0...1_200, using: &random) : 1)
  }

  private static func intervals(_ random: inout SeededRandom) -> IntervalSet {
    IntervalSet(
      (0..<Int.random(in: 0...2, using: &random)).map { _ in
        let start = instant(&random)
        return Interval(
          from: start, to: start + .seconds(Int64.random(in: 1...60, using: &random) * 10))
      })
  }

  /// From ten minutes before the shift to ten minutes after the longest.
  private static func instant(_ random: inout SeededRandom) -> Instant {
    let grid = morning + .seconds(Int64.random(in: -60...420, using: &random) * 10)
    return random.oneIn(4)
      ? grid + .milliseconds(Int64.random(in: -1...1, using: &random)) : grid
  }
}

/// The records as the second reader takes them; times in milliseconds.
struct RecordsBody: Encodable {
  struct Span: Encodable {
    var device: Int16
    var since: Int64
  }
  struct Ping: Encodable {
    var device: Int16
    var at, receivedAt: Int64
    var speaksForPosition: Bool
  }
  struct Report: Encodable {
    var device: Int16
    var at, receivedAt: Int64
    var sequence: Int64?
    var authorization, services, accuracy: String

    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(device, forKey: .device)
      try values.encode(at, forKey: .at)
      try values.encode(receivedAt, forKey: .receivedAt)
      try values.encode(sequence, forKey: .sequence)  // null, where a synthesised one leaves it out
      try values.encode(authorization, forKey: .authorization)
      try values.encode(services, forKey: .services)
      try values.encode(accuracy, forKey: .accuracy)
    }

    private enum CodingKeys: CodingKey {
      case device, at, receivedAt, sequence, authorization, services, accuracy
    }
  }
  struct Cause: Encodable {
    var from, to: Int64
    var reason: String
  }

  var shift: [Int64]
  var fixAgeMax: Int64
  var tracking: [Span]
  var pings: [Ping]
  var reports: [Report]
  var breaks, outages: [[Int64]]
  var inferred: [Cause]

  /// The records of one shift; the causes inferred are given to both readers.
  init(_ records: ShiftRecords, inferred causes: [InferredCause]) {
    func bounds(_ interval: Interval) -> [Int64] {
      [interval.start.milliseconds, interval.end.milliseconds]
    }
    shift = bounds(records.shift)
    fixAgeMax = records.fixAgeMax.milliseconds
    tracking = records.devices.map { Span(device: $0.device, since: $0.since.milliseconds) }
    pings = records.pings.map { ping in
      Ping(
        device: ping.device, at: ping.effectiveAt.milliseconds,
        receivedAt: ping.receivedAt.milliseconds, speaksForPosition: ping.speaksForPosition)
    }
    reports = records.reports.map { received in
      let report = received.report
      return Report(
        device: received.device, at: report.effectiveAt.milliseconds,
        receivedAt: received.receivedAt.milliseconds, sequence: report.sequence,
        authorization: report.state.authorization.code, services: report.state.services.code,
        accuracy: report.state.accuracy.code)
    }
    breaks = records.breaks.intervals.map(bounds)
    outages = records.outages.intervals.map(bounds)
    inferred = causes.map { cause in
      Cause(
        from: cause.interval.start.milliseconds, to: cause.interval.end.milliseconds,
        reason: cause.reason.code)
    }
  }
}
