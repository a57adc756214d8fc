import GuardRules
import HTTPServing
import OperationCore
import ShiftDomain
import ShiftTestKit
import Testing

@testable import guardd

@Suite("What requests of phones say about the service") struct AvailabilityNotesTests {
  typealias Row = (name: String, method: HTTPMethod, status: Int, isOutage: Bool)

  /// Ten seconds begin with a request; after five of them another one is answered.
  static let rows: [Row] = [
    ("a refused phone is a failure", .post, 503, true),
    ("an error of the phone does not count", .post, 400, false),
    ("nor is the refusal of what only reads", .get, 503, false),
  ]

  // R: W8
  @Test("is noted by the routes", arguments: rows)
  func noted(_ row: Row) async throws {
    let clock = MovableClock()
    let availability = Availability(now: clock.reading)
    availability.noteHeartbeat(with: availability.account(at: clock.now))
    availability.noteSuccess()
    let start = clock.now
    let routes = availability.noting([
      Route(row.method, "/v1/first") { _ in HTTPResponse(status: row.status) },
      // May have been answered without a write.
      Route(.put, "/v1/second") { _ in HTTPResponse(status: 200) },
    ])
    let router = Router(routes)
    _ = await router.respond(to: try HTTPRequest(row.method, "/v1/first"))
    #expect(availability.isInDoubt == row.isOutage)
    for second in Int64(1)...10 {
      clock.now = start + .seconds(second)
      availability.noteRunning()
      if second == 5 { _ = await router.respond(to: try HTTPRequest(.put, "/v1/second")) }
    }
    let outages = availability.account(at: clock.now)
      .outages(in: IntervalSet(from: start, to: clock.now))
    #expect(outages == (row.isOutage ? [Interval(from: start, to: clock.now)] : []))
  }
}
