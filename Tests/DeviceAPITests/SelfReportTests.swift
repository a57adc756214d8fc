import GuardRules
import HTTPAPI
import JSONText
import Postgres
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftStore
import Testing

@Suite("What an app reports about itself") struct SelfReportTests {
  private static let denied = #"{"code":"denied","severity":"block"}"#

  // R: W3, W4
  @Test("a clock-in keeps what the phone decided and under which policy, for its reviewer")
  func localDecision() async throws {
    try await DeviceWorld.withPhone { world, phone in
      try await phone.report("denied")
      func clockIn(_ sent: TimeSpan) async throws -> Answer {
        try await phone.post(
          "/v1/clock-in",
          """
          {"actionId":"a","occurredAt":"\(world.time(.hours(-1)))","sentAt":"\(world.time(sent))",
           "report":{"authorization":"denied","recordedAt":"\(world.time(.hours(-1)))"},
           "localDecision":{"verdict":"warn","findings":[
             {"code":"when_in_use","severity":"warn"},{"code":"power_save","severity":"advice"},
             {"code":"one_of_tomorrow","severity":"block"}],"policyVersion":9}}
          """)
      }
      #expect(try await clockIn(.zero).status == 202)
      #expect(try await clockIn(.zero).status == 202, "a repeat")
      let row = try await world.operations.reviews.clockActions(
        of: EmployeeID(7), awaitingOnly: true, limit: 10
      ).first
      #expect(row?.decision.blocking == FindingSet(.denied) && row?.policyVersion == 1)
      #expect(
        row?.localDecision
          == LocalDecision(
            Decision(
              blocking: [], warning: FindingSet(.whenInUse), informing: FindingSet(.powerSave)),
            policyVersion: 9))
      let ignored = try await phone.post(
        "/v1/clock-out",
        """
        {"actionId":"b","sentAt":"\(world.time())",
         "localDecision":{"findings":[\(Self.denied)],"policyVersion":1}}
        """)
      #expect(ignored.status == 202)
      let kept = try await world.count(
        "SELECT count(*) FROM clock_action WHERE local_blocking IS NOT NULL")
      #expect(kept == 1)
    }
  }

  @Test(
    "a local decision that cannot be read is refused",
    arguments: [
      (#"{"policyVersion":1}"#, "/localDecision/findings"),
      (#"{"findings":[]}"#, "/localDecision/policyVersion"),
      (#"{"findings":[],"policyVersion":0}"#, "/localDecision/policyVersion"),
      (
        #"{"findings":[{"code":"denied","severity":"bad"}],"policyVersion":1}"#,
        "/localDecision/findings/0/severity"
      ),
      (#"{"findings":[7],"policyVersion":1}"#, "/localDecision/findings/0"),
    ])
  func badDecisions(_ decision: String, _ pointer: String) async throws {
    try await DeviceWorld.run { world in
      let answer = try await world.phone().post(
        "/v1/clock-in", #"{"actionId":"a","localDecision":\#(decision)}"#)
      #expect(answer.status == 422)
      #expect(answer["errors", 0, "pointer"] == .string(pointer))
    }
  }

  // R: A20
  @Test("events are stored one by one, and a bad one stops no other")
  func events() async throws {
    try await DeviceWorld.withPhone { (world, phone) async throws in
      func send(_ events: [String]) async throws -> Answer {
        try await phone.post(
          "/v1/me/app-events",
          #"{"sentAt":"\#(world.time())","events":[\#(events.joined(separator: ","))]}"#)
      }
      func event(_ kind: String, _ rest: String = "", session: String = "s") -> String {
        #"{"kind":"\#(kind)","appSession":"\#(session)","recordedAt":"\#(world.time())"\#(rest)}"#
      }
      let good = [
        event("permission_insufficient"), event("indicator_shown", #","after":2999"#),
        event("explanation_shown"), event("dialog_answered", #","authorization":"denied""#),
        event("settings_opened"), event("restored", #","authorization":"always""#),
        event("answer_shown", #","actionId":"tap-1""#),
      ]
      let stored = [String](repeating: "stored", count: 7)
      #expect(try await send(good).results == stored)
      #expect(try await send(good).results == stored.map { _ in "duplicate" })
      #expect(
        try await send([
          event("indicator_shown"), event("indicator_shown", #","after":-1"#),
          event("dialog_answered"), event("restored", #","authorization":"denied""#),
          event("answer_shown"), event("danced"), "7", event("settings_opened", session: ""),
          event("dialog_answered", #","authorization":"of_tomorrow""#, session: "t"),
          #"{"kind":"settings_opened","appSession":"s","recordedAt":"2026-11-01T00:00:00Z"}"#,
        ]).results == [
          "invalid /events/0/after", "invalid /events/1/after", "invalid /events/2/authorization",
          "invalid /events/3/authorization", "invalid /events/4/actionId",
          "invalid /events/5/kind", "invalid /events/6", "invalid /events/7/appSession",
          "stored", "too_late",
        ])
      #expect(try await send([]).status == 422)
      #expect(try await phone.post("/v1/me/app-events", "{}").status == 422)
      let many = [String](repeating: good[0], count: 101)
      #expect(try await send(many).code == "too_many_items")
      let body = #"{"events":[\#(good[0])]}"#
      #expect(try await world.post("/v1/me/app-events", body, token: "sg_7_1_x").status == 401)
    }
  }

  @Test("a differing decision is passed on with what it was made of")
  func difference() async throws {
    try await DeviceWorld.withPhone { world, phone in
      let body = """
        {"actionId":"a","rulesVersion":"4f1d","local":{"findings":[\(Self.denied)],
         "policyVersion":3},"server":{"findings":[]},"arguments":[285212931,-5]}
        """
      #expect(try await phone.post("/v1/me/rule-differences", body).status == 204)
      let denied = Decision(blocking: FindingSet(.denied), warning: [], informing: [])
      #expect(
        world.differences.all == [
          RuleDifference(
            of: DeviceID(employee: EmployeeID(7), number: 1), actionID: "a", rulesVersion: "4f1d",
            policyVersion: 3, local: denied, server: Decision([], under: .standard),
            arguments: [285_212_931, -5])
        ])
      #expect(
        try await world.post("/v1/me/rule-differences", body, token: "sg_7_1_x").status == 401)
      let same = #"{"findings":[\#(Self.denied)],"policyVersion":3}"#
      let many = [String](repeating: "1", count: 17).joined(separator: ",")
      for (body, pointer) in [
        (#"{"local":\#(same),"server":\#(same)}"#, "/server"),
        (#"{"local":\#(same)}"#, "/server"),
        (#"{"server":\#(same)}"#, "/local"),
        (#"{"local":\#(same),"server":{"findings":[]},"arguments":[\#(many)]}"#, "/arguments"),
        (#"{"local":\#(same),"server":{"findings":[]},"arguments":[1.5]}"#, "/arguments/0"),
        (#"{"local":\#(same),"server":{"findings":[]},"arguments":[\#(1 << 53)]}"#, "/arguments/0"),
      ] {
        let answer = try await phone.post("/v1/me/rule-differences", body)
        #expect(answer.status == 422 && answer["errors", 0, "pointer"] == .string(pointer))
      }
      #expect(world.differences.all.count == 1)
    }
  }
}
