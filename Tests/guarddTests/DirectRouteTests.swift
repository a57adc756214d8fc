import HTTPServing
import OperationCore
import ShiftTestKit
import Telemetry
import Testing

@testable import guardd

@Suite("What surrounds each route, on a direct way") struct DirectRouteTests {
  /// A route that says which way was gone, and with which status it is answered.
  private func answer(
    _ status: Int, clock: ClockWatch, _ availability: Availability, _ metrics: Metrics
  ) async throws -> HTTPResponse {
    let route = Route(.post, "/v1/pings") { _ in .text("handler") }
      .directly { _, _, ticket in
        ticket.answer(.text("direct", status: status))
        return .taken
      }
    let monitor = RequestMonitor(
      metrics: metrics, log: Log(least: .error, to: LogWriter(.logfmt) { _ in }),
      slowAfter: .seconds(600), spans: nil)
    let router = Router(
      RequestMeter.observing(
        ClockGate.guarding(availability.noting([route]), clock), by: monitor))
    return await router.respond(
      to: try HTTPRequest(.post, "/v1/pings", headers: ["Authorization": "a"], body: [1]))
  }

  @Test("counts each answer, and marks and notes a failure", arguments: [200, 503])
  func counts(_ status: Int) async throws {
    let metrics = Metrics()
    let availability = Availability(now: MovableClock().reading)
    availability.noteSuccess()
    let response = try await answer(status, clock: ClockWatch(), availability, metrics)
    #expect(response.status == status)
    #expect(availability.isInDoubt == (status == 503))
    #expect((response.headers["traceresponse"] != nil) == (status == 503))
    let text = metrics.render()
    let labels = #"method="POST",route="/v1/pings""#
    #expect(
      text.contains(#"shiftguard_requests_total{\#(labels),status="\#(status)"} 1"#), "\(text)")
    #expect(text.contains(#"shiftguard_request_seconds_count{\#(labels)} 1"#), "\(text)")
  }

  // R: W1
  @Test("is closed while the clock is wrong")
  func wrongClock() async throws {
    let clock = ClockWatch()
    clock.note(.seconds(3))
    let metrics = Metrics()
    let response = try await answer(
      200, clock: clock, Availability(now: MovableClock().reading), metrics)
    #expect(response.status == 503)
    #expect(metrics.render().contains(#"status="503"} 1"#))
  }
}
