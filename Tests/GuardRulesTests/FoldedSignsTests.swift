import GuardRules
import ShiftDomain
import Testing

/// Folded pings must tell exactly what single ones tell.
@Suite("Folded signs") struct FoldedSignsTests {
  // R: W9
  @Test(
    "1,000 random shifts, told piece by piece, twice and in any order, are covered as from rows")
  func likeRows() async {
    var random = SeededRandom(seed: 77)
    var (parted, runs, pings) = (0, 0, 0)
    for round in 0..<1_000 {
      await Task.yield()  // other tests wait for this thread
      var records = ShiftRecords(random: &random)
      // Half of the phones send no positions for most of the time: then silences show.
      let whole =
        records.pings
        + (0..<40).map { Self.steady($0, in: records, speaks: round % 2 == 0) }
        .filter(records.isStored)
      let known = records.frame.reports
      // What is known besides pings comes in between, too: reports that arrive late, a break.
      records.frame.reports = []
      let rests = records.frame.breaks
      records.frame.breaks = IntervalSet()
      records.pings = []
      var signs = ShiftSigns()
      var pending: [ReceivedPing] = []
      for (index, ping) in whole.shuffled(using: &random).enumerated() {
        records.pings.append(ping)
        pending.append(ping)
        if index == 20 { records.frame.reports = known }
        if index == 30 { records.frame.breaks = rests }
        guard random.oneIn(8) || index == whole.count - 1 else { continue }
        // What is announced ends with the next ping, which may be folded already.
        if !signs.fit(records.frame) || ShiftSigns(pending).announces {
          parted += 1
          (signs, pending) = (ShiftSigns(), records.pings)
        }
        // Some come once more.
        pending += records.pings.suffix(Int.random(in: 0...5, using: &random)).filter {
          $0.restsUntil == nil && !$0.isHidden
        }
        signs = signs.folded(with: ShiftSigns(pending), in: records.frame)
        pending = []
        #expect(signs.fit(records.frame), "round \(round)")
        #expect(
          coverage(of: CoverageFacts(records.frame, signs: signs)) == coverage(of: records.facts),
          "round \(round), \(index)")
      }
      runs += signs.devices.map { $0[.fix].count + $0[.stationary].count }.reduce(0, +)
      pings += whole.count
    }
    // Otherwise nothing was tried.
    #expect(parted > 100, "\(parted)")
    #expect(runs < pings, "\(runs) of \(pings)")
  }

  /// One of many pings of the first device, close upon each other.
  private static func steady(_ index: Int, in records: ShiftRecords, speaks: Bool) -> ReceivedPing {
    ReceivedPing(
      device: 1, effectiveAt: records.frame.shift.start + .seconds(Int64(index) * 40),
      fix: speaks ? .position : nil)
  }

  private static let frame = CoverageFrame(
    shift: Interval(from: at(0), to: at(1_000)), fixAgeMax: .seconds(180),
    devices: [TrackingSpan(device: 1, since: at(0))], reports: [])

  private static func signs(_ seconds: Int64...) -> ShiftSigns {
    ShiftSigns(
      seconds.map {
        ReceivedPing(device: 1, effectiveAt: at(Double($0)), fix: .position)
      })
  }

  private static func positions(_ signs: ShiftSigns) -> [[Int64]] {
    signs.devices.flatMap { $0[.fix] }.map {
      [($0.first - at(0)).seconds, ($0.last - at(0)).seconds]
    }
  }

  @Test("join when one followed another within the limit, and not a millisecond later")
  func limit() {
    let steady = Self.signs(180, 0, 360).folded(in: Self.frame)
    #expect(Self.positions(steady) == [[0, 360]])
    var frame = Self.frame
    frame.fixAgeMax = .milliseconds(179_999)
    #expect(Self.positions(Self.signs(0, 180).folded(in: frame)) == [[0, 0], [180, 180]])
  }

  @Test("take up what lies inside, beside or around them")
  func union() {
    let run = Self.signs(100, 200, 300).folded(in: Self.frame)
    let inside = run.folded(with: Self.signs(250, 100, 300), in: Self.frame)
    #expect(Self.positions(inside) == [[100, 300]])
    let around = run.folded(with: Self.signs(0, 480, 900).folded(in: Self.frame), in: Self.frame)
    #expect(Self.positions(around) == [[0, 480], [900, 900]])
    let long = Self.signs(0, 150, 300, 450).folded(in: Self.frame)
    #expect(Self.positions(run.folded(with: long, in: Self.frame)) == [[0, 450]])
    #expect(Self.positions(long.folded(with: run, in: Self.frame)) == [[0, 450]])
  }

  @Test("are kept by device, in whatever order they are told")
  func devices() {
    let told = [Int16(3), 1, 2].map { device in
      var signs = DeviceSigns(device: device)
      signs[.fix] = [SignRun(from: at(Double(device)), to: at(Double(device)))]
      return signs
    }
    let signs = ShiftSigns(told)
    #expect(signs.devices.map(\.device) == [1, 2, 3])
    #expect(signs.adding(signs).folded(in: Self.frame) == signs)
  }

  @Test("part where a break begins or ends: behind their first, up to their last")
  func cuts() {
    var frame = Self.frame
    frame.breaks = IntervalSet(from: at(100), to: at(200))
    let cases: [(signs: ShiftSigns, fits: Bool)] = [
      (Self.signs(0, 99), true), (Self.signs(0, 100), false), (Self.signs(100, 199), true),
      (Self.signs(100, 200), false), (Self.signs(200, 250), true), (Self.signs(99, 201), false),
    ]
    for (signs, fits) in cases {
      #expect(signs.folded(in: Self.frame).fit(frame) == fits, "\(signs)")
    }
    let whole = Self.signs(0, 90, 180, 270).folded(in: Self.frame)
    let parts = whole.parted(by: frame)
    #expect(
      parts.devices.flatMap { $0[.fix] } == [
        SignRun(from: at(0), to: at(99.999)), SignRun(from: at(100), to: at(199.999)),
        SignRun(from: at(200), to: at(270)),
      ])
    #expect(parts.fit(frame))
    frame.breaks = IntervalSet(from: at(270), to: at(300))
    #expect(Self.positions(whole.parted(by: frame)) == [[0, 269], [270, 270]])
    frame.breaks = IntervalSet(from: at(100), to: at(200))
    #expect(Self.positions(Self.signs(150, 250, 50).folded(in: frame)).count == 3)
  }

  @Test("part around a fix that came at the very moment the phone lost its permission")
  func lostAtOnce() {
    var frame = Self.frame
    frame.reports = [
      ReceivedReport(
        PermissionReport(
          id: ReportID(1), state: PermissionState(authorization: .denied), effectiveAt: at(100)),
        from: 1, receivedAt: at(100))
    ]
    let pings = ShiftSigns(
      [50, 100, 100.001, 150].map {
        ReceivedPing(device: 1, effectiveAt: at($0), fix: .position)
      })
    let single = coverage(of: CoverageFacts(frame, signs: pings))
    let folded = pings.folded(in: frame)
    #expect(Self.positions(folded) == [[50, 50], [100, 100], [100, 150]])
    #expect(coverage(of: CoverageFacts(frame, signs: folded)) == single)
    #expect(single.map(\.interval.length.milliseconds).prefix(4) == [50_000, 50_000, 1, 229_999])
  }
}
