import Foundation
import Testing

@testable import PhoneSimulation

@Suite("Report") struct ReportTests {
  /// The outcomes of a short script.
  static let outcomes: [Outcome] = {
    func outcome(_ phone: String, _ line: Int, _ text: String) -> Outcome {
      Outcome(Step(line: line, text: text, act: .check, expectations: []), of: phone)
    }
    var blocked = outcome("anna", 2, "clock-in")
    blocked.status = 409
    blocked.requests = 1
    blocked.words = [
      .code: ["clock_in_blocked"], .verdict: ["block"], .finding: ["denied"], .command: [],
    ]
    blocked.roundTrip = .milliseconds(9)
    blocked.misses = ["status 2xx, but it was 409 (clock_in_blocked)"]
    var report = outcome("anna", 3, "report denied grant settings")
    report.status = 201
    report.requests = 1
    report.words = [.disposition: ["in_force"], .incident: ["denied"]]
    report.roundTrip = .microseconds(9_140)
    report.detections = [
      .init(server: .microseconds(4_200), roundTrip: .microseconds(9_140))
    ]
    var play = outcome("bert", 4, "play drive.gpx live")
    play.status = 200
    play.requests = 21
    play.pings = [.stored: 20, .refused: 1]
    play.refusals = ["no_shift": 1]
    play.roundTrip = .milliseconds(12)
    play.fix = .milliseconds(7)
    var lost = outcome("bert", 5, "clock-out")
    lost.failure = "no answer: cancelled"
    return [blocked, report, play, lost]
  }()

  @Test("lists everything as text, phone by phone") func everything() {
    #expect(
      textReport(Self.outcomes, quiet: false) == """
        anna
          clock-in                      409  clock_in_blocked  block  [denied]  9.0 ms
            MISSED, line 2: expected status 2xx, but it was 409 (clock_in_blocked)
          report denied grant settings  201  in_force  open: denied  9.1 ms
        bert
          play drive.gpx live  200  20 stored  1 refused  (1 no_shift)  fix sent at once, 7.0 ms  \
        21 requests, longest 12.0 ms
          clock-out
            FAILED, line 5: no answer: cancelled
        detections
          anna: 4.2 ms in the server, 9.1 ms seen from the phone
        4 steps, 2 not as expected

        """)
  }

  @Test("summarises many detections by percentiles") func spread() {
    let step = Step(line: 1, text: "report denied", act: .check, expectations: [])
    var report = Outcome(step, of: "anna")
    report.detections = (1...200).reversed().map { number in
      .init(server: .milliseconds(number), roundTrip: .milliseconds(number + 1))
    }
    let text = textReport([report], quiet: false)
    #expect(text.contains("  200 in the server: p50 100.0 ms, p99 198.0 ms, longest 200.0 ms\n"))
    #expect(text.contains("  seen from the phone: p50 101.0 ms, p99 199.0 ms, longest 201.0 ms\n"))
  }

  @Test("lists only what was not as expected when quiet") func quiet() {
    #expect(
      textReport(Self.outcomes, quiet: true) == """
        anna
          clock-in  409  clock_in_blocked  block  [denied]  9.0 ms
            MISSED, line 2: expected status 2xx, but it was 409 (clock_in_blocked)
        bert
          clock-out
            FAILED, line 5: no answer: cancelled
        4 steps, 2 not as expected

        """)
    #expect(textReport([Self.outcomes[1]], quiet: true) == "1 step, all as expected\n")
  }

  @Test("contains the same as JSON, latencies in milliseconds") func json() throws {
    let object = try JSONSerialization.jsonObject(with: Data(jsonReport(Self.outcomes).utf8))
    let report = try #require(object as? [String: Any])
    #expect(report["ok"] as? Bool == false)
    let steps = try #require(report["steps"] as? [[String: Any]])
    #expect(steps.map { $0["line"] as? Int } == [2, 3, 4, 5])
    #expect((steps[1]["detections"] as? [[String: Double]])?.first?["server"] == 4.2)
    #expect(steps[2]["pings"] as? [String: Int] == ["stored": 20, "refused": 1])
    #expect(steps[3]["failure"] as? String == "no answer: cancelled")
    #expect(steps[3]["roundTrip"] == nil)
  }
}
