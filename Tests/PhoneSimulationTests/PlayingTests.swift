import Foundation
import ShiftDomain
import Testing

@testable import PhoneSimulation

@Suite("Playing a recording") struct PlayingTests {
  let server = PretendServer()

  @Test("a live recording sends each fix at its time") func live() async throws {
    let drive = try Tracks.recording("around-visnjan-with-car.gpx")
    let clock = PretendClock()
    let outcomes = try await server.play(
      """
      phone anna code 7-ABCD
      anna play drive.gpx from 2020-12-18T06:16:48Z points 21 live
      anna expect stored 21
      """, recordings: ["drive.gpx": drive], clock: clock)
    #expect(outcomes.complaints == [])
    #expect(clock.sinceNoon == .seconds(30))
    let pings = server.received.dropFirst()
    #expect(pings.count == 21)
    // Each fix is sent as soon as it is recorded.
    #expect(pings.allSatisfy { $0["sentAt"] == $0["pings.0.recordedAt"] })
    let start = try #require(Instant(rfc3339: "2020-12-18T06:16:48Z"))
    let offsets = drive.points.filter { $0.time >= start }.prefix(21).map { $0.time - start }
    #expect(
      pings.map { $0["sentAt"] } == offsets.map { (PretendClock.noon + $0).rfc3339 })
  }

  @Test("an offline phone's shift is sent in order, with its last point just before now")
  func backlog() async throws {
    let tour = try Tracks.recording("cerknicko-jezero.gpx")
    let outcomes = try await server.play(
      """
      phone anna code 7-ABCD
      anna is always accuracy full services on background-fix on
      anna play tour.gpx backlog
      anna expect stored 296
      anna expect verdict allow
      """, recordings: ["tour.gpx": tour]
    ) { call, _ in
      call.path == "/v1/clock-out"
        ? PretendServer.json(200, #"{"decision":{"verdict":"block","findings":[]}}"#)
        : PretendServer.agree(call)
    }
    #expect(outcomes.complaints == [])
    let calls = server.received.dropFirst()
    #expect(
      calls.map(\.path) == [
        "/v1/clock-in", "/v1/pings", "/v1/pings", "/v1/pings", "/v1/clock-out",
      ])
    #expect(calls.map(\.pings) == [0, 100, 100, 96, 0])
    let end = PretendClock.noon - .seconds(2)
    let start = end - (tour.end - tour.start)
    let first = try #require(calls.first), last = try #require(calls.last)
    #expect(first["occurredAt"] == (start - .seconds(1)).rfc3339)
    #expect(first["report.recordedAt"] == first["occurredAt"])
    #expect(first["report.conditions.backgroundFix"] == "on")
    #expect(calls.dropFirst().first?["pings.0.recordedAt"] == start.rfc3339)
    #expect(calls.dropLast().last?["pings.95.recordedAt"] == end.rfc3339)
    #expect(last["occurredAt"] == (end + .seconds(1)).rfc3339)
    #expect(calls.allSatisfy { $0["sentAt"] == PretendClock.noon.rfc3339 })
  }

  @Test("no ping is sent after a refused clock-in") func refused() async throws {
    let tour = try Tracks.recording("cerknicko-jezero.gpx")
    let outcomes = try await server.play(
      """
      phone anna code 7-ABCD
      anna is denied
      anna play tour.gpx backlog
      anna expect code clock_in_blocked
      """, recordings: ["tour.gpx": tour]
    ) { call, _ in
      call.path == "/v1/clock-in"
        ? PretendServer.json(409, #"{"code":"clock_in_blocked"}"#) : PretendServer.agree(call)
    }
    #expect(outcomes.complaints == [])
    #expect(server.received.map(\.path) == ["/v1/enrolments", "/v1/clock-in"])
  }

  @Test("refused pings are counted by reason, and fail a script that did not expect them")
  func refusedPings() async throws {
    let drive = try Tracks.recording("around-visnjan-with-car.gpx")
    let outcomes = try await server.play(
      """
      phone anna code 7-ABCD
      anna play drive.gpx points 3 live
      """, recordings: ["drive.gpx": drive]
    ) { call, place in
      let results = [
        #"{"status":"stored"}"#, #"{"status":"duplicate"}"#,
        #"{"status":"refused","reason":"no_shift"}"#,
      ]
      return call.path == "/v1/pings"
        ? PretendServer.json(200, #"{"results":[\#(results[place - 2])]}"#)
        : PretendServer.agree(call)
    }
    #expect(outcomes[1].pings == [.stored: 1, .duplicate: 1, .refused: 1])
    #expect(outcomes[1].refusals == ["no_shift": 1])
    #expect(outcomes[1].misses == ["no refused pings, but there were 1 (no_shift)"])
  }

  @Test("a backlog is at most a day long") func tooLong() async throws {
    let place = Position(latitude: 0, longitude: 0)
    let days = try #require(
      Recording([
        .init(time: Instant(milliseconds: 0), position: place, altitude: nil),
        .init(time: Instant(milliseconds: 90_000_000), position: place, altitude: nil),
      ]))
    let outcomes = try await server.play(
      "phone anna code 7-ABCD\nanna is always\nanna play days.gpx backlog",
      recordings: ["days.gpx": days])
    #expect(
      outcomes.last?.failure == "longer than 24 h: an offline clock-in may not be older")
    #expect(server.received.count == 1)
  }

  @Test("a phone without a permission to report cannot play a backlog")
  func noPermission() async throws {
    let outcomes = try await server.play(
      "phone anna code 7-ABCD\nanna play drive.gpx backlog",
      recordings: ["drive.gpx": try Tracks.recording("around-visnjan-with-car.gpx")])
    #expect(
      outcomes.last?.failure
        == "no permission to report: use `anna is …` or `anna report …`")
  }
}
