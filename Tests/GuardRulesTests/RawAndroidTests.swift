import GuardRules
import ShiftDomain
import Testing

@Suite("End of Android's process") struct RawAndroidTests {
  typealias Row = (reason: RawField<Int64>, timestamp: RawField<Int64>, is: AppExit?)
  private static let time = Instant(milliseconds: 1_795_167_000_000)

  // R: W8
  static let rows: [Row] = [
    (.given(8), .given(time.milliseconds), AppExit(.permissionChange, at: time)),
    (.given(10), .given(time.milliseconds), AppExit(.userRequested, at: time)),
    (.given(0), .given(time.milliseconds), AppExit(.other, at: time)),
    (.given(9), .given(time.milliseconds), AppExit(.other, at: time)),
    (.given(-1), .given(time.milliseconds), AppExit(.other, at: time)),
    (.given(8), .absent, nil), (.absent, .given(1), nil), (.unreadable, .given(1), nil),
    (.given(8), .unreadable, nil), (.absent, .absent, nil),
  ]

  @Test("is read completely or not at all", arguments: rows) func ended(_ row: Row) {
    let flags = AndroidFlags(
      apiLevel: .given(34), fine: .given(true), coarse: .given(true), exitReason: row.reason,
      exitTimestamp: row.timestamp)
    #expect(flags.appExit == row.is)
  }
}
