import GuardRules
import ShiftDomain

/// The records of one shift as the rows hold them, before any rule is applied.
struct ShiftRecords {
  var frame: CoverageFrame
  var pings: [ReceivedPing]

  init(frame: CoverageFrame, pings: [ReceivedPing]) {
    self.frame = frame
    self.pings = pings
  }

  /// The facts of these records.
  var facts: CoverageFacts { CoverageFacts(frame, contactRuns: ContactRuns(pings)) }

  /// A shift of up to an hour on up to three devices. Instants lie on a coarse grid, so that they
  /// often coincide, and sometimes a millisecond off it; reports come late,
  /// without a number, from before the shift, and from devices that do not track.
  init(random: inout SeededRandom) {
    let length = Int64.random(in: 1...360, using: &random) * 10
    let lengths: [TimeSpan] = [.seconds(120), .seconds(180), .seconds(900)]
    let takeOvers = Set(
      (0..<Int.random(in: 0...2, using: &random)).map { _ in
        morning + .seconds(Int64.random(in: 1...length, using: &random))
      }
    ).sorted()
    var devices = [TrackingSpan(device: 1, since: morning)]
    for since in takeOvers {
      devices.append(
        TrackingSpan(
          device: Int16.random(in: 1...3, using: &random), since: since,
          fixAgeMax: random.oneIn(2) ? lengths.pick(&random) : nil, freshFor: .seconds(300)))
    }
    frame = CoverageFrame(
      shift: Interval(from: morning, to: morning + .seconds(length)),
      fixAgeMax: lengths.pick(&random), devices: devices, reports: [],
      breaks: Self.intervals(&random), outages: Self.intervals(&random))
    let isNumbered = !random.oneIn(4)
    for number in 0..<Int.random(in: 0...9, using: &random) {
      frame.reports.append(Self.report(Int64(number), isNumbered: isNumbered, &random))
    }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let kind: SilenceKind = random.oneIn(3) ? .noFix : .noContact
      frame.silences += Self.intervals(&random).intervals.map { interval in
        // Mostly of the device that tracked when it opened; sometimes ended by the next one.
        let turn = devices.lastIndex { $0.since <= interval.start } ?? 0
        let device =
          random.oneIn(8) ? Int16.random(in: 1...3, using: &random) : devices[turn].device
        if random.oneIn(4) { return SilentSpan(kind, of: device, during: Self.open(interval)) }
        guard turn + 1 < devices.count, random.oneIn(3), interval.start < devices[turn + 1].since
        else { return SilentSpan(kind, of: device, during: interval) }
        return SilentSpan(
          kind, of: device, during: Interval(from: interval.start, to: devices[turn + 1].since))
      }
    }
    if random.oneIn(6) { frame.notAsked = Self.intervals(&random) }
    if random.oneIn(6) { frame.begunAt = Self.instant(&random) }
    if random.oneIn(6) {
      frame.offlineReceipt = morning + .seconds(Int64.random(in: 0...900, using: &random))
    }
    pings = []
    let isPlain = random.oneIn(3)
    for _ in 0..<Int.random(in: 0...25, using: &random) {
      let ping = Self.ping(isPlain: isPlain, &random)
      if isStored(ping) { pings.append(ping) }
    }
  }

  /// Whether the service would have stored the ping.
  func isStored(_ ping: ReceivedPing) -> Bool {
    let at = ping.effectiveAt
    let tracking = frame.devices.last { $0.since <= at }?.device ?? frame.devices[0].device
    return frame.shift.start <= at && at < frame.shift.end && !frame.breaks.contains(at)
      && tracking == ping.device
  }

  private static func open(_ interval: Interval) -> Interval {
    Interval(from: interval.start, to: Instant(milliseconds: .max))
  }

  private static func ping(isPlain: Bool, _ random: inout SeededRandom) -> ReceivedPing {
    let at = instant(&random)
    var ping = ReceivedPing(
      device: random.oneIn(2) ? 1 : Int16.random(in: 1...3, using: &random), effectiveAt: at,
      fix: random.oneIn(3) ? nil : .position, isStationary: random.oneIn(4))
    guard !isPlain else { return ping }
    if ping.fix != nil, random.oneIn(4) { ping.fix = random.oneIn(2) ? .mock : .coarse }
    if random.oneIn(6) {
      ping.restsUntil = at + .seconds(Int64.random(in: 0...90, using: &random) * 10)
    }
    if ping.fix == nil, random.oneIn(5) { ping.isHidden = true }
    return ping
  }

  private static func report(
    _ number: Int64, isNumbered: Bool, _ random: inout SeededRandom
  ) -> ReceivedReport {
    let effectiveAt = instant(&random)
    // Half of the time only the values that matter most: always and denied.
    let authorization =
      random.oneIn(2)
      ? [.always, .denied, .always].pick(&random)
      : Authorization.allCases.pick(&random)
    let state = PermissionState(
      authorization: authorization, accuracy: LocationAccuracy.allCases.pick(&random),
      services: [.unknown, .on, .on, .off].pick(&random))
    let exit = AppExit(
      random.oneIn(2) ? .userRequested : AppExitCause.allCases.pick(&random),
      at: effectiveAt - .seconds(Int64.random(in: 0...600, using: &random)))
    let delay: TimeSpan =
      .seconds(random.oneIn(3) ? Int64.random(in: 0...1_200, using: &random) : 1)
    return ReceivedReport(
      PermissionReport(
        id: ReportID(number), state: state, effectiveAt: effectiveAt,
        sequence: isNumbered && !random.oneIn(8) ? number : nil,
        appExit: random.oneIn(3) ? exit : nil),
      from: Int16.random(in: 1...2, using: &random), receivedAt: effectiveAt + delay)
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
