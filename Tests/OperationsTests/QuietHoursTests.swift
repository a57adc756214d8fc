import CivilTime
import ShiftDomain
import Testing

@Suite("Quiet hours") struct QuietHoursTests {
  typealias Row = (
    name: String, zone: String, from: String, until: String, at: String, end: String?
  )

  static let rows: [Row] = [
    ("before", "UTC", "12:00", "13:00", "2026-03-02T11:59:59Z", nil),
    ("the first instant", "UTC", "12:00", "13:00", "2026-03-02T12:00:00Z", "2026-03-02T13:00:00Z"),
    ("the end", "UTC", "12:00", "13:00", "2026-03-02T13:00:00Z", nil),
    ("before midnight", "UTC", "22:00", "06:30", "2026-03-02T23:00:00Z", "2026-03-03T06:30:00Z"),
    ("after midnight", "UTC", "22:00", "6:30", "2026-03-03T06:29:59Z", "2026-03-03T06:30:00Z"),
    ("all but a minute", "UTC", "00:01", "00:00", "2026-03-02T23:59:00Z", "2026-03-03T00:00:00Z"),
    (
      "another zone", "America/New_York", "22:00", "06:00", "2026-03-03T04:00:00Z",
      "2026-03-03T11:00:00Z"
    ),
    // The clock goes forward at 01:00Z: the night has an hour less.
    (
      "a short night", "Europe/Paris", "22:00", "06:00", "2026-03-28T22:00:00Z",
      "2026-03-29T04:00:00Z"
    ),
    // 02:30 does not exist, so it is 03:30.
    (
      "an end that is skipped", "Europe/Paris", "22:00", "02:30", "2026-03-29T00:30:00Z",
      "2026-03-29T01:30:00Z"
    ),
    (
      "a long night", "Europe/Paris", "22:00", "06:00", "2026-10-24T20:00:00Z",
      "2026-10-25T05:00:00Z"
    ),
    // 02:30 occurs twice, and the first is the end.
    ("a repeated hour", "Europe/Paris", "22:00", "02:30", "2026-10-25T01:15:00Z", nil),
    (
      "a quarter of an hour", "Asia/Kathmandu", "21:00", "05:00", "2026-03-02T15:15:00Z",
      "2026-03-02T23:15:00Z"
    ),
  ]

  // R: M4, W1
  @Test("end at a local time of the team", arguments: rows)
  func ends(_ row: Row) throws {
    let quiet = try #require(QuietHours(from: row.from, until: row.until, letsUrgentPass: false))
    let time = try #require(CivilTime(zone: row.zone))
    let now = try #require(Instant(rfc3339: row.at))
    #expect(time.end(of: quiet, at: now) == row.end.flatMap { Instant(rfc3339: $0) }, "\(row.name)")
  }

  @Test(
    "are two different times of a day",
    arguments: [
      ("22:00", "22:00"), ("24:00", "06:00"), ("22:60", "06:00"), ("22", "06:00"), ("", ""),
      ("22:00:00", "06:00"), ("-1:00", "06:00"), ("٢٢:00", "06:00"), ("22:0", "06:00"),
      ("2200", "06:00"), ("22:00", "6:00\0"),
    ])
  func refused(_ from: String, _ until: String) {
    #expect(QuietHours(from: from, until: until, letsUrgentPass: false) == nil)
  }

  @Test("are shown with two digits")
  func shown() throws {
    let quiet = try #require(QuietHours(from: "6:05", until: "22:00", letsUrgentPass: true))
    #expect(quiet.fromText == "06:05" && quiet.untilText == "22:00" && quiet.letsUrgentPass)
  }
}
