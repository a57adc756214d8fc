import GuardRules
import HTTPServing
import OperationCore
import ShiftDomain
import ShiftTestKit
import Testing

@testable import guardd

@Suite("What requests of phones say about the service") struct AvailabilityNotesTests {
  typealias Row = (name: String, method: HTTPMethod, status: Int, isOutage: Bool)

  /// Ten seconds begin with a failure; after five of them a request is answered.
  static let rows: [Row] = [
    ("what was stored proves that it works", .post, 201, false),
    ("a refused phone does not", .post, 503, true),
    ("nor an error of the phone, which may be found without the database", .post, 400, true),
    ("nor reading, which works while nothing can be stored", .get, 200, true),
  ]

  // R: W8
  @Test("is noted by the routes", arguments: rows)
  func noted(_ row: Row) async throws {
    let clock = MovableClock()
    let availability = Availability(now: clock.reading)
    availability.noteHeartbeat(with: availability.account(at: clock.now))
    let start = clock.now
    let routes = availability.noting([
      Route(row.method, "/v1/pings") { _ in HTTPResponse(status: row.status) },
      Route(.put, "/v1/fails") { _ in HTTPResponse(status: 503) },
    ])
    let router = Router(routes)
    _ = await router.respond(to: try HTTPRequest(.put, "/v1/fails"))
    for second in Int64(1)...10 {
      clock.now = start + .seconds(second)
      availability.noteRunning()
      if second == 5 { _ = await router.respond(to: try HTTPRequest(row.method, "/v1/pings")) }
    }
    let outages = availability.account(at: clock.now)
      .outages(in: IntervalSet(from: start, to: clock.now))
    #expect(outages == (row.isOutage ? [Interval(from: start, to: clock.now)] : []))
  }
}
