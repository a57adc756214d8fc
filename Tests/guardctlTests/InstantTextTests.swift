import JSONText
import ShiftDomain
import Testing

@testable import guardctl

@Suite("Times in words") struct InstantTextTests {
  static let dates: [(milliseconds: Int64, text: String, rfc3339: String)] = [
    (0, "1970-01-01 00:00:00Z", "1970-01-01T00:00:00.000Z"),
    (-1, "1969-12-31 23:59:59Z", "1969-12-31T23:59:59.999Z"),
    (951_782_400_000, "2000-02-29 00:00:00Z", "2000-02-29T00:00:00.000Z"),
    (1_709_251_199_001, "2024-02-29 23:59:59Z", "2024-02-29T23:59:59.001Z"),
    (4_107_542_400_000, "2100-03-01 00:00:00Z", "2100-03-01T00:00:00.000Z"),
    (1_795_187_045_678, "2026-11-20 15:04:05Z", "2026-11-20T15:04:05.678Z"),
    (-62_135_596_800_000, "0001-01-01 00:00:00Z", "0001-01-01T00:00:00.000Z"),
    (.max, "9999-12-31 23:59:59Z", "9999-12-31T23:59:59.999Z"),
    (.min, "0000-01-01 00:00:00Z", "0000-01-01T00:00:00.000Z"),
  ]
  @Test("an instant is its date in UTC, however absurd", arguments: dates)
  func date(_ row: (milliseconds: Int64, text: String, rfc3339: String)) {
    let instant = Instant(milliseconds: row.milliseconds)
    #expect(instant.text == row.text)
    #expect(instant.rfc3339 == row.rfc3339)
  }

  static let zoned: [(zone: String, milliseconds: Int64, text: String)] = [
    ("Europe/Zagreb", 1_795_187_045_678, "2026-11-20 16:04:05+01:00"),
    ("Europe/Zagreb", 1_782_864_000_000, "2026-07-01 02:00:00+02:00"),
    ("Europe/London", 1_795_187_045_678, "2026-11-20 15:04:05+00:00"),
    ("Asia/Kolkata", 1_795_187_045_678, "2026-11-20 20:34:05+05:30"),
    ("America/St_Johns", 1_795_187_045_678, "2026-11-20 11:34:05-03:30"),
    ("America/New_York", .max, "9999-12-31 23:59:59Z"),
  ]
  @Test("in a team's zone it has the offset of that day", arguments: zoned)
  func zone(_ row: (zone: String, milliseconds: Int64, text: String)) throws {
    let text = try ShownZone.$current.withValue(#require(ShownZone(row.zone))) {
      Instant(milliseconds: row.milliseconds).text
    }
    #expect(text == row.text)
    #expect(ShownZone("Mars/Base") == nil)
  }

  static let ages: [(seconds: Int64, words: String)] = [
    (0, "just now"), (1, "1 s ago"), (119, "119 s ago"), (120, "2 min ago"),
    (7_199, "119 min ago"), (7_200, "2 h ago"), (172_799, "47 h ago"), (172_800, "2 d ago"),
    (-1, "in 1 s"), (-86_400, "in 24 h"), (.max, "106751991167 d ago"),
    (.min, "in 106751991167 d"), (-86_399, "in 24 h"), (-119, "in 119 s"), (-2_591_999, "in 30 d"),
  ]
  @Test("an age is written in the one unit that fits it", arguments: ages)
  func age(_ row: (seconds: Int64, words: String)) {
    #expect(
      (Instant(milliseconds: 0) - .seconds(row.seconds)).relative(to: Instant(milliseconds: 0))
        == row.words)
  }

  static let spans: [(seconds: Int64, words: String)] = [
    (0, "0 ms"), (59, "59 s"), (60, "1 min 0 s"), (3_599, "59 min 59 s"), (3_600, "1 h 0 min"),
    (11_550, "3 h 13 min"), (11_549, "3 h 12 min"), (360_000, "100 h 0 min"),
  ]
  @Test("a length is written to the minute, below an hour to the second", arguments: spans)
  func span(_ row: (seconds: Int64, words: String)) {
    #expect(TimeSpan.seconds(row.seconds).exactly == row.words)
  }

  static let written: [(text: String, span: TimeSpan?)] = [
    ("90s", .seconds(90)), ("30m", .minutes(30)), ("24h", .hours(24)), ("30d", .hours(720)),
    ("2w", .hours(336)), ("", nil), ("h", nil), ("24", nil), ("-1h", nil), ("1.5h", nil),
    ("1y", nil), ("٣h", nil), ("9223372036854775807d", .hours(24_000_000)),
    ("9223372036854775808h", nil),
  ]
  @Test("a span is a whole number and a unit, nothing else", arguments: written)
  func reads(_ row: (text: String, span: TimeSpan?)) {
    #expect(TimeSpan(row.text) == row.span)
  }
}
