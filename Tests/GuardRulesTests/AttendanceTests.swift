import GuardRules
import ShiftDomain
import Testing

/// RULES 7: late 15 minutes, no-show 60 minutes after a planned start without a clock-in or a
/// blocked attempt; RULES 3: the plan of a clock-in.
@Suite("Attendance of a planned shift") struct AttendanceTests {
  typealias Row = (
    name: String, shifts: [AttendedShift], attempts: [ClockInAttempt], others: [Interval],
    minute: Int64, is: Attendance
  )

  private static let start = Instant(milliseconds: 1_772_438_400_000)

  private static func at(_ minutes: Int64) -> Instant { start + .minutes(minutes) }

  private static func span(_ from: Int64, _ to: Int64) -> Interval {
    Interval(from: at(from), to: at(to))
  }

  /// From `from` to `to`, in minutes after the planned start; `nil`: open.
  private static func shift(
    _ from: Int64, _ to: Int64?, _ proof: AttendedShift.Proof = .clockedIn
  ) -> AttendedShift {
    AttendedShift(startedAt: at(from), endedAt: to.map { at($0) }, proof: proof)
  }

  private static func attempt(_ minute: Int64, isKept: Bool = false) -> ClockInAttempt {
    ClockInAttempt(at: at(minute), isKept: isKept)
  }

  /// The planned shift lasts from minute 0 to minute 480.
  static let rows: [Row] = [
    ("before the start", [], [], [], -1, .awaited(until: at(15))),
    ("just before late", [], [], [], 14, .awaited(until: at(15))),
    ("late", [], [], [], 15, .late), ("still late", [], [], [], 59, .late),
    ("no-show", [], [], [], 60, .noShow), ("no-show after the end", [], [], [], 1_000, .noShow),

    (
      "at work before another planned shift", [shift(-480, nil)], [], [span(-480, -10)], -5,
      .awaited(until: at(15))
    ),
    ("came early", [shift(-20, nil)], [], [], 60, .clockedIn),
    ("came late", [shift(40, nil)], [], [], 60, .clockedIn),
    ("came and left", [shift(5, 10)], [], [], 60, .clockedIn),
    ("left before the start", [shift(-20, -5)], [], [], 60, .clockedIn),
    (
      "still at work from the shift before", [shift(-480, nil)], [], [span(-480, 0)], 60, .clockedIn
    ),
    (
      "worked the shift before to the planned start", [shift(-480, 0)], [], [span(-480, 0)], 60,
      .noShow
    ),
    ("worked 12 hours before", [shift(-720, -700)], [], [], 60, .clockedIn),
    ("worked more than 12 hours before", [shift(-721, -700)], [], [], 60, .noShow),
    ("comes to the next shift only", [shift(700, nil)], [], [span(720, 900)], 700, .noShow),

    ("blocked", [], [attempt(5)], [], 60, .tried(attempt(5))),
    ("blocked after the limit", [], [attempt(70)], [], 90, .tried(attempt(70))),
    ("kept for review", [], [attempt(5, isKept: true)], [], 60, .tried(attempt(5, isKept: true))),
    ("blocked twice", [], [attempt(9), attempt(5)], [], 60, .tried(attempt(5))),
    ("blocked, then came", [shift(9, nil)], [attempt(5)], [], 60, .clockedIn),
    ("blocked for the shift before", [], [attempt(-100)], [span(-90, -10)], 60, .noShow),
    ("blocked halfway to another", [], [attempt(-45)], [span(-90, -10)], 60, .noShow),
    ("blocked nearer to this one", [], [attempt(-44)], [span(-90, -10)], 60, .tried(attempt(-44))),
    (
      "blocked when another was over", [], [attempt(-80)], [span(-90, -80)], 60,
      .tried(attempt(-80))
    ),

    ("opened by a plan, not confirmed", [shift(0, nil, .none)], [], [], 20, .late),
    ("never confirmed", [shift(0, 480, .none)], [], [], 480, .noShow),
    ("declined", [shift(0, 3, .declined)], [], [], 60, .declined),
    ("declined, then came", [shift(0, 3, .declined), shift(9, nil)], [], [], 60, .clockedIn),
    ("declined another one", [shift(-100, -95, .declined)], [], [span(-100, -10)], 60, .noShow),
  ]

