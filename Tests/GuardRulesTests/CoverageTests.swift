import GuardRules
import ShiftDomain
import Testing

@Suite("Coverage") struct CoverageTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var facts: CoverageFacts
    var expected: String

    /// A shift of 0…1000 s with L = 180 s, and what `change` adds to it.
    init(_ name: String, _ expected: String, _ change: (inout CoverageFacts) -> Void = { _ in }) {
      testDescription = name
      self.expected = expected
      facts = CoverageFacts(
        shift: Interval(from: at(0), to: at(1_000)), fixAgeMax: .seconds(180))
      change(&facts)
    }
  }

  // R: W9
  static let trackedTime: [Row] = [
    Row("nothing was ever heard", "waiting_first_fix 0–180, no_contact 180–1000"),
    Row("a fix speaks for L", "tracked 0–180, no_contact 180–1000") { $0.fixes = [at(0)] },
    Row(
      "waiting ends with the first fix",
      "waiting_first_fix 0–100, tracked 100–280, no_contact 280–1000"
    ) {
      $0.fixes = [at(100)]
    },
    Row("fixes at most L apart leave no gap", "tracked 0–540, no_contact 540–1000") {
      $0.fixes = [at(0), at(180), at(360)]
    },
    Row(
      "a millisecond more is a gap",
      "tracked 0–180, no_contact 180–180.001, tracked 180.001–360.001, no_contact 360.001–1000"
    ) {
      $0.fixes = [at(0), at(180.001)]
    },
    Row("neither order nor duplicates matter", "tracked 0–280, no_contact 280–1000") {
      $0.fixes = [at(100), at(0), at(100), at(50), at(0)]
    },
    Row(
      "a fix from before the shift does not count", "waiting_first_fix 0–180, no_contact 180–1000"
    ) {
      $0.fixes = [at(-1)]
    },
    Row("a fix at the end is outside", "waiting_first_fix 0–180, no_contact 180–1000") {
      $0.fixes = [at(1_000), at(1_010)]
    },
    Row(
      "a fix near the end is cut to the shift",
      "waiting_first_fix 0–180, no_contact 180–900, tracked 900–1000"
    ) {
      $0.fixes = [at(900)]
    },
    Row("an open shift ends at the time of asking", "tracked 0–100") {
      $0.shift = Interval(from: at(0), to: at(100))
      $0.fixes = [at(0)]
    },
    Row("an empty shift has no segments", "") { $0.shift = Interval(from: at(0), to: at(0)) },
    Row("a backward shift has none either", "") { $0.shift = Interval(from: at(9), to: at(0)) },
  ]

  static let breakTime: [Row] = [
    Row(
      "a break is no work, and after it waiting begins anew",
      "tracked 0–180, no_contact 180–400, on_break 400–500, waiting_first_fix 500–680, "
        + "no_contact 680–1000"
    ) {
      $0.fixes = [at(0)]
      $0.breaks = IntervalSet(from: at(400), to: at(500))
    },
    Row(
      "a break covers tracked time, and the fix before it speaks after it",
      "tracked 0–50, on_break 50–100, tracked 100–180, waiting_first_fix 180–280, "
        + "no_contact 280–1000"
    ) {
      $0.fixes = [at(0)]
      $0.breaks = IntervalSet(from: at(50), to: at(100))
    },
    Row("a break covers a denial", "tracked 0–100, on_break 100–200, denied 200–1000") {
      $0.fixes = [at(0)]
      $0.breaks = IntervalSet(from: at(100), to: at(200))
      $0.states = [ReportedState(since: at(150), state: phone(.denied))]
    },
    Row("a shift may be all break", "on_break 0–1000") {
      $0.fixes = [at(0)]
      $0.breaks = IntervalSet(from: at(-10), to: at(2_000))
    },
  ]

  static let reportedStates: [Row] = [
    Row("a denial ends what a fix speaks for", "tracked 0–50, denied 50–1000") {
      $0.fixes = [at(0)]
      $0.states = [
        ReportedState(since: at(-60), state: phone()),
        ReportedState(since: at(50), state: phone(.denied)),
      ]
    },
    Row(
      "a denial known only from within the shift is not dated back to its start",
      "tracked 0–300, denied 300–1000"
    ) {
      $0.fixes = [at(0), at(150), at(290)]
      $0.states = [ReportedState(since: at(300), state: phone(.denied))]
    },
    Row("a denial of before the shift holds from its start", "denied 0–1000") {
      $0.states = [ReportedState(since: at(-9_999), state: phone(.denied))]
    },
    Row(
      "a fix at the very start of a denial speaks for nothing",
      "waiting_first_fix 0–50, denied 50–1000"
    ) {
      $0.fixes = [at(50)]
      $0.states = [ReportedState(since: at(50), state: phone(.denied))]
    },
    Row(
      "a fix that comes in spite of a denial counts",
      "denied 0–100, tracked 100–280, denied 280–1000"
    ) {
      $0.fixes = [at(100)]
      $0.states = [ReportedState(since: at(-1), state: phone(.denied))]
    },
    Row("location off is said before denied", "tracked 0–50, services_off 50–1000") {
      $0.fixes = [at(0)]
      $0.states = [ReportedState(since: at(50), state: phone(.denied, services: .off))]
    },
    Row("restricted is said before location off", "restricted 0–1000") {
      $0.states = [ReportedState(since: at(0), state: phone(.restricted, services: .off))]
    },
    Row("not determined cannot locate either", "tracked 0–50, not_determined 50–1000") {
      $0.fixes = [at(0)]
      $0.states = [ReportedState(since: at(50), state: phone(.notDetermined))]
    },
    Row(
      "while in use is tracked at risk, and the cause where no fix came",
      "tracked at risk 0–180, when_in_use 180–1000"
    ) {
      $0.fixes = [at(0)]
      $0.states = [ReportedState(since: at(0), state: phone(.whenInUse))]
    },
    Row(
      "approximate is tracked at risk, and the cause before while in use",
      "tracked at risk 0–180, accuracy_reduced 180–1000"
    ) {
      $0.fixes = [at(0)]
      $0.states = [ReportedState(since: at(0), state: phone(.whenInUse, accuracy: .reduced))]
    },
    Row(
      "tracked time is split where the risk begins and ends",
      "tracked 0–50, tracked at risk 50–100, tracked 100–180, resuming 180–280, no_contact 280–1000"
    ) {
      $0.fixes = [at(0)]
      $0.states = [
        ReportedState(since: at(50), state: phone(.whenInUse)),
        ReportedState(since: at(100), state: phone()),
      ]
    },
    Row(
      "after a restoration the phone resumes until the next fix",
      "tracked 0–50, denied 50–500, resuming 500–510, tracked 510–690, no_contact 690–1000"
    ) {
      $0.fixes = [at(0), at(510)]
      $0.states = [
        ReportedState(since: at(50), state: phone(.denied)),
        ReportedState(since: at(500), state: phone()),
      ]
    },
    Row("… for L at most", "denied 0–500, resuming 500–680, no_contact 680–1000") {
      $0.states = [
        ReportedState(since: at(0), state: phone(.denied)),
        ReportedState(since: at(500), state: phone()),
      ]
    },
    Row("restored to while in use, that is the cause", "denied 0–500, when_in_use 500–1000") {
      $0.states = [
        ReportedState(since: at(0), state: phone(.denied)),
        ReportedState(since: at(500), state: phone(.whenInUse)),
      ]
    },
    Row("unknown ends no denial and begins none", "waiting_first_fix 0–50, denied 50–1000") {
      $0.states = [
        ReportedState(since: at(20), state: PermissionState(authorization: .unknown)),
        ReportedState(since: at(50), state: phone(.denied)),
        ReportedState(since: at(60), state: PermissionState(authorization: .unknown)),
      ]
    },
    Row(
      "a fix of before a denial does not speak again after it",
      "tracked 0–50, denied 50–60, resuming 60–240, no_contact 240–1000"
    ) {
      $0.fixes = [at(0)]
      $0.states = [
        ReportedState(since: at(50), state: phone(.denied)),
        ReportedState(since: at(60), state: phone()),
      ]
    },
  ]

  static let otherReasons: [Row] = [
    Row(
      "a phone that spoke within L had no fix",
      "waiting_first_fix 0–180, no_contact 180–400, no_fix 400–580, no_contact 580–1000"
    ) {
      $0.contacts = [at(400)]
    },
    Row("contacts overlap and repeat", "tracked 0–180, no_fix 180–500, no_contact 500–1000") {
      $0.fixes = [at(0)]
      $0.contacts = [at(320), at(150), at(150)]
    },
    Row(
      "our outage counts against nobody",
      "tracked 0–180, no_contact 180–300, service_unavailable 300–400, no_contact 400–1000"
    ) {
      $0.fixes = [at(0)]
      $0.outages = IntervalSet(from: at(300), to: at(400))
    },
    Row(
      "a take-over waits anew and cuts nothing",
      "tracked 0–180, waiting_first_fix 180–280, no_contact 280–400, "
        + "waiting_first_fix 400–450, tracked 450–630, no_contact 630–1000"
    ) {
      $0.fixes = [at(0), at(450)]
      $0.takeOvers = [at(400), at(100)]
    },
    Row(
      "a cause found out later explains silence, whatever the order of causes",
      "tracked 0–180, app_terminated 180–500, not_determined 500–600, no_contact 600–1000"
    ) {
      $0.fixes = [at(0)]
      $0.inferred = [
        InferredCause(interval: Interval(from: at(500), to: at(600)), reason: .notDetermined),
        InferredCause(interval: Interval(from: at(300), to: at(500)), reason: .appTerminated),
        InferredCause(interval: Interval(from: at(100), to: at(400)), reason: .appTerminated),
      ]
    },
  ]

  @Test("tracked time", arguments: trackedTime) func tracked(_ row: Row) { expect(row) }
  @Test("breaks", arguments: breakTime) func breaks(_ row: Row) { expect(row) }
  @Test("reported states", arguments: reportedStates) func states(_ row: Row) { expect(row) }
  @Test("other reasons", arguments: otherReasons) func others(_ row: Row) { expect(row) }

  private func expect(_ row: Row) {
    #expect(coverage(of: row.facts).inWords == row.expected)
  }
}
