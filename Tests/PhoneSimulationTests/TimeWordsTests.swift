import ShiftDomain
import Testing

@testable import PhoneSimulation

@Suite("Time formats") struct TimeWordsTests {
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
