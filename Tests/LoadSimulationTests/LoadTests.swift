import HTTPServing
import JSONText
import Lifecycle
import ShiftDomain
import TestKit
import Testing

@testable import LoadSimulation

@Suite("Load") struct LoadTests {
  /// Plays against a server that answers each ping upload with `answer`, by its place from 0.
  private func play(
    _ shape: LoadShape, answer: @escaping @Sendable (Int) -> HTTPResponse
  ) async throws -> (outcome: LoadOutcome, uploads: [[UInt8]], paths: Set<String>) {
    let seen = Lock<(uploads: [[UInt8]], paths: Set<String>)>(([], []))
    let server = try HTTPServer(.patient) { request in
      let place = seen.withLock { seen in
        seen.paths.insert(request.path)
        if request.path == "/v1/pings" { seen.uploads.append(request.body) }
        return seen.uploads.count - 1
      }
      return request.path == "/v1/pings" ? answer(place) : Self.json(201, "{}")
    }
    let token = "sg_7_1_" + String(repeating: "A", count: 43)
    let phones = [try #require(EnrolledPhone(token: token))]
    let load = Load(
      shape, phones: phones, server: "http://\(server.address)", patience: .seconds(600))
    let working = try await server.serving { _ in await load.run().count }
    let outcome = LoadOutcome(
      tally: load.progress, phones: 1, working: working, time: .seconds(1), discrepancies: nil)
    let (uploads, paths) = seen.withLock { $0 }
    return (outcome, uploads, paths)
  }

  private static func json(
    _ status: Int, _ text: String, _ headers: HTTPHeaders = [:]
  ) -> HTTPResponse {
    HTTPResponse(status: status, headers: headers, body: .bytes(Array(text.utf8)))
  }

  private static let stored = json(200, #"{"results":[{"status":"stored"}]}"#)

  /// A single upload, due at once; the span only has to outlast a slow start.
  private var one: LoadShape {
    var shape = LoadShape()
    (shape.span, shape.pingsPerSecond) = (.seconds(18), 0.05)
    return shape
  }

  @Test("after a 503 the same pings are sent again, with a new sending time")
  func again() async throws {
    let (outcome, uploads, _) = try await play(one) { place in
      place == 0 ? Self.json(503, "{}", ["Retry-After": "0"]) : Self.stored
    }
    #expect(outcome.tally.retries == 1)
    #expect(outcome.tally.pingsAcknowledged == 1)
    #expect(outcome.isGood)
    let pings = try uploads.map { body -> JSONValue? in
      guard case .object(let object) = try JSONValue(parsing: body) else { return nil }
      return object["pings"]
    }
    #expect(pings.count == 2 && pings[0] != nil && pings[0] == pings[1])
  }

  @Test(
    "an unexpected answer makes the outcome bad",
    arguments: [
      (422, "{}"), (500, "{}"), (200, "{}"), (200, #"{"results":[]}"#), (200, "no JSON"),
    ])
  func unexpected(status: Int, body: String) async throws {
    let (outcome, _, _) = try await play(one) { _ in Self.json(status, body) }
    #expect(outcome.tally.unexpected == [status == 200 ? 0 : status: 1])
    #expect(outcome.tally.pingsAcknowledged == 0)
    #expect(!outcome.isGood)
    #expect(outcome.text.contains("UNEXPECTED"))
  }

  @Test("a permission that is still lost when the time is over is restored")
  func restored() async throws {
    var shape = one
    // One a second, so that many fit after a slow start.
    (shape.downgradesPerMinute, shape.span) = (60, .milliseconds(12_300))
    let (outcome, _, paths) = try await play(shape) { _ in Self.stored }
    #expect(paths.contains("/v1/permission-reports"))
    #expect(outcome.tally.reportsAcknowledged > 0)
    #expect(outcome.tally.reportsAcknowledged.isMultiple(of: 2))
  }

  @Test("reports first of all where the database disagrees") func disagreement() {
    var found = Discrepancies()
    found.lost = ["ping of 7/1 recorded at 1000"]
    let outcome = LoadOutcome(
      tally: LoadTally(), phones: 1, working: 1, time: .seconds(1), discrepancies: found)
    #expect(!outcome.isGood)
    #expect(outcome.text.contains("acknowledged, but lost: 1\n  ping of 7/1 recorded at 1000"))
    #expect(outcome.json.contains(#""lost":1"#) && outcome.json.contains(#""isGood":false"#))
  }

  @Test("an invalid token gives no phone", arguments: ["", "sg_7_1", "sg_0_1_A", "xx_7_1_A"])
  func tokens(text: String) {
    #expect(EnrolledPhone(token: text) == nil)
  }
}
