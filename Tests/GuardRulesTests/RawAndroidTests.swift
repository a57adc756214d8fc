import GuardRules
import ShiftDomain
import Testing

@Suite("How Android's process ended") struct RawAndroidTests {
  typealias Row = (reason: RawField<Int64>, timestamp: RawField<Int64>, is: AppExit?)
  private static let time = Instant(milliseconds: 1_795_167_000_000)

  // R: W8
  static let rows: [Row] = [
    (.told(8), .told(time.milliseconds), AppExit(.permissionChange, at: time)),
    (.told(10), .told(time.milliseconds), AppExit(.userRequested, at: time)),
    (.told(0), .told(time.milliseconds), AppExit(.other, at: time)),
    (.told(9), .told(time.milliseconds), AppExit(.other, at: time)),
    (.told(-1), .told(time.milliseconds), AppExit(.other, at: time)),
    (.told(8), .absent, nil), (.absent, .told(1), nil), (.unreadable, .told(1), nil),
    (.told(8), .unreadable, nil), (.absent, .absent, nil),
  ]

  @Test("is told whole or not at all", arguments: rows) func ended(_ row: Row) {
    let flags = AndroidFlags(
      apiLevel: .told(34), fine: .told(true), coarse: .told(true), exitReason: row.reason,
      exitTimestamp: row.timestamp)
    #expect(flags.appExit == row.is)
  }
}
