import ShiftDomain

/// What a shift's pings prove, each for the time in which its device tracked.
struct CoveragePositions {
  /// ⋃ [t, min(t + L, the next report ≥ t that the phone cannot be located)).
  private(set) var tracked = IntervalSet()
  /// When the newest fix of the last L was mocked by another app.
  private(set) var mock = IntervalSet()
  /// When it was less accurate than the policy requires.
  private(set) var coarse = IntervalSet()
  private(set) var hidden = IntervalSet()
  private(set) var waits = IntervalSet()
  private(set) var resumptions = IntervalSet()

  init(_ facts: CoverageFacts, _ timeline: StateTimeline) {
    let frame = facts.frame
    let contacts = CountedContact(facts, timeline)
    tracked = IntervalSet(
      contacts.proofs.map { run, longest in
        // Time past the end is clipped with the layers.
        let end = run.last + longest
        let lost = timeline.losses[timeline.losses.firstIndex(from: run.last)...].first
        return Interval(from: run.first, to: min(end, lost ?? end))
      })
    let beginnings =
      [frame.beginning] + frame.breaks.intervals.map { $0.end }
      + frame.devices.dropFirst().map { $0.since }
    let fixes = contacts.fixes.map { $0.first }.sorted()
    func wait(after start: Instant) -> Interval {
      let end = start + (contacts.turns.turn(at: start)?.fixAgeMax ?? frame.fixAgeMax)
      let next = fixes[fixes.firstIndex(from: start)...].first
      return Interval(from: start, to: min(end, next ?? end))
    }
    waits = IntervalSet(beginnings.map(wait))
    resumptions = IntervalSet(timeline.restorations.map(wait))
    mock = contacts.spoken(by: .mock)
    coarse = contacts.spoken(by: .coarse)
    hidden = contacts.hidden
  }
}

/// The signs of the devices that tracked at their time, outside breaks.
private struct CountedContact {
  let turns: [TrackingTurn]
  /// Runs of fixes that prove a position.
  private(set) var fixes: [ContactRun] = []
  /// Runs of everything that proves a position, and how long each counts.
  private(set) var proofs: [(run: ContactRun, fixAgeMax: TimeSpan)] = []
  private(set) var hidden = IntervalSet()
  private var marked: [(kind: ContactKind, at: Instant, fixAgeMax: TimeSpan)] = []

  init(_ facts: CoverageFacts, _ timeline: StateTimeline) {
    let frame = facts.frame
    turns = frame.turns
    var (stationary, announced): ([ContactRun], [(device: Int16, run: ContactRun)]) = ([], [])
    let losses = timeline.reports.mapValues { reports in
      Set(reports.lazy.filter { $0.state.cannotLocate }.map { $0.since })
    }
    for contacts in facts.contactRuns.devices {
      // A run is wholly on one side of each break and take-over: its first sign decides.
      func counted(_ kind: ContactKind) -> [ContactRun] {
        contacts[kind].filter { run in
          frame.shift.start <= run.first && turns.turn(at: run.first)?.device == contacts.device
            && !frame.breaks.contains(run.first)
        }
      }
      fixes += counted(.fix)
      stationary += counted(.stationary)
      for kind in [ContactKind.mock, .coarse] {
        for run in counted(kind) {
          let longest = turns.turn(at: run.first)?.fixAgeMax ?? frame.fixAgeMax
          marked.append((kind, run.first, longest))
        }
      }
      let own = IntervalSet(turns.filter { $0.device == contacts.device }.map { $0.time })
      let reports = timeline.reportTimes(of: contacts.device)
      func ended(_ run: ContactRun) -> ContactRun {
        // A report in the same instant that the phone cannot be located also ends it.
        if losses[contacts.device]?.contains(run.first) ?? false {
          return ContactRun(from: run.first, to: run.first)
        }
        let next = reports[reports.firstIndex(from: run.first + .milliseconds(1))...].first
        return ContactRun(from: run.first, to: min(run.last, next ?? run.last))
      }
      announced += counted(.rest).map { (contacts.device, ended($0)) }
      hidden = IntervalSet(
        hidden.intervals
          + IntervalSet(
            counted(.hidden).map(ended).map { Interval(from: $0.first, to: $0.last) }
          ).intersection(own).intervals)
    }
    for fix in fixes { prove(fix, frame) }
    // Without a fix, nothing is still valid.
    guard let first = fixes.lazy.map({ $0.first }).min() else { return }
    for run in stationary where first <= run.last {
      prove(ContactRun(from: max(run.first, first), to: run.last), frame)
    }
    for (device, rest) in announced { prove(rest, of: device, after: first, frame) }
  }

  /// A rest of `device`, which proves nothing before the first fix.
  private mutating func prove(
    _ rest: ContactRun, of device: Int16, after first: Instant, _ frame: CoverageFrame
  ) {
    if first <= rest.first { prove(ContactRun(from: rest.first, to: rest.first), frame) }
    // It continues through a break, but not while another device tracks, nor in added time.
    for turn in turns where turn.device == device {
      let start = max(rest.first, first, turn.time.start)
      let end = min(rest.last, turn.time.end)
      let span = IntervalSet(start < end ? [Interval(from: start, to: end)] : [])
      for part in span.subtracting(frame.added).intervals {
        proofs.append((ContactRun(from: part.start, to: part.end), turn.fixAgeMax))
      }
    }
  }

  private mutating func prove(_ run: ContactRun, _ frame: CoverageFrame) {
    proofs.append((run, turns.turn(at: run.first)?.fixAgeMax ?? frame.fixAgeMax))
  }

  /// When the newest fix in (x − L, x] is one of `kind`.
  func spoken(by kind: ContactKind) -> IntervalSet {
    guard marked.contains(where: { $0.kind == kind }) else { return IntervalSet() }
    let proving = Set(fixes.flatMap { [$0.first, $0.last] })
    let all = (proving + marked.map { $0.at }).sorted()
    return IntervalSet(
      marked.filter { $0.kind == kind && !proving.contains($0.at) }.map { fix in
        let end = fix.at + fix.fixAgeMax
        let next = all[all.firstIndex(from: fix.at + .milliseconds(1))...].first
        return Interval(from: fix.at, to: min(end, next ?? end))
      })
  }
}
