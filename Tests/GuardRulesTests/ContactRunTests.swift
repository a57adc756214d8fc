import GuardRules
import ShiftDomain
import Testing

/// Contact runs must give exactly the coverage that single pings give.
@Suite("Contact runs") struct ContactRunTests {
  // R: W9
  @Test(
    "cover 1,000 random shifts as the rows do, received in parts, repeated and in any order")
  func likeRows() async {
    var random = SeededRandom(seed: 77)
    var (parted, runs, pings) = (0, 0, 0)
    for round in 0..<1_000 {
      await Task.yield()  // other tests wait for this thread
      var records = ShiftRecords(random: &random)
      // Half of the phones send no positions most of the time, so that silences occur.
      let whole =
        records.pings
        + (0..<40).map { Self.steady($0, in: records, speaks: round % 2 == 0) }
        .filter(records.isStored)
      let known = records.frame.reports
      // Other facts become known between the pings: late reports and breaks.
      records.frame.reports = []
      let rests = records.frame.breaks
      records.frame.breaks = IntervalSet()
      records.pings = []
      var contactRuns = ContactRuns()
      var pending: [ReceivedPing] = []
      for (index, ping) in whole.shuffled(using: &random).enumerated() {
        records.pings.append(ping)
        pending.append(ping)
        if index == 20 { records.frame.reports = known }
        if index == 30 { records.frame.breaks = rests }
        guard random.oneIn(8) || index == whole.count - 1 else { continue }
        // An announced rest or hidden page ends with the next ping, which may already be merged.
        if !contactRuns.fit(records.frame) || ContactRuns(pending).announces {
          parted += 1
          (contactRuns, pending) = (ContactRuns(), records.pings)
        }
        // Some pings are received twice.
        pending += records.pings.suffix(Int.random(in: 0...5, using: &random)).filter {
          $0.restsUntil == nil && !$0.isHidden
        }
        contactRuns = contactRuns.merged(with: ContactRuns(pending), in: records.frame)
        pending = []
        #expect(contactRuns.fit(records.frame), "round \(round)")
        #expect(
          coverage(of: CoverageFacts(records.frame, contactRuns: contactRuns))
            == coverage(of: records.facts),
          "round \(round), \(index)")
      }
      runs += contactRuns.devices.map { $0[.fix].count + $0[.stationary].count }.reduce(0, +)
      pings += whole.count
    }
    // Otherwise the test proves nothing.
    #expect(parted > 100, "\(parted)")
    #expect(runs < pings, "\(runs) of \(pings)")
  }

  /// One of many pings of the first device, at short intervals.
  private static func steady(_ index: Int, in records: ShiftRecords, speaks: Bool) -> ReceivedPing {
    ReceivedPing(
      device: 1, effectiveAt: records.frame.shift.start + .seconds(Int64(index) * 40),
      fix: speaks ? .position : nil)
  }

  private static let frame = CoverageFrame(
    shift: Interval(from: at(0), to: at(1_000)), fixAgeMax: .seconds(180),
    devices: [TrackingSpan(device: 1, since: at(0))], reports: [])

  private static func contactRuns(_ seconds: Int64...) -> ContactRuns {
    ContactRuns(
      seconds.map {
        ReceivedPing(device: 1, effectiveAt: at(Double($0)), fix: .position)
      })
  }

  private static func positions(_ contactRuns: ContactRuns) -> [[Int64]] {
    contactRuns.devices.flatMap { $0[.fix] }.map {
      [($0.first - at(0)).seconds, ($0.last - at(0)).seconds]
    }
  }

  @Test("join pings up to the limit apart, and not a millisecond more")
  func limit() {
    let steady = Self.contactRuns(180, 0, 360).merged(in: Self.frame)
    #expect(Self.positions(steady) == [[0, 360]])
    var frame = Self.frame
    frame.fixAgeMax = .milliseconds(179_999)
    #expect(Self.positions(Self.contactRuns(0, 180).merged(in: frame)) == [[0, 0], [180, 180]])
  }

  @Test("merge with runs inside, beside or around them")
  func union() {
    let run = Self.contactRuns(100, 200, 300).merged(in: Self.frame)
    let inside = run.merged(with: Self.contactRuns(250, 100, 300), in: Self.frame)
    #expect(Self.positions(inside) == [[100, 300]])
    let around = run.merged(
      with: Self.contactRuns(0, 480, 900).merged(in: Self.frame), in: Self.frame)
    #expect(Self.positions(around) == [[0, 480], [900, 900]])
    let long = Self.contactRuns(0, 150, 300, 450).merged(in: Self.frame)
    #expect(Self.positions(run.merged(with: long, in: Self.frame)) == [[0, 450]])
    #expect(Self.positions(long.merged(with: run, in: Self.frame)) == [[0, 450]])
  }

  @Test("are kept by device, whatever the order of the input")
  func devices() {
    let told = [Int16(3), 1, 2].map { device in
      var contactRuns = DeviceContactRuns(device: device)
      contactRuns[.fix] = [ContactRun(from: at(Double(device)), to: at(Double(device)))]
      return contactRuns
    }
    let contactRuns = ContactRuns(told)
    #expect(contactRuns.devices.map(\.device) == [1, 2, 3])
    #expect(contactRuns.adding(contactRuns).merged(in: Self.frame) == contactRuns)
  }

  @Test("are split where a break begins or ends, after their first ping and up to their last")
  func cuts() {
    var frame = Self.frame
    frame.breaks = IntervalSet(from: at(100), to: at(200))
    let cases: [(contactRuns: ContactRuns, fits: Bool)] = [
      (Self.contactRuns(0, 99), true), (Self.contactRuns(0, 100), false),
      (Self.contactRuns(100, 199), true),
      (Self.contactRuns(100, 200), false), (Self.contactRuns(200, 250), true),
      (Self.contactRuns(99, 201), false),
    ]
    for (contactRuns, fits) in cases {
      #expect(contactRuns.merged(in: Self.frame).fit(frame) == fits, "\(contactRuns)")
    }
    let whole = Self.contactRuns(0, 90, 180, 270).merged(in: Self.frame)
    let parts = whole.parted(by: frame)
    #expect(
      parts.devices.flatMap { $0[.fix] } == [
        ContactRun(from: at(0), to: at(99.999)), ContactRun(from: at(100), to: at(199.999)),
        ContactRun(from: at(200), to: at(270)),
      ])
    #expect(parts.fit(frame))
    frame.breaks = IntervalSet(from: at(270), to: at(300))
    #expect(Self.positions(whole.parted(by: frame)) == [[0, 269], [270, 270]])
    frame.breaks = IntervalSet(from: at(100), to: at(200))
    #expect(Self.positions(Self.contactRuns(150, 250, 50).merged(in: frame)).count == 3)
    frame.breaks = IntervalSet()
    frame.added = IntervalSet(from: at(100), to: at(200))
    #expect(Self.positions(whole.parted(by: frame)) == [[0, 99], [200, 270]])
  }

  @Test("are split around a fix at the very moment when the phone lost its permission")
  func lostAtOnce() {
    var frame = Self.frame
    frame.reports = [
      ReceivedReport(
        PermissionReport(
          id: ReportID(1), state: PermissionState(authorization: .denied), effectiveAt: at(100)),
        from: 1, receivedAt: at(100))
    ]
    let pings = ContactRuns(
      [50, 100, 100.001, 150].map {
        ReceivedPing(device: 1, effectiveAt: at($0), fix: .position)
      })
    let single = coverage(of: CoverageFacts(frame, contactRuns: pings))
    let merged = pings.merged(in: frame)
    #expect(Self.positions(merged) == [[50, 50], [100, 100], [100, 150]])
    #expect(coverage(of: CoverageFacts(frame, contactRuns: merged)) == single)
    #expect(single.map(\.interval.length.milliseconds).prefix(4) == [50_000, 50_000, 1, 229_999])
  }
}
