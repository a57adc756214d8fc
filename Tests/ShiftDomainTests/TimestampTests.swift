import ShiftDomain
import Testing

@Suite("Timestamps") struct TimestampTests {
  static let read: [(text: String, milliseconds: Int64)] = [
    ("1970-01-01T00:00:00Z", 0),
    ("1969-12-31T23:59:59.999Z", -1),
    ("2026-11-20T09:30:00.000Z", 1_795_167_000_000),
    ("2026-11-20T10:30:00+01:00", 1_795_167_000_000),
    ("2026-11-20T10:30:00+0100", 1_795_167_000_000),
    ("2026-11-20T10:30:00+01", 1_795_167_000_000),
    ("2026-11-20 04:00:00-05:30", 1_795_167_000_000),
    ("2026-11-20t09:30:00z", 1_795_167_000_000),
    ("2026-11-20T09:30:00-00:00", 1_795_167_000_000),
    ("2026-11-20T09:30:00.5Z", 1_795_167_000_500),
    ("2026-11-20T09:30:00,25Z", 1_795_167_000_250),
    ("2026-11-20T09:30:00.123456789Z", 1_795_167_000_123),
    ("2026-11-20T09:30:00.9999Z", 1_795_167_000_999),
    ("2024-02-29T00:00:00Z", 1_709_164_800_000),
    ("2000-02-29T12:00:00Z", 951_825_600_000),
    ("2016-12-31T23:59:60Z", 1_483_228_800_000),
    ("2001-01-01T00:00:00Z", 978_307_200_000),
    ("0000-01-01T00:00:00Z", -62_167_219_200_000),
    ("0000-01-01T00:00:00+23:59", -62_167_305_540_000),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ("9999-12-31T23:59:59.999-23:59", 253_402_387_139_999),
  ]

  @Test("reads what phones send", arguments: read)
  func reads(_ text: String, _ milliseconds: Int64) {
    #expect(Instant(rfc3339: text)?.milliseconds == milliseconds)
  }

  @Test(
    "refuses everything else",
    arguments: [
      "", "Z", "2026", "2026-11-20", "2026-11-20T09:30Z", "2026-11-20T09:30:00",
      "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-11-31T00:00:00Z",
      "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-11-00T00:00:00Z",
      "2026-11-20T24:00:00Z", "2026-11-20T09:60:00Z", "2026-11-20T09:30:61Z",
      "2026-11-20T09:30:00.Z", "2026-11-20T09:30:00Zulu", "2026-11-20T09:30:00+24:00",
      "2026-11-20T09:30:00+01:60", "2026-11-20T09:30:00+1", "2026-11-20T09:30:00+01:",
      "12026-11-20T09:30:00Z", "-026-11-20T09:30:00Z", "2026-11-20T09:30:00Z\0",
      "２０２６-11-20T09:30:00Z", "now", "1795167000", "2026-11-20T09:30:00 UTC",
      "2026-11-20T+9:30:00Z", "99999999999999999999",
    ])
  func refuses(_ text: String) {
    #expect(Instant(rfc3339: text) == nil)
  }

  @Test("writes UTC with milliseconds and a four-digit year")
  func writes() {
    #expect(Instant(milliseconds: 0).rfc3339 == "1970-01-01T00:00:00.000Z")
    #expect(Instant(milliseconds: -1).rfc3339 == "1969-12-31T23:59:59.999Z")
    #expect(Instant(milliseconds: .min).rfc3339 == "0000-01-01T00:00:00.000Z")
    #expect(Instant(milliseconds: .max).rfc3339 == "9999-12-31T23:59:59.999Z")
  }

  @Test("reads back what it wrote, on every day of 800 years at changing times")
  func roundTrip() {
    for day in Int64(-146_097)...146_097 {
      // Coprime to a day's milliseconds, so that every time of day is as likely.
      let ofDay = (day + 146_097) * 48_271_001 % 86_400_000
      let instant = Instant(milliseconds: day * 86_400_000 + ofDay)
      guard Instant(rfc3339: instant.rfc3339) == instant else {
        Issue.record("\(instant.milliseconds) became \(instant.rfc3339)")
        return
      }
    }
  }

  @Test(
    "instants are read and written in RFC 3339",
    arguments: [
      ("1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00.000Z"),
      ("2020-12-18T06:16:48.123Z", 1_608_272_208_123, "2020-12-18T06:16:48.123Z"),
      ("2020-12-18T06:16:48.1+02:00", 1_608_265_008_100, "2020-12-18T04:16:48.100Z"),
      ("1969-12-31T23:59:59.999Z", -1, "1969-12-31T23:59:59.999Z"),
    ] as [(String, Int64, String)])
  func instants(text: String, milliseconds: Int64, written: String) {
    #expect(Instant(rfc3339: text)?.milliseconds == milliseconds)
    #expect(Instant(milliseconds: milliseconds).rfc3339 == written)
  }

  @Test("every millisecond is read back as it was written") func milliseconds() {
    for millisecond in 0..<1_000 {
      let instant = Instant(milliseconds: 1_795_000_000_000 + Int64(millisecond))
      #expect(Instant(rfc3339: instant.rfc3339) == instant)
    }
  }

  @Test(
    "an invalid time is rejected",
    arguments: ["", "noon", "2020-12-18", "2020-13-18T06:16:48Z", "99999-01-01T00:00:00Z", "-1"])
  func nonsense(text: String) { #expect(Instant(rfc3339: text) == nil) }
}
