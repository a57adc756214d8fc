import ShiftDomain
import Telemetry
import TestPrograms
import Testing

@Suite("Metrics") struct MetricsTests {
  @Test func `renders every kind in the text format`() {
    let metrics = Metrics()
    metrics.counter("shiftguard_pings_total", "Pings stored.").add(3)
    metrics.counter("shiftguard_answers_total", "Answers.", ["status": "200"]).add()
    metrics.counter("shiftguard_answers_total", "Answers.", ["status": "503"]).add(2)
    metrics.gauge("shiftguard_streams", "Open streams.\nNow.").set(2.5)
    metrics.gauge("shiftguard_queue", "Waiting.") { 7 }
    let spans = metrics.histogram(
      "shiftguard_wait_seconds", "Waiting.", ["lane": "a\"b"], bounds: [0.5, 1])
    spans.observe(.milliseconds(250))
    spans.observe(1.0)
    spans.observe(4.0)
    spans.observe(.nan)
    #expect(
      metrics.render() == #"""
        # HELP shiftguard_answers_total Answers.
        # TYPE shiftguard_answers_total counter
        shiftguard_answers_total{status="200"} 1
        shiftguard_answers_total{status="503"} 2
        # HELP shiftguard_pings_total Pings stored.
        # TYPE shiftguard_pings_total counter
        shiftguard_pings_total 3
        # HELP shiftguard_queue Waiting.
        # TYPE shiftguard_queue gauge
        shiftguard_queue 7
        # HELP shiftguard_streams Open streams.\nNow.
        # TYPE shiftguard_streams gauge
        shiftguard_streams 2.5
        # HELP shiftguard_wait_seconds Waiting.
        # TYPE shiftguard_wait_seconds histogram
        shiftguard_wait_seconds_bucket{lane="a\"b",le="0.5"} 1
        shiftguard_wait_seconds_bucket{lane="a\"b",le="1"} 2
        shiftguard_wait_seconds_bucket{lane="a\"b",le="+Inf"} 3
        shiftguard_wait_seconds_sum{lane="a\"b"} 5.25
        shiftguard_wait_seconds_count{lane="a\"b"} 3

        """#)
  }

  @Test func `a counter can be read from elsewhere`() {
    let metrics = Metrics()
    metrics.counter("a_seconds_total", "A.") { 1.5 }
    #expect(metrics.render().hasSuffix("# TYPE a_seconds_total counter\na_seconds_total 1.5\n"))
  }

  @Test func `a table has all counters from the start`() {
    let metrics = Metrics()
    let table = CounterTable<Channel, DeliveryOutcome>(
      "a_total", "A.", labels: ("channel", "outcome"), metrics)
    table.add(.email, .refused)
    let lines = metrics.render().split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines.count == Channel.allCases.count * DeliveryOutcome.allCases.count)
    #expect(
      lines.filter { !$0.hasSuffix(" 0") } == [#"a_total{channel="email",outcome="refused"} 1"#])
  }

  @Test func `the same name and labels are the same instrument`() {
    let metrics = Metrics()
    metrics.counter("a_total", "A.").add()
    metrics.counter("a_total", "A.").add()
    #expect(metrics.counter("a_total", "A.").value == 2)
  }

  @Test func `one name cannot have two kinds`() async {
    await #expect(processExitsWith: .failure) {
      expectCrash()
      let metrics = Metrics()
      _ = metrics.counter("a", "A.")
      _ = metrics.gauge("a", "A.")
    }
  }

  @Test func `counts of many tasks add up`() async {
    let metrics = Metrics()
    let counter = metrics.counter("a_total", "A.")
    let gauge = metrics.gauge("b", "B.")
    let spans = metrics.histogram("c_seconds", "C.")
    await withTaskGroup { tasks in
      for _ in 0..<8 {
        tasks.addTask {
          for _ in 0..<500 {
            counter.add()
            gauge.add(1)
            spans.observe(0.02)
          }
        }
      }
    }
    #expect(counter.value == 4_000 && gauge.value == 4_000 && spans.counts.count == 4_000)
  }

  @Test(arguments: [(0.0, 1.0), (0.5, 1.0), (0.51, 2.0), (0.9, 2.0), (0.91, .infinity)])
  func `the bound of a share is the bucket's upper end`(_ share: Double, _ bound: Double) {
    let spans = Metrics().histogram("c_seconds", "C.", bounds: [1, 2])
    for value in [1, 1, 1, 1, 1, 2, 2, 2, 2, 3.0] { spans.observe(value) }
    #expect(spans.bound(ofShare: share) == bound)
    #expect(Metrics().histogram("d_seconds", "D.").bound(ofShare: 0.5) == nil)
  }
}
