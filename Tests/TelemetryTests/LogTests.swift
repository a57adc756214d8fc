import Foundation
import Lifecycle
import Testing

@testable import Telemetry

/// What a log writer has written.
private final class Paper: Sendable {
  private let bytes = Lock<[UInt8]>([])
  func write(_ more: [UInt8]) { bytes.withLock { $0 += more } }
  var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }
}

@Suite("Log") struct LogTests {
  /// 2026-02-28T23:59:59.007Z
  static let moment: Int64 = 1_772_323_199_007

  static func line(_ format: LogFormat, _ fields: Log.Fields) -> String {
    format.line(at: moment, .info, "listening", fields)
  }

  static let values: [(any CustomStringConvertible & Sendable, logfmt: String, json: String)] = [
    ("plain", "plain", #""plain""#),
    ("two words", #""two words""#, #""two words""#),
    ("", #""""#, #""""#),
    (#"say "a=b\""#, #""say \"a=b\\\"""#, #""say \"a=b\\\"""#),
    ("a\nlevel=error", #""a\nlevel=error""#, #""a\nlevel=error""#),
    ("a\r\n", #""a\r\n""#, #""a\r\n""#),
    ("\u{1B}[31m", #""\u001b[31m""#, #""\u001b[31m""#),
    ("a\u{2028}b\u{85}", #""a\u2028b\u0085""#, #""a\u2028b\u0085""#),
    ("Zoë", #""Zoë""#, #""Zoë""#),
    (42, "42", "42"),
    (-1.5, "-1.5", "-1.5"),
    (Double.nan, "nan", #""nan""#),
    (true, "true", "true"),
  ]

  @Test(arguments: values.indices)
  func `a value cannot break out of its field or line`(_ index: Int) throws {
    let (value, logfmt, json) = Self.values[index]
    #expect(
      Self.line(.logfmt, ["value": value])
        == "time=2026-02-28T23:59:59.007Z level=info event=listening value=\(logfmt)\n")
    let line = Self.line(.json, ["value": value])
    let head = #"{"time":"2026-02-28T23:59:59.007Z","level":"info","event":"listening","#
    #expect(line == head + #""value":\#(json)}"# + "\n")
    _ = try JSONSerialization.jsonObject(with: Data(line.utf8))
  }

  @Test func `a long value is cut between characters and marked`() {
    let line = Self.line(.json, ["text": String(repeating: "ä", count: 5_000)])
    #expect(line.hasSuffix("ä…\"}\n"))
    #expect(line.utf8.count < 1_200)
  }

  @Test(arguments: LogFormat.allCases)
  func `no line is longer than the limit`(_ format: LogFormat) throws {
    let hostile = String(repeating: "\u{0}", count: 10_000)
    let line = Self.line(
      format, ["a": hostile, "b": hostile, "c": hostile, "d": hostile, "e": hostile])
    #expect(line.utf8.count <= LogFormat.lineBytesMax + 2)
    #expect(line.utf8.count > 4_000 && line.hasSuffix("\n"))
    if format == .json { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (951_782_400_000, "2000-02-29T00:00:00.000Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
    (1_735_689_599_999, "2024-12-31T23:59:59.999Z"),
  ]) func `an instant is written in UTC`(_ milliseconds: Int64, _ text: String) {
    let line = LogFormat.json.line(at: milliseconds, .info, "listening", [:])
    #expect(line.contains("\"time\":\"\(text)\""))
  }

  @Test func `a line of a request has its ids`() async {
    let paper = Paper()
    let log = Log(to: LogWriter(.logfmt, now: { 0 }, write: paper.write))
    let trace = TraceContext(
      continuing: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
    TraceContext.$current.withValue(trace) { log.info("one", ["status": 200]) }
    log.info("two")
    await log.flush()
    let ids = "trace_id=4bf92f3577b34da6a3ce929d0e0e4736 span_id=\(trace.spanText)"
    #expect(
      paper.text == """
        time=1970-01-01T00:00:00.000Z level=info event=one status=200 \(ids)
        time=1970-01-01T00:00:00.000Z level=info event=two

        """)
  }

  @Test func `entries below the configured level are not written`() async {
    let paper = Paper()
    let log = Log(least: .warning, to: LogWriter(.logfmt, now: { 0 }, write: paper.write))
    log.debug("one")
    log.info("two")
    log.warning("three")
    log.error("four", ["code": 5])
    await log.flush()
    #expect(
      paper.text == """
        time=1970-01-01T00:00:00.000Z level=warning event=three
        time=1970-01-01T00:00:00.000Z level=error event=four code=5

        """)
  }

  @Test func `a stuck reader costs lines, not time or memory, and the loss is logged`() async {
    let paper = Paper()
    let gate = DispatchSemaphore(value: 0)
    let isFirst = Lock(true)
    let writer = LogWriter(.logfmt, now: { 0 }) { bytes in
      let mustWait = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if mustWait { gate.wait() }
      paper.write(bytes)
    }
    let log = Log(to: writer)
    let text = String(repeating: "x", count: 1_000)
    for _ in 0..<1_000 { log.info("much", ["text": text]) }
    gate.signal()
    await log.flush()
    #expect(paper.text.utf8.count < 2 * LogWriter.waitingBytesMax + 2_000)
    #expect(paper.text.contains("level=warning event=\"log lines dropped\" count="))
  }

  @Test func `a lasting failure is one line, however its reasons alternate`() async {
    let paper = Paper()
    let log = Log(least: .info, to: LogWriter(.logfmt, now: { Self.moment }, write: paper.write))
    let failing = LastingFailure("silence failed", log)
    for _ in 0..<20 {
      failing.report("unavailable: no answer within the deadline")
      failing.endPoll()
      failing.report("unavailable: connection refused")
      failing.endPoll()
    }
    failing.report("broken: a")
    failing.report("broken: b")
    failing.report("broken: a")
    failing.endPoll()
    failing.endPoll()
    failing.report("unavailable: connection refused")
    await log.flush()
    let reasons = paper.text.split(separator: "\n").map { $0.split(separator: "reason=").last }
    #expect(
      reasons == [
        #""unavailable: no answer within the deadline""#, #""broken: a""#, #""broken: b""#,
        #""unavailable: connection refused""#,
      ])
  }

  @Test func `lines of many tasks do not mix`() async {
    let paper = Paper()
    let log = Log(to: LogWriter(.logfmt, now: { 0 }, write: paper.write))
    await withTaskGroup { tasks in
      for task in 0..<8 {
        tasks.addTask { for _ in 0..<50 { log.info("line", ["task": task]) } }
      }
    }
    await log.flush()
    let lines = paper.text.split(separator: "\n")
    #expect(lines.count == 400)
    #expect(lines.allSatisfy { $0.hasPrefix("time=1970") && $0.dropLast().hasSuffix(" task=") })
  }
}
