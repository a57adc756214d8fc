import GuardRules
import ShiftDomain
import Testing

@Suite("Placement of a ping") struct PingRuleTests {
  /// A closed shift 0…1000 s with a break 400…500 s on device 1, then an open one from 2000 s on
  /// device 2.
  static let shifts = [
    TrackedShift(
      number: 7, start: at(0), end: at(1_000), device: 1,
      breaks: IntervalSet(from: at(400), to: at(500))),
    TrackedShift(number: 8, start: at(2_000), end: nil, device: 2),
  ]

  typealias Row = (
    name: String, second: Double, device: Int16, now: Double, is: PingPlacement
  )
  private static let week = 604_800.0
  static let rows: [Row] = [
    ("the first instant of a shift", 0, 1, 10, .shift(7)),
    ("a moment before it, by the delay of its request", -1, 1, 10, .shift(7)),
    ("more than a moment before it", -1.001, 1, 10, .refused(.noShift)),
    ("a moment before it, from another device", -1, 2, 10, .refused(.noShift)),
    ("the last instant", 999.999, 1, 1_000, .shift(7)),
    ("the end is outside", 1_000, 1, 1_000, .refused(.noShift)),
    ("between two shifts", 1_500, 1, 1_500, .refused(.noShift)),
    ("just before a break", 399.999, 1, 2_500, .shift(7)),
    ("the first instant of a break", 400, 1, 2_500, .refused(.onBreak)),
    ("the last instant of a break", 499.999, 1, 2_500, .refused(.onBreak)),
    ("the end of a break is work", 500, 1, 2_500, .shift(7)),
    ("another device", 100, 2, 100, .refused(.notTrackingDevice)),
    ("another device on a break: the break takes precedence", 450, 2, 450, .refused(.onBreak)),
    ("another device off shift", 1_500, 3, 1_500, .refused(.noShift)),
    ("the open shift", 3_000, 2, 3_000, .shift(8)),
    ("the open shift, the first device", 3_000, 1, 3_000, .refused(.notTrackingDevice)),
    ("a clock a little ahead, in the open shift", 3_060, 2, 3_000, .shift(8)),
    ("seven days late", 100, 1, 100 + week, .shift(7)),
    ("a millisecond later", 100, 1, 100.001 + week, .refused(.tooLate)),
    ("too late takes precedence over everything else", 450, 2, 1_000 + week, .refused(.tooLate)),
  ]

  @Test("pings are kept for sixty days") func retention() {
    #expect(pingRetention == .hours(1_440))
  }

  @Test("depends on shift, break and device", arguments: rows)
  func places(_ row: Row) {
    let placement = place(
      effectiveAt: at(row.second), device: row.device, among: Self.shifts,
      now: at(row.now))
    #expect(placement == row.is)
  }

  typealias TakeOverRow = (name: String, second: Double, device: Int16, is: PingPlacement)
  // R: W7
  static let takeOvers: [TakeOverRow] = [
    ("the first device until then", 499.999, 1, .shift(7)),
    ("the next not before", 499.999, 2, .refused(.notTrackingDevice)),
    ("the next from that instant", 500, 2, .shift(7)),
    ("the first no longer", 500, 1, .refused(.notTrackingDevice)),
    ("the second until the third", 699.999, 2, .shift(7)),
    ("the third from then on", 700, 3, .shift(7)),
    ("no other device after it", 900, 2, .refused(.notTrackingDevice)),
    ("a moment before the shift, the first device", -1, 1, .shift(7)),
    ("a moment before the shift, no other device", -1, 3, .refused(.noShift)),
  ]

  @Test("depends on take-overs", arguments: takeOvers)
  func takeOver(_ row: TakeOverRow) {
    let shift = TrackedShift(
      number: 7, start: at(0), end: at(1_000), device: 1,
      takeOvers: [TrackingSpan(device: 2, since: at(500)), TrackingSpan(device: 3, since: at(700))])
    let placement = place(
      effectiveAt: at(row.second), device: row.device, among: [shift], now: at(1_000))
    #expect(placement == row.is)
  }

  // R: W21
  @Test("what a correction brought into working time takes no ping")
  func added() {
    var corrected = TrackedShift(number: 9, start: at(0), end: at(600), device: 1)
    corrected.added = IntervalSet(from: at(100), to: at(200))
    for (time, placement) in [
      (99, .shift(9)), (100, .refused(.noShift)), (199, .refused(.noShift)), (200, .shift(9)),
    ] as [(Double, PingPlacement)] {
      #expect(
        place(effectiveAt: at(time), device: 1, among: [corrected], now: at(600)) == placement)
    }
  }

  @Test("a shift without length takes no ping, not even at its first instant")
  func emptyShift() {
    let empty = TrackedShift(number: 9, start: at(0), end: at(0), device: 1)
    let placement = place(
      effectiveAt: at(0), device: 1, among: [empty], now: at(0))
    #expect(placement == .refused(.noShift))
  }

  @Test("without a shift nothing is stored, whatever the clocks say")
  func extremes() {
    let edges = [Instant(milliseconds: .min), morning, Instant(milliseconds: .max)]
    for instant in edges {
      for now in edges {
        let placement = place(
          effectiveAt: instant, device: 1, among: [], now: now)
        #expect(placement == .refused(now > instant ? .tooLate : .noShift))
      }
    }
  }
}
