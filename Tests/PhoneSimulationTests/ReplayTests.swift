import Foundation
import ShiftDomain
import Testing

@testable import PhoneSimulation

@Suite("Replay") struct ReplayTests {
  let server = PretendServer()

  @Test("a phone enrols, reports, clocks in and out with its token") func story() async throws {
    let outcomes = try await server.play(
      """
      phone anna code 7-ABCD platform ios os 17.5 model "iPhone 13"
      anna report always services on trigger launch
      anna clock-in with-report
      anna expect verdict allow
      anna check
      anna look
      anna clock-out
      """)
    #expect(outcomes.complaints == [])
    #expect(outcomes.map(\.line) == [1, 2, 3, 5, 6, 7])
    #expect(outcomes.map(\.status) == [201, 201, 201, 200, 200, 200])
    #expect(outcomes[2].shift == "7/3")
    let calls = server.received
    #expect(
      calls.map(\.path) == [
        "/v1/enrolments", "/v1/permission-reports", "/v1/clock-in", "/v1/guard/check", "/v1/me",
        "/v1/clock-out",
      ])
    #expect(calls[0].token == nil)
    #expect(calls[0]["code"] == "7-ABCD")
    #expect(calls[0]["platform"] == "ios")
    #expect(calls[0]["osVersion"] == "17.5")
    #expect(calls[0]["model"] == "iPhone 13")
    #expect(calls.dropFirst().allSatisfy { $0.token == "Bearer sg_7_1_secret" })
    #expect(calls[1]["authorization"] == "always")
    #expect(calls[1]["services"] == "on")
    #expect(calls[1]["trigger"] == "launch")
    #expect(calls[1]["sequence"] == "0")
    #expect(calls[1]["sentAt"] == PretendClock.noon.rfc3339)
    #expect(calls[2]["report.sequence"] == "1")
    #expect(calls[2]["report.authorization"] == "always")
    #expect(calls[2]["report.sentAt"] == nil)
    #expect(calls[2]["actionId"] != calls[5]["actionId"])
  }

  // R: W5, W7
  @Test("each break and take-over is a clock action of its own") func work() async throws {
    let outcomes = try await server.play(
      """
      phone anna code 7-ABCD
      anna break-start
      anna break-end
      anna take-over
      """)
    #expect(outcomes.complaints == [])
    let calls = server.received.dropFirst()
    #expect(calls.map(\.path) == ["/v1/break-start", "/v1/break-end", "/v1/take-over"])
    #expect(Set(calls.map { $0["actionId"] }).count == 3)
  }

  @Test("an unexpected refusal fails, an expected one does not") func refusals() async throws {
    let outcomes = try await server.play(
      """
      phone anna code 7-ABCD
      anna clock-in
      anna clock-in
      anna expect status 409
      anna expect code clock_in_blocked
      anna expect finding denied
      anna expect verdict warn
      """
    ) { call, _ in
      guard call.path == "/v1/clock-in" else { return PretendServer.agree(call) }
      return PretendServer.json(
        409,
        #"{"code":"clock_in_blocked","decision":{"verdict":"block","findings":"#
          + #"[{"code":"denied","severity":"block"}]}}"#)
    }
    #expect(
      outcomes.map(\.misses) == [
        [], ["status 2xx, but it was 409 (clock_in_blocked)"],
        ["verdict warn, but it was block"],
      ])
  }

  @Test("a busy server gets the same clock action again after its delay, with a new time")
  func retries() async throws {
    let clock = PretendClock()
    let outcomes = try await server.play(
      "phone anna code 7-ABCD\nanna clock-in", clock: clock
    ) { call, place in
      place == 2
        ? PretendServer.json(503, #"{"code":"unavailable"}"#, ["Retry-After": "3"])
        : PretendServer.agree(call)
    }
    #expect(outcomes.map(\.status) == [201, 201])
    #expect(outcomes[1].requests == 2)
    let clockActions = server.received.filter { $0.path == "/v1/clock-in" }
    #expect(clockActions.count == 2)
    #expect(clockActions[0]["actionId"] == clockActions[1]["actionId"])
    #expect(clockActions[0]["sentAt"] == PretendClock.noon.rfc3339)
    #expect(clockActions[1]["sentAt"] == (PretendClock.noon + .seconds(3)).rfc3339)
  }

  @Test("a server that stays busy gets four requests, and the last answer counts")
  func staysBusy() async throws {
    let outcomes = try await server.play("phone anna code 7-ABCD") { _, _ in
      PretendServer.json(503, #"{"code":"unavailable"}"#, ["Retry-After": "3600"])
    }
    #expect(outcomes.first?.status == 503)
    #expect(outcomes.first?.requests == 4)
  }

  @Test("a phone without an answer stops, the others continue") func noAnswer() async throws {
    let replay = Replay(
      try Script(parsing: "phone anna code 7-ABCD\nanna check\nbert check\nwait 1s\nanna look"),
      recordings: [:],
      memory: try Memory(path: nil), server: "http://127.0.0.1:1", sender: .init(connectionsMax: 1),
      timing: PretendClock().timing)
    let outcomes = try await replay.run()
    #expect(outcomes.map(\.phone) == ["anna", "bert"])
    #expect(outcomes[0].failure?.hasPrefix("no answer: unreachable") == true)
    #expect(outcomes[0].requests == 4)
    #expect(outcomes[1].failure?.hasPrefix("not enrolled") == true)
  }

  @Test("a restored phone sends a fix at once when asked to") func fixNow() async throws {
    let outcomes = try await server.play(
      """
      phone anna code 7-ABCD
      anna ping 45.5 13.5 accuracy 8
      anna report denied grant settings
      anna expect detection under 5s
      anna expect incident denied
      anna report always
      anna expect command send_fix_now
      anna expect fix under 10s
      """
    ) { call, _ in
      switch call["authorization"] {
      case "denied":
        PretendServer.json(
          201, #"{"disposition":"in_force","incidents":[{"kind":"denied"}],"commands":[]}"#,
          ["Server-Timing": "detection;dur=4.25"])
      case "always":
        PretendServer.json(201, #"{"incidents":[],"commands":["send_fix_now"]}"#)
      default: PretendServer.agree(call)
      }
    }
    #expect(outcomes.complaints == [])
    #expect(outcomes[2].detections.map(\.server) == [.microseconds(4_250)])
    let last = try #require(server.received.last)
    #expect(last.path == "/v1/pings")
    #expect(last["pings.0.latitude"] == "45.5")
    #expect(outcomes[3].pings[.stored] == 1)
  }

  @Test("phones act at the same time, and a wait joins them") func meeting() async throws {
    let bothAreThere = AsyncStream<Void>.makeStream()
    let outcomes = try await server.play(
      """
      phone anna code 7-A
      phone bert code 7-B
      anna check
      bert check
      wait 5s
      anna clock-in
      """
    ) { call, place in
      // Neither check is answered before both have arrived.
      if place == 4 { bothAreThere.continuation.finish() }
      if call.path == "/v1/guard/check" { for await _ in bothAreThere.stream {} }
      return PretendServer.agree(call)
    }
    #expect(outcomes.complaints == [])
    #expect(server.received.last?["sentAt"] == (PretendClock.noon + .seconds(5)).rfc3339)
  }
}
