import DeviceAPI
import DeviceOperations
import Foundation
import GuardRules
import HTTPAPI
import HTTPServing
import JSONText
import ManagerAPI
import Postgres
import ShiftDomain
import ShiftStore
import ShiftTestKit
import TestKit
import Testing

/// Employee 7's phone and an administrator, over HTTP.
private struct PolicyWorld: Sendable {
  let world: ManagerWorld
  var phone: String { world.phone }

  static func run(_ body: (PolicyWorld) async throws -> Void) async throws {
    try await ManagerWorld.run { try await body(PolicyWorld(world: $0)) }
  }

  func send(_ method: HTTPMethod, _ path: String, _ body: String = "", as token: String?)
    async throws -> APIAnswer
  {
    try await world.router.answer(method, path, Array(body.utf8), as: token)
  }

  func get(_ path: String) async throws -> APIAnswer {
    try await send(.get, path, as: world.access)
  }

  func post(_ path: String, _ body: String = "") async throws -> APIAnswer {
    try await send(.post, path, body, as: world.access)
  }

  func clockIn(_ id: String) async throws -> APIAnswer {
    let report = #"{"authorization":"when_in_use","accuracy":"full","services":"on"}"#
    return try await send(
      .post, "/v1/clock-in", #"{"actionId":"\#(id)","report":\#(report)}"#, as: phone)
  }
}

@Suite("A team's policies over HTTP") struct PolicyRouteTests {
  private let policies = "/v1/teams/1/policies"

  // R: A9, M2
  @Test("a change blocks the next clock-in, and restoring allows it with a warning")
  func effect() async throws {
    try await PolicyWorld.run { world in
      let set = try await world.post(policies, #"{"severities":{"when_in_use":"block"}}"#)
      #expect(set.status == 201, "\(set.text)")
      #expect(set.headers["Location"] == "/v1/teams/1/policies/2")
      let refused = try await world.clockIn("one")
      #expect(refused.status == 409 && refused.text.contains(#""policyVersion":2"#))
      let restored = try await world.post(policies + "/1/restore")
      #expect(restored.status == 201 && restored.headers["Location"] == policies + "/3")
      let warned = try await world.clockIn("two")
      #expect(warned.status == 201, "\(warned.text)")
      #expect(warned.text.contains(#""verdict":"warn""#))
      #expect(warned.text.contains(#""policyVersion":3"#))
    }
  }

  @Test("a version shows every setting, durations in seconds, and never changes")
  func message() async throws {
    try await PolicyWorld.run { world in
      let body = """
        {"preset":"strict","severities":{"cannot_report":"advice","clock_wrong":null},\
        "freshFor":600,"debounce":0,"pingInterval":30,"breakMax":3600.0,"shiftMax":43200,\
        "reminderAfter":32400,"emailAfter":60,"managersAfter":0,"cooldown":120,\
        "lateAfter":900,"noShowAfter":3600,"selfOverride":"with_reason","opensPlannedShifts":true}
        """
      #expect(try await world.post(policies, body).status == 201)
      #expect(try await world.post(policies, #"{"preset":"advisory"}"#).status == 201)
      let shown = try await world.get(policies + "/2")
      #expect(shown.status == 200)
      let expected = """
        "preset":"strict","severities":{"restricted":"block","services_off":"block",\
        "denied":"block","not_determined":"block","unreadable":"block","no_report":"block",\
        "stale_report":"block","cannot_report":"advice","cannot_report_no_fix":"block",\
        "accuracy_reduced":"warn","when_in_use":"block","mock_location":"block",\
        "site_unknown":"ignore","off_site":"ignore","not_planned":"ignore",\
        "too_early":"ignore","services_unknown":"advice",\
        "always_unproven":"advice","battery_optimised":"advice",\
        "background_refresh_off":"advice","power_save":"advice","notifications_off":"advice",\
        "clock_wrong":"advice"},"freshFor":600,"debounce":0,"pingInterval":30,\
        "maxRest":1800,"breakMax":3600,"shiftMax":43200,"reminderAfter":32400,"emailAfter":60,\
        "managersAfter":0,"cooldown":120,"massSilenceWait":600,"hiddenReminderAfter":900,\
        "lateAfter":900,"noShowAfter":3600,"earlyWindow":900,"awayAfter":0,"maxFixAge":120,\
        "selfOverride":"with_reason",\
        "opensPlannedShifts":true}
        """
      #expect(shown.text.hasSuffix(expected), "\(shown.text)")
      #expect(shown.text.hasPrefix(#"{"team":1,"version":2,"inForce":false,"createdAt":""#))
      let all = try await world.get(policies)
      #expect(all.status == 200)
      let versions = all.text.matches(of: /"version":(\d+),"inForce":(\w+)/).map {
        "\($0.1) \($0.2)"
      }
      #expect(versions == ["3 true", "2 false", "1 false"])
    }
  }

  // R: W11
  @Test("the list has who saved each version, and what it changed")
  func differences() async throws {
    try await PolicyWorld.run { world in
      let body = """
        {"severities":{"denied":"warn"},"shiftMax":43200,"accuracyMax":50,\
        "opensPlannedShifts":true}
        """
      #expect(try await world.post(policies, body).status == 201)
      #expect(try await world.post(policies, #"{"preset":"strict"}"#).status == 201)
      let text = try await world.get(policies).text
      let found = text.matches(of: /"version":(\d+).*?"differences":(\[.*?\])/)
      #expect(found.map(\.1) == ["3", "2", "1"])
      #expect(
        found.map(\.2) == [
          """
          [{"setting":"/preset","from":"standard","to":"strict"},\
          {"setting":"/severities/denied","from":"warn","to":"block"},\
          {"setting":"/severities/cannot_report","from":"warn","to":"block"},\
          {"setting":"/severities/when_in_use","from":"warn","to":"block"},\
          {"setting":"/severities/mock_location","from":"warn","to":"block"}]
          """,
          """
          [{"setting":"/severities/denied","from":"block","to":"warn"},\
          {"setting":"/shiftMax","from":57600,"to":43200},\
          {"setting":"/accuracyMax","from":null,"to":50},\
          {"setting":"/opensPlannedShifts","from":false,"to":true}]
          """, "[]",
        ])
      #expect(text.matches(of: /"savedBy":"[^"]+"/).count == 2)
      let one = try await world.get(policies + "/2").text
      #expect(one.contains(#""savedBy":""#) && !one.contains("differences"))
    }
  }