  private static func limits(_ late: Int64, _ noShow: Int64) -> AttendanceLimits {
    AttendanceLimits(lateAfter: .minutes(late), noShowAfter: .minutes(noShow))
  }

  // R: W10
  @Test("follows from shifts, attempts and the time", arguments: rows)
  func table(_ row: Row) {
    let records = AttendanceRecords(
      planned: Self.span(0, 480), plannedAt: Self.at(-10_000), others: row.others,
      shifts: row.shifts, attempts: row.attempts)
    let found = attendance(records, under: Self.limits(15, 60), now: Self.at(row.minute))
    #expect(found == row.is, "\(row.name)")
  }

  // R: W10
  @Test("of a long shift shows an attempt in it, however long ago it began")
  func attemptInLongShift() {
    for (minute, others, isTried) in [
      (780, [], true), (1_319, [], true), (1_320, [], false), (-721, [], false),
      (780, [Self.span(1_400, 1_500)], false), (780, [Self.span(1_561, 1_600)], true),
    ] as [(Int64, [Interval], Bool)] {
      let records = AttendanceRecords(
        planned: Self.span(0, 1_320), plannedAt: Self.at(-10_000), others: others,
        attempts: [Self.attempt(minute)])
      let found = attendance(records, under: Self.limits(15, 60), now: Self.at(1_400))
      let wanted: Attendance = isTried ? .tried(Self.attempt(minute)) : .noShow
      #expect(found == wanted, "\(minute)")
    }
  }

  // R: G3
  @Test("is never late and no no-show while the employee is absent", arguments: rows)
  func absent(_ row: Row) {
    let records = AttendanceRecords(
      planned: Self.span(0, 480), plannedAt: Self.at(-10_000), others: row.others,
      shifts: row.shifts, attempts: row.attempts, isAbsent: true)
    let found = attendance(records, under: Self.limits(15, 60), now: Self.at(row.minute))
    let expected: Attendance =
      switch row.is {
      case .late, .noShow, .awaited: .awaited(until: nil)
      case .clockedIn, .tried, .declined: row.is
      }
    #expect(found == expected, "\(row.name)")
  }

  @Test("is never reported where the policy does not say so")
  func off() {
    let records = AttendanceRecords(planned: Self.span(0, 480), plannedAt: Self.at(-10_000))
    func found(_ late: Int64, _ noShow: Int64, _ minute: Int64) -> Attendance {
      attendance(records, under: Self.limits(late, noShow), now: Self.at(minute))
    }
    #expect(Policy.policy(of: .standard).lateAfter == .minutes(15))
    #expect(Policy.policy(of: .standard).noShowAfter == .hours(1))
    for minute in [0, 100, 1_000] as [Int64] {
      #expect(found(0, 0, minute) == .awaited(until: nil))
    }
    #expect(found(15, 0, 479) == .late && found(15, 0, 480) == .awaited(until: nil))
    #expect(found(0, 60, 59) == .awaited(until: Self.at(60)) && found(0, 60, 60) == .noShow)
    // The planned end comes before the limit: from then on nobody can come any more.
    #expect(found(0, 700, 479) == .awaited(until: Self.at(480)) && found(0, 700, 480) == .noShow)
    #expect(found(500, 0, 479) == .awaited(until: nil))
  }

  @Test("counts from when the shift was planned, if that is later than its start")
  func plannedLate() {
    func found(_ plannedAt: Int64, _ minute: Int64) -> Attendance {
      attendance(
        AttendanceRecords(planned: Self.span(0, 480), plannedAt: Self.at(plannedAt)),
        under: Self.limits(15, 60), now: Self.at(minute))
    }
    #expect(found(30, 44) == .awaited(until: Self.at(45)) && found(30, 45) == .late)
    #expect(found(30, 90) == .noShow)
    #expect(found(480, 1_000) == .awaited(until: nil))
  }
}
