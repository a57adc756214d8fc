import BackgroundOperations
import DeviceAPI
import HTTPServing
import JSONText
import ManagerAPI
import Postgres
import ReadModels
import ShiftDomain
import Testing

@Suite("Statistics of the guard") struct StatisticsTests {
  // R: A20
  @Test("come from measurements, list misses, and say where nothing is measured")
  func figures() async throws {
    try await ManagerWorld.run { world in
      _ = try await world.clockIn("a1", "always")
      for (authorization, place) in [
        ("denied", 0), ("always", 1), ("when_in_use", 2), ("denied", 3),
      ] {
        world.wait(.seconds(20))
        _ = try await world.report(authorization)
        guard place == 1 else { continue }
        world.wait(.seconds(4))
        _ = try await world.send(
          .post, "/v1/pings",
          #"{"recordedAt":"2026-11-20T09:30:44Z","latitude":45.5,"longitude":13.5}"#,
          as: world.phone)
      }
      let at = ManagerWorld.start
      try await world.write(
        """
        INSERT INTO detection (
          employee_id, report_id, incident_no, kind, worsened, received_at, elapsed_ms)
        VALUES (7, 1, 91, 1, false, \(at - .hours(1)), 5001), (7, 2, 92, 1, true, \(at), NULL),
          (7, 3, 93, 1, false, \(at - .hours(25)), 9000)
        """)
      // The measurements of this instance are stored later, in the background.
      let before = try await world.get("/v1/statistics/detection")
      #expect(before.text.contains(#""count":1,"p50":5001"#), "\(before.text)")
      try await world.operations.background.storeDetections()
      world.wait(.minutes(2))
      let (status, text, _) = try await world.get("/v1/statistics/detection")
      #expect(status == 200)
      // Two incidents opened and one worsened by reports, and the slow one.
      #expect(text.contains(#""target":5000,"count":4,"#), "\(text)")
      #expect(text.contains(#""max":5001,"#))
      #expect(text.contains(#"{"count":1}],"misses":[{"employee":7,"incident":91,"#), "\(text)")
      #expect(text.contains(#""incident":92,"kind":"denied","worsened":true,"#))
      #expect(!text.contains(#""incident":93"#))
      let figures = try await world.get("/v1/statistics")
      #expect(figures.text.contains(#""indicatorSeenWithin3s":{"count":0,"target":95.0},"#))
      #expect(
        figures.text.contains(
          #""restorationFromDenied":{"count":1,"p50":20000,"p99":20000,"max":20000,"#
            + #""target":60000,"met":100.0}"#), "\(figures.text)")
      #expect(
        figures.text.contains(#""resumption":{"count":1,"p50":4000,"p99":4000,"max":4000,"#),
        "\(figures.text)")
      #expect(figures.text.contains(#""met":50.0,"missing":1}"#), "\(figures.text)")
    }
  }

  @Test("use the nearest rank for quantiles")
  func quantiles() {
    let spans = DurationStatistics((1...100).reversed().map { .milliseconds(Int64($0)) })
    #expect(spans.quantile(permille: 500) == .milliseconds(50))
    #expect(spans.quantile(permille: 990) == .milliseconds(99))
    #expect(spans.quantile(permille: 1_000) == .milliseconds(100))
    #expect(DurationStatistics([]).quantile(permille: 500) == nil)
    #expect(DurationStatistics([.seconds(1)]).quantile(permille: 1) == .seconds(1))
    #expect(spans.counts(within: [.milliseconds(1), .milliseconds(10)]) == [1, 9, 90])
    #expect(spans.permille(within: .milliseconds(33)) == 330)
  }
}