  @Test("repeating a change creates nothing and is answered with 200")
  func again() async throws {
    try await PolicyWorld.run { world in
      let first = try await world.post(policies, #"{"pingInterval":30}"#)
      let second = try await world.post(policies, #"{"pingInterval":30}"#)
      #expect(first.status == 201 && second.status == 200 && first.text == second.text)
      #expect(try await world.post(policies + "/2/restore").status == 200)
    }
  }

  static let faults: [(body: String, pointer: String, detail: String)] = [
    ("{}", "", "must name at least one setting to change"),
    (#"{"preset":null}"#, "", "must name at least one setting to change"),
    ("[]", "", "must be an object"),
    (#"{"freshfor":300}"#, "/freshfor", "is not a setting of a policy"),
    (#"{"maxFixAge":300}"#, "/maxFixAge", "is not a setting of a policy"),
    (#"{"preset":"lax"}"#, "/preset", "must be one of standard, strict, advisory"),
    (#"{"preset":1}"#, "/preset", "must be one of standard, strict, advisory"),
    (#"{"opensPlannedShifts":"on"}"#, "/opensPlannedShifts", "must be true or false"),
    (#"{"selfOverride":true}"#, "/selfOverride", "must be one of off, with_reason"),
    (#"{"severities":[]}"#, "/severities", "must be an object"),
    (#"{"severities":{"x":"block"}}"#, "/severities/x", "is not the code of a finding"),
    (
      #"{"severities":{"denied":"no"}}"#, "/severities/denied",
      "must be one of advice, warn, block"
    ),
    (
      #"{"severities":{"denied":"ignore"}}"#, "/severities/denied",
      "must be one of advice, warn, block"
    ),
    (
      #"{"severities":{"off_site":"no"}}"#, "/severities/off_site",
      "must be one of advice, warn, block, ignore"
    ),
    (#"{"earlyWindow":14401}"#, "/earlyWindow", "must be a whole number from 0 to 14400"),
    (#"{"freshFor":0}"#, "/freshFor", "must be a whole number from 1 to 86400"),
    (#"{"debounce":4}"#, "/debounce", "must be a whole number from 0 to 3"),
    (#"{"debounce":1.5}"#, "/debounce", "must be a whole number from 0 to 3"),
    (#"{"pingInterval":"60"}"#, "/pingInterval", "must be a whole number from 1 to 3600"),
    (#"{"breakMax":59}"#, "/breakMax", "must be a whole number from 60 to 86400"),
    (#"{"shiftMax":86401}"#, "/shiftMax", "must be a whole number from 14400 to 86400"),
    (#"{"awayAfter":299}"#, "/awayAfter", "must be 0, or 300 to 7200"),
    (#"{"awayAfter":7201}"#, "/awayAfter", "must be a whole number from 0 to 7200"),
    (#"{"reminderAfter":1e99}"#, "/reminderAfter", "must be a whole number from 3600 to 86400"),
  ]

  @Test("an invalid setting is refused with its location, and nothing is stored")
  func invalid() async throws {
    try await PolicyWorld.run { world in
      for fault in Self.faults {
        let answer = try await world.post(policies, fault.body)
        #expect(answer.status == 422, "\(fault.body): \(answer.text)")
        let errors = #""errors":[{"pointer":"\#(fault.pointer)","detail":"\#(fault.detail)"}]"#
        #expect(answer.text.contains(errors), "\(fault.body): \(answer.text)")
      }
      #expect(try await world.post(policies, "{").status == 400)
      #expect(try await world.get(policies + "/2").status == 404)
    }
  }

  @Test("unknown things are 404 and named, and every route requires an API token")
  func refusals() async throws {
    try await PolicyWorld.run { world in
      let missing = try await world.get(policies + "/7")
      #expect(missing.status == 404)
      #expect(missing.text.contains("policy version 7 of team 1 does not exist"))
      let strict = #"{"preset":"strict"}"#
      for team in ["9", "0", "-1", "99999999999", "x", "1'%20OR%20true"] {
        let path = "/v1/teams/\(team)/policies"
        for answer in [
          try await world.get(path), try await world.get(path + "/1"),
          try await world.post(path, strict), try await world.post(path + "/1/restore"),
        ] {
          #expect(answer.status == 404, "\(team): \(answer.text)")
          #expect(answer.text.contains(#/"team[ 0-9-]* does not exist"/#))
        }
      }
      for version in ["0", "-1", "99999999999", "x", "2"] {
        let answer = try await world.post("\(policies)/\(version)/restore")
        #expect(answer.status == 404 && answer.text.contains(#/"policy version.* does not exist"/#))
      }
      for token in [nil, "sga_1_x", world.phone] {
        for answer in [
          try await world.send(.get, policies, as: token),
          try await world.send(.post, policies, strict, as: token),
          try await world.send(.post, policies + "/1/restore", as: token),
        ] {
          #expect(answer.status == 401 && answer.headers["WWW-Authenticate"] == "Bearer")
        }
      }
    }
  }
}
