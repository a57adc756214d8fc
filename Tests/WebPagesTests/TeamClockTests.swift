import ShiftDomain
import Testing

@testable import WebPages

@Suite("Times on pages") struct TeamClockTests {
  // R: W10
  @Test("a time that the clock shows twice has its offset, but not in a field", arguments: [0, 48])
  func twice(hoursLater: Int64) throws {
    func utc(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }
    let clock = try TeamClock(
      zone: "Europe/Zagreb", now: utc("2026-10-25T12:00:00Z") + .hours(hoursLater))
    let (start, end) = (try utc("2026-10-25T00:10:00Z"), try utc("2026-10-25T01:05:00Z"))
    #expect(clock.hourAndMinute(start) == "02:10+02:00")
    #expect(clock.toTheSecond(end) == "02:05:00+01:00")
    #expect(clock.span(start, end).hasSuffix("02:10+02:00–02:05+01:00"))
    #expect(clock.hourAndMinute(end + .hours(1)) == "03:05")
    #expect(clock.fieldText(end) == "2026-10-25T02:05")
  }
}
