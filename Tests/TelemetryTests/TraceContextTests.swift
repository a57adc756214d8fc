import Telemetry
import Testing

@Suite("Trace context") struct TraceContextTests {
  static let traceID = "4bf92f3577b34da6a3ce929d0e0e4736"
  static let parentID = "00f067aa0ba902b7"

  static let valid: [(String, isSampled: Bool)] = [
    ("00-\(traceID)-\(parentID)-01", true),
    ("00-\(traceID)-\(parentID)-00", false),
    ("00-\(traceID)-\(parentID)-03", true),
    ("cc-\(traceID)-\(parentID)-01-what-comes-later", true),
  ]

  @Test(arguments: valid)
  func `a valid traceparent is continued by a span of its own`(_ text: String, isSampled: Bool) {
    let trace = TraceContext(continuing: text)
    #expect(trace.traceText == Self.traceID && trace.parentID == 0x00f0_67aa_0ba9_02b7)
    #expect(trace.isSampled == isSampled && trace.spanText != Self.parentID)
    let flags = isSampled ? "01" : "00"
    #expect(trace.header == "00-\(Self.traceID)-\(trace.spanText)-\(flags)")
  }

  static let invalid = [
    "", "00", "-", "00-\(traceID)-\(parentID)", "00-\(traceID)-\(parentID)-01-more",
    "ff-\(traceID)-\(parentID)-01", "00-\(traceID.uppercased())-\(parentID)-01",
    "00-\(String(repeating: "0", count: 32))-\(parentID)-01",
    "00-\(traceID)-0000000000000000-01", "00-\(traceID)0-\(parentID)-01",
    "00-\(traceID)-\(parentID)-1", "00-\(traceID)-\(parentID)-0x", " 00-\(traceID)-\(parentID)-01",
    "00-\(traceID)-\(parentID)-01,00-\(traceID)-\(parentID)-01",
    "00-\(traceID.dropLast())٣-\(parentID)-01",
  ]

  @Test(arguments: invalid + [nil])
  func `an invalid one is ignored: a trace begins`(_ text: String?) {
    let trace = TraceContext(continuing: text)
    #expect(trace.traceText != Self.traceID && trace.parentID == nil && !trace.isSampled)
    #expect(TraceContext(continuing: trace.header).traceID == trace.traceID)
  }

  @Test func `ids do not repeat`() {
    let traces = (0..<10_000).map { _ in TraceContext() }
    #expect(Set(traces.map(\.traceID)).count == 10_000)
    #expect(Set(traces.map(\.spanID)).count == 10_000)
  }
}
