import ShiftDomain
import Testing

@testable import PhoneSimulation

@Suite("Time formats") struct TimeWordsTests {
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

  @Test(
    "a span needs a unit",
    arguments: [
      ("500ms", .milliseconds(500)), ("0s", .zero), ("2m", .minutes(2)), ("1h", .hours(1)),
      ("30", nil), ("s", nil), ("-1s", nil), ("1.5s", nil), ("1 s", nil), ("1d", nil),
      ("99999999999999999999s", nil),
    ] as [(String, TimeSpan?)])
  func spans(word: String, span: TimeSpan?) { #expect(TimeSpan(word: word) == span) }

  @Test(
    "the server's detection latency is found among other timings",
    arguments: [
      ("detection;dur=12.5", .microseconds(12_500)),
      ("db;dur=3, detection; dur=4", .milliseconds(4)),
      ("detection;desc=\"x\";dur=0", .zero),
      ("detection", nil), ("db;dur=3", nil), ("detection;dur=-1", nil), ("detection;dur=nan", nil),
      (nil, nil),
    ] as [(String?, Duration?)])
  func serverTiming(header: String?, is duration: Duration?) {
    #expect(detection(inServerTiming: header) == duration)
  }
}
