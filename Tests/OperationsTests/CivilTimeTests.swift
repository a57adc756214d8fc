import CivilTime
import Foundation
import ReadModels
import ShiftDomain
import Testing

/// Zones, days and the clock on the wall.
@Suite("Civil time") struct CivilTimeTests {
  private static func utc(_ text: String) throws -> Instant {
    let date = try Date(text, strategy: .iso8601)
    return Instant(milliseconds: Int64(date.timeIntervalSince1970 * 1_000))
  }

  typealias Day = (zone: String, day: String, begins: String, hours: Double)

  static let days: [Day] = [
    ("Europe/Paris", "2026-06-01", "2026-05-31T22:00:00Z", 24),
    ("Europe/Paris", "2026-03-29", "2026-03-28T23:00:00Z", 23),
    ("Europe/Paris", "2026-10-25", "2026-10-24T22:00:00Z", 25),
    ("America/New_York", "2026-03-08", "2026-03-08T05:00:00Z", 23),
    ("America/New_York", "2026-11-01", "2026-11-01T04:00:00Z", 25),
    // Half an hour of summer time.
    ("Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00:00Z", 24.5),
    ("Australia/Lord_Howe", "2026-10-04", "2026-10-03T13:30:00Z", 23.5),
    // No summer time, and a quarter of an hour.
    ("Asia/Kathmandu", "2026-03-29", "2026-03-28T18:15:00Z", 24),
    // Samoa went from the 29th to the 31st.
    ("Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00Z", 24),
    ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z", 0),
    ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z", 24),
    // Midnight itself was jumped over, and shown twice.
    ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z", 23),
    ("America/Sao_Paulo", "2018-02-17", "2018-02-17T02:00:00Z", 25),
    ("America/Sao_Paulo", "2018-02-18", "2018-02-18T03:00:00Z", 24),
    // Set back at 00:01: the new day had begun, and goes on.
    ("America/St_Johns", "2010-11-06", "2010-11-06T02:30:00Z", 24),
    ("America/St_Johns", "2010-11-07", "2010-11-07T02:30:00Z", 25),
    ("UTC", "2000-02-29", "2000-02-29T00:00:00Z", 24),
  ]

