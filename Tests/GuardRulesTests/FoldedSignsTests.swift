import GuardRules
import ShiftDomain
import Testing

/// Folded pings must tell exactly what single ones tell.
@Suite("Folded signs") struct FoldedSignsTests {
  @Test("runs are parted where the end of an app is looked for, unless nobody knows its cause")
  func exits() {
    func cuts(_ cause: AppExitCause) -> [Int64] {
      let exit = AppExit(cause, at: Instant(milliseconds: 200_000))
      // Late: a newer one has come before it.
      let denied = PermissionReport(
        id: ReportID(2), state: PermissionState(authorization: .denied),
        effectiveAt: Instant(milliseconds: 300_000), sequence: 1, appExit: exit)
      let newer = PermissionReport(
        id: ReportID(3), state: PermissionState(authorization: .always),
        effectiveAt: Instant(milliseconds: 400_000), sequence: 2)
      return CoverageFrame(
        shift: Interval(from: Instant(milliseconds: 0), to: Instant(milliseconds: 600_000)),
        fixAgeMax: .seconds(180),
        devices: [TrackingSpan(device: 1, since: Instant(milliseconds: 0))],
        reports: [
          ReceivedReport(newer, from: 1, receivedAt: newer.effectiveAt),
          ReceivedReport(denied, from: 1, receivedAt: Instant(milliseconds: 500_000)),
        ]
      ).cuts.map(\.milliseconds).filter { (199_000...201_000).contains($0) }
    }
    #expect(cuts(.userRequested) == [200_001])
    #expect(cuts(.other) == [])
  }

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
        + (0..<40).map { Self.steady($0, in: records, speaks: round % 2 == 0, &random) }
      let known = records.reports
      // What is known besides pings comes in between, too: reports that arrive late, a break.
      records.pings = []
      records.reports = []
      let rests = records.breaks
      records.breaks = IntervalSet()
      var signs = ShiftSigns()
      var (rows, pending): ([ReceivedPing], [ReceivedPing]) = ([], [])
      for (index, ping) in whole.shuffled(using: &random).enumerated() {
        rows.append(ping)
        pending.append(ping)
        if index == 20 { records.reports = known }
        if index == 30 { records.breaks = rests }
        guard random.oneIn(8) || index == whole.count - 1 else { continue }
        if !signs.fit(records.frame) {
          parted += 1
          (signs, pending) = (ShiftSigns(), rows)
        }
        // Some come once more.
        pending += rows.suffix(Int.random(in: 0...5, using: &random))
        signs = signs.folded(with: ShiftSigns(pending), in: records.frame)
        pending = []
        #expect(signs.fit(records.frame), "round \(round)")
        records.pings = rows
        #expect(
          coverage(of: CoverageFacts(records.frame, signs: signs)) == coverage(of: records.facts),
          "round \(round), \(index)")
      }
      let stored = signs.devices.flatMap { $0.positions + $0.receipts }
      runs += stored.count
      pings += whole.count
    }
    // Otherwise nothing was tried.
    #expect(parted > 100, "\(parted)")
    #expect(runs < pings, "\(runs) of \(pings)")
  }

  /// One of many pings of the first device, close upon each other.
  private static func steady(
    _ index: Int, in records: ShiftRecords, speaks: Bool, _ random: inout SeededRandom
  ) -> ReceivedPing {
    let at = records.shift.start + .seconds(Int64(index) * 40)
    return ReceivedPing(
      device: 1, effectiveAt: at,
      receivedAt: at + .seconds(Int64.random(in: 0...2, using: &random)),
      speaksForPosition: speaks)
  }

  private static let frame = CoverageFrame(
    shift: Interval(from: at(0), to: at(1_000)), fixAgeMax: .seconds(180),
    devices: [TrackingSpan(device: 1, since: at(0))], reports: [])

  private static func signs(_ seconds: Int64...) -> ShiftSigns {
    ShiftSigns(
      seconds.map {
        ReceivedPing(
          device: 1, effectiveAt: at(Double($0)), receivedAt: at(Double($0)),
          speaksForPosition: true)
      })
  }

  private static func positions(_ signs: ShiftSigns) -> [[Int64]] {
    signs.devices.flatMap(\.positions).map {
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
    let told = [Int16(3), 1, 2].map {
      DeviceSigns(device: $0, positions: [SignRun(from: at(Double($0)), to: at(Double($0)))])
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
      parts.devices.flatMap(\.positions) == [
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
        ReceivedPing(device: 1, effectiveAt: at($0), receivedAt: at($0), speaksForPosition: true)
      })
    let single = coverage(of: CoverageFacts(frame, signs: pings))
    let folded = pings.folded(in: frame)
    #expect(Self.positions(folded) == [[50, 50], [100, 100], [100, 150]])
    #expect(coverage(of: CoverageFacts(frame, signs: folded)) == single)
    #expect(single.map(\.interval.length.milliseconds).prefix(4) == [50_000, 50_000, 1, 229_999])
  }
}