  // R: W1
  @Test("a day has as many hours as the place gave it", arguments: days)
  func span(_ row: Day) throws {
    let time = try #require(CivilTime(zone: row.zone))
    let span = time.span(of: try #require(CivilDate(row.day)))
    #expect(span.start == (try Self.utc(row.begins)))
    #expect(span.length == .minutes(Int64(row.hours * 60)))
  }

  // R: W10
  @Test("a typed time that occurs twice has two meanings, and one that is skipped two neighbours")
  func typed() throws {
    let time = try #require(CivilTime(zone: "Europe/Paris"))
    func typed(_ day: String, _ hour: Int, _ minute: Int) throws -> TypedTime {
      time.typed(try #require(CivilDate(day)), hour: hour, minute: minute, second: 0)
    }
    #expect(try typed("2026-10-25", 1, 59) == .once(Self.utc("2026-10-24T23:59:00Z")))
    let (first, second) = (
      try Self.utc("2026-10-25T00:30:00Z"), try Self.utc("2026-10-25T01:30:00Z")
    )
    #expect(try typed("2026-10-25", 2, 30) == .twice(first: first, second: second))
    #expect(try typed("2026-10-25", 3, 0) == .once(Self.utc("2026-10-25T02:00:00Z")))
    let (before, after) = (
      try Self.utc("2026-03-29T00:59:00Z"), try Self.utc("2026-03-29T01:00:00Z")
    )
    #expect(try typed("2026-03-29", 2, 30) == .never(before: before, after: after))
  }

  @Test(
    "only a time that occurs twice has its offset",
    arguments: [
      ("Europe/Paris", "2026-10-24T23:59:00Z", nil),
      ("Europe/Paris", "2026-10-25T00:00:00Z", "+02:00"),
      ("Europe/Paris", "2026-10-25T01:59:00Z", "+01:00"),
      ("Europe/Paris", "2026-10-25T02:00:00Z", nil),
      ("America/New_York", "2026-11-01T05:30:00Z", "-04:00"),
      ("Australia/Lord_Howe", "2026-04-04T15:10:00Z", "+10:30"),
    ] as [(String, String, String?)])
  func offset(zone: String, instant: String, text: String?) throws {
    let time = try #require(CivilTime(zone: zone))
    #expect(time.offsetText(at: try Self.utc(instant)) == text)
  }

  typealias Planned = (zone: String, day: String, hour: Int, minute: Int, is: String)

  static let plans: [Planned] = [
    ("Europe/Paris", "2026-06-01", 8, 30, "2026-06-01T06:30:00Z"),
    // Jumped over: an hour later on the wall.
    ("Europe/Paris", "2026-03-29", 2, 30, "2026-03-29T01:30:00Z"),
    ("Europe/Paris", "2026-03-29", 3, 0, "2026-03-29T01:00:00Z"),
    // Shown twice: the first.
    ("Europe/Paris", "2026-10-25", 2, 30, "2026-10-25T00:30:00Z"),
    ("Europe/Paris", "2026-10-25", 3, 0, "2026-10-25T02:00:00Z"),
    ("America/New_York", "2026-03-08", 2, 0, "2026-03-08T07:00:00Z"),
    ("America/New_York", "2026-11-01", 1, 59, "2026-11-01T05:59:00Z"),
    ("Australia/Lord_Howe", "2026-10-04", 2, 10, "2026-10-03T15:40:00Z"),
    ("Australia/Lord_Howe", "2026-04-05", 1, 45, "2026-04-04T14:45:00Z"),
    ("Asia/Kathmandu", "2026-03-29", 0, 15, "2026-03-28T18:30:00Z"),
    ("Pacific/Apia", "2011-12-30", 12, 0, "2011-12-30T22:00:00Z"),
    ("America/Sao_Paulo", "2018-11-04", 0, 30, "2018-11-04T03:30:00Z"),
    ("UTC", "2026-12-31", 24, 0, "2027-01-01T00:00:00Z"),
  ]

  // R: W1
  @Test("a planned time is one instant, whatever the clocks do", arguments: plans)
  func planned(_ row: Planned) throws {
    let time = try #require(CivilTime(zone: row.zone))
    let day = try #require(CivilDate(row.day))
    #expect(
      time.instant(of: day, hour: row.hour, minute: row.minute) == (try Self.utc(row.is)))
  }

  // R: W1
  @Test("days follow each other without a gap, and every instant has one", arguments: days)
  func partition(_ row: Day) throws {
    let time = try #require(CivilTime(zone: row.zone))
    var instant = try Self.utc(row.begins) - .hours(49)
    let end = instant + .hours(98)
    while instant < end {
      let date = time.date(of: instant)
      let span = time.span(of: date)
      #expect(span.start <= instant && instant < span.end, "\(row.zone) \(date.text)")
      instant = instant + .minutes(7) + .milliseconds(1)
    }
  }

  // R: W1
  @Test("agrees with Foundation's calendar on every half hour of eight years")
  func foundation() throws {
    for name in ["Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"] {
      let time = try #require(CivilTime(zone: name))
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = try #require(TimeZone(identifier: name))
      var instant = try Self.utc("2020-01-01T00:00:00Z")
      for _ in 0..<(8 * 366 * 4) {
        let parts = calendar.dateComponents(
          [.year, .month, .day],
          from: Date(timeIntervalSince1970: TimeInterval(instant.milliseconds / 1_000)))
        let date = time.date(of: instant)
        guard date.year == parts.year, date.month == parts.month, date.day == parts.day else {
          Issue.record("\(name) at \(instant.milliseconds): \(date.text)")
          return
        }
        instant = instant + .minutes(6 * 60 - 1)
      }
    }
  }

  // R: W1
  @Test(
    "what a clock shows means the same instant again, all through four years",
    arguments: [
      "Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu",
      "Pacific/Chatham", "UTC",
    ])
  func shown(zone: String) throws {
    let time = try #require(CivilTime(zone: zone))
    var instant = try Self.utc("2024-01-01T00:00:00Z")
    let end = instant + .hours(4 * 366 * 24)
    while instant < end {
      let (date, seconds) = (time.date(of: instant), time.secondsOfDay(at: instant))
      let isAmbiguous = time.offsetText(at: instant) != nil
      let typed = time.typed(
        date, hour: seconds / 3_600, minute: seconds / 60 % 60, second: seconds % 60)
      let isSame =
        switch typed {
        case .once(let only): only == instant && !isAmbiguous
        case .twice(let first, let second): [first, second].contains(instant) && isAmbiguous
        case .never: false
        }
      guard isSame else {
        Issue.record("\(zone) at \(instant.milliseconds): \(typed)")
        return
      }
      instant = instant + .minutes(13) + .seconds(7)
    }
  }

  static let texts: [(String, Bool)] = [
    ("2026-10-25", true), ("2024-02-29", true), ("2026-02-29", false), ("1900-02-29", false),
    ("2000-02-29", true), ("2026-13-01", false), ("2026-00-10", false), ("2026-04-31", false),
    ("0000-01-01", false), ("9999-12-31", true), ("26-10-25", false), ("2026-1-25", false),
    ("2026-10-25T00:00", false), ("+026-10-25", false), ("2026-10-٢٥", false), ("", false),
  ]

  @Test("a date is written in one way only", arguments: texts)
  func text(_ text: String, _ isDate: Bool) {
    #expect((CivilDate(text) != nil) == isDate)
    if let date = CivilDate(text) { #expect(date.text == text) }
  }

  @Test("a place that is none has no time")
  func noZone() {
    #expect(CivilTime(zone: "Europe/Atlantis") == nil)
    #expect(CivilTime(zone: "") == nil)
  }
}
