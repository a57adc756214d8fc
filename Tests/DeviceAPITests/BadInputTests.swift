import HTTPAPI
import HTTPServing
import InstallationOperations
import JSONText
import PeopleOperations
import ShiftDomain
import TestKit
import Testing

@Suite("Bad input") struct BadInputTests {
  typealias Row = (
    name: String, path: String, body: String, status: Int, code: String, pointer: String
  )

  static let reports = "/v1/permission-reports"
  static let pings = "/v1/pings"
  static let clockIn = "/v1/clock-in"
  static let deep = String(repeating: #"{"a":"#, count: 5_000)

  static let rows: [Row] = [
    ("nothing", reports, "", 400, "malformed_json", ""),
    ("no JSON", reports, "authorization=denied", 400, "malformed_json", ""),
    ("half an object", reports, #"{"authorization":"den"#, 400, "malformed_json", "/authorization"),
    ("two values", reports, "{}{}", 400, "malformed_json", ""),
    ("NaN", pings, #"{"pings":[{"latitude":NaN}]}"#, 400, "malformed_json", "/pings/0/latitude"),
    ("Infinity", pings, #"{"latitude":Infinity}"#, 400, "malformed_json", "/latitude"),
    ("half a surrogate pair", reports, #"{"trigger":"\ud83d"}"#, 400, "malformed_json", "/trigger"),
    (
      "a bomb of depth", pings, deep, 400, "malformed_json",
      String(repeating: "/a", count: 32)
    ),
    (
      "a deep unknown field", reports, #"{"x":\#(String(repeating: "[", count: 40))"#, 400,
      "malformed_json", "/x" + String(repeating: "/0", count: 31)
    ),
    ("an array", reports, "[]", 422, "invalid_body", ""),
    ("a string", pings, #""hello""#, 422, "invalid_body", ""),
    ("null", clockIn, "null", 422, "invalid_body", ""),

    ("no authorization", reports, "{}", 422, "invalid_body", "/authorization"),
    (
      "authorization null", reports, #"{"authorization":null}"#, 422, "invalid_body",
      "/authorization"
    ),
    (
      "authorization as a number", reports, #"{"authorization":3}"#, 422, "invalid_body",
      "/authorization"
    ),
    (
      "services as a flag", reports, #"{"authorization":"always","services":true}"#, 422,
      "invalid_body", "/services"
    ),
    (
      "conditions as a list", reports, #"{"authorization":"always","conditions":[]}"#, 422,
      "invalid_body", "/conditions"
    ),
    (
      "a condition as a flag", reports,
      #"{"authorization":"always","conditions":{"powerSave":false}}"#, 422, "invalid_body",
      "/conditions/powerSave"
    ),
    (
      "a sequence below zero", reports, #"{"authorization":"always","sequence":-1}"#, 422,
      "invalid_body", "/sequence"
    ),
    (
      "half a sequence", reports, #"{"authorization":"always","sequence":1.5}"#, 422,
      "invalid_body", "/sequence"
    ),
    (
      "an endless sequence", reports, #"{"authorization":"always","sequence":1e999}"#, 422,
      "invalid_body", "/sequence"
    ),
    (
      "a time without offset", reports,
      #"{"authorization":"always","sentAt":"2026-11-20T09:30:00"}"#, 422, "invalid_body",
      "/sentAt"
    ),
    (
      "a time as a number", reports, #"{"authorization":"always","recordedAt":1795167000}"#, 422,
      "invalid_body", "/recordedAt"
    ),
    (
      "the 30th of February", reports,
      #"{"authorization":"always","recordedAt":"2026-02-30T00:00:00Z"}"#, 422, "invalid_body",
      "/recordedAt"
    ),
    (
      "U+0000 in a trigger", reports, #"{"authorization":"always","trigger":"a\u0000b"}"#, 422,
      "invalid_body", "/trigger"
    ),
    (
      "a long trigger", reports,
      #"{"authorization":"always","trigger":"\#(String(repeating: "x", count: 51))"}"#, 422,
      "invalid_body", "/trigger"
    ),
    (
      "a source without raw values", reports, #"{"source":"core_location"}"#, 422, "invalid_body",
      "/raw"
    ),
    (
      "raw values as a list", reports, #"{"source":"core_location","raw":[3]}"#, 422,
      "invalid_body", "/raw"
    ),
    (
      "U+0000 in a source", reports, #"{"source":"\u0000","raw":{}}"#, 422, "invalid_body",
      "/source"
    ),

    ("no pings", pings, #"{"pings":[]}"#, 422, "invalid_body", "/pings"),
    ("pings as an object", pings, #"{"pings":{}}"#, 422, "invalid_body", "/pings"),
    (
      "pings with a junk time", pings, #"{"sentAt":"now","pings":[{}]}"#, 422, "invalid_body",
      "/sentAt"
    ),

    ("no action ID", clockIn, "{}", 422, "invalid_body", "/actionId"),
    ("an empty action ID", clockIn, #"{"actionId":""}"#, 422, "invalid_body", "/actionId"),
    (
      "a long action ID", clockIn, #"{"actionId":"\#(String(repeating: "x", count: 65))"}"#, 422,
      "invalid_body", "/actionId"
    ),
    (
      "U+0000 in an action ID", clockIn, #"{"actionId":"\u0000"}"#, 422, "invalid_body",
      "/actionId"
    ),
    (
      "a bad report in a clock action", "/v1/clock-out",
      #"{"actionId":"a","report":{"authorization":"always","sequence":"7"}}"#, 422,
      "invalid_body", "/report/sequence"
    ),
    (
      "an action time as a number", clockIn, #"{"actionId":"a","occurredAt":1795167000}"#, 422,
      "invalid_body", "/occurredAt"
    ),
    ("no action ID at a break start", "/v1/break-start", "{}", 422, "invalid_body", "/actionId"),
    ("no action ID at a break end", "/v1/break-end", "{}", 422, "invalid_body", "/actionId"),
    ("no action ID at a take-over", "/v1/take-over", "{}", 422, "invalid_body", "/actionId"),
    (
      "an empty reason", clockIn, #"{"actionId":"a","overrideReason":""}"#, 422,
      "invalid_body", "/overrideReason"
    ),
    (
      "a blank reason", clockIn, #"{"actionId":"a","overrideReason":" \n\u00a0"}"#, 422,
      "invalid_body", "/overrideReason"
    ),
    (
      "a long reason", clockIn,
      #"{"actionId":"a","overrideReason":"\#(String(repeating: "x", count: 501))"}"#, 422,
      "invalid_body", "/overrideReason"
    ),
    ("no shift to end", "/v1/confirm-end", "{}", 422, "invalid_body", "/shift"),
    (
      "a shift 0 to end", "/v1/confirm-end", #"{"shift":0}"#, 422, "invalid_body", "/shift"
    ),
    ("no end", "/v1/confirm-end", #"{"shift":1}"#, 422, "invalid_body", "/endedAt"),
    ("no reports", reports, #"{"reports":[]}"#, 422, "invalid_body", "/reports"),
    ("reports as an object", reports, #"{"reports":{}}"#, 422, "invalid_body", "/reports"),
    (
      "an exit without its time", reports,
      #"{"authorization":"always","lastExit":{"cause":"other"}}"#, 422, "invalid_body",
      "/lastExit/at"
    ),
    (
      "an exit as a string", reports, #"{"authorization":"always","lastExit":"other"}"#, 422,
      "invalid_body", "/lastExit"
    ),

    ("no code", "/v1/enrolments", #"{"platform":"ios"}"#, 422, "invalid_body", "/code"),
    ("no platform", "/v1/enrolments", #"{"code":"7-A"}"#, 422, "invalid_body", "/platform"),
    (
      "a long model", "/v1/enrolments",
      #"{"code":"7-A","platform":"ios","model":"\#(String(repeating: "é", count: 101))"}"#, 422,
      "invalid_body", "/model"
    ),
    (
      "U+0000 in a version", "/v1/enrolments",
      #"{"code":"7-A","platform":"ios","osVersion":"17\u0000"}"#, 422, "invalid_body",
      "/osVersion"
    ),
  ]

  @Test("is answered with its location and a stable code, and changes nothing")
  func isRefused() async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.phone()
      let before = try await phone.get("/v1/me").text
      for row in Self.rows {
        let answer = try await phone.post(row.path, row.body)
        #expect(answer.status == row.status, "\(row.name): \(answer.text)")
        #expect(answer.code == .string(row.code), "\(row.name): \(answer.text)")
        #expect(
          answer["errors", 0, "pointer"] == .string(row.pointer), "\(row.name): \(answer.text)")
        #expect(answer.headers["Content-Type"] == "application/problem+json", "\(row.name)")
      }
      #expect(try await phone.get("/v1/me").text == before)
    }
  }

  // R: B2, W2
  @Test("an invalid fix is named in the response and refuses no clock action")
  func fixIsNamed() async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.phone()
      try await phone.report("denied")
      for path in ["/v1/clock-in", "/v1/clock-out"] {
        let refused = try await phone.post(path, #"{"actionId":"\#(path)","fix":[1,2]}"#)
        #expect(refused.status == 409, "\(refused.text)")
        #expect(refused["fix", "pointer"] == "/fix", "\(refused.text)")
      }
      try await phone.report("always")
      let time = #""recordedAt":"2026-11-20T09:30:00Z""#
      for (fix, pointer) in [
        (#"{\#(time),"latitude":91,"longitude":0}"#, "/fix/latitude"),
        (#"{\#(time),"latitude":1}"#, "/fix/longitude"),
        (#"{"latitude":1,"longitude":1}"#, "/fix/recordedAt"), ("[1,2]", "/fix"),
      ] {
        let answer = try await phone.post(
          "/v1/clock-in", #"{"actionId":"\#(pointer)","fix":\#(fix)}"#)
        #expect(answer.status < 300, "\(fix): \(answer.text)")
        #expect(answer["fix", "status"] == "invalid", "\(fix)")
        #expect(answer["fix", "pointer"] == .string(pointer), "\(fix)")
      }
    }
  }

  // R: W4
  @Test("a clock action of any age is kept for review, not refused")
  func oldClockActions() async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.phone()
      for (path, sentAt, occurredAt) in [
        ("clock-in", "2026-11-20T09:30:00Z", "2026-11-18T09:30:00Z"),
        ("clock-out", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z"),
      ] {
        let answer = try await phone.post(
          "/v1/\(path)",
          #"{"actionId":"\#(path)","sentAt":"\#(sentAt)","occurredAt":"\#(occurredAt)"}"#)
        #expect(answer.status == 202 && answer["review"] == "pending", "\(answer.text)")
        #expect(answer["reason"] == "too_old", "\(answer.text)")
      }
    }
  }

  @Test("bytes that are not UTF-8 are refused with their location")
  func badUTF8() async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.phone()
      let body = Array(#"{"actionId":""#.utf8) + [0xC3, 0x28] + Array("\"}".utf8)
      let answer = try await world.send(.post, "/v1/clock-in", body, token: phone.token)
      #expect(answer.status == 400)
      #expect(answer["errors", 0, "pointer"] == "/actionId")
    }
  }

  @Test("a body over the limit is refused with 413, unread")
  func tooLarge() async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.phone()
      let answer = try await world.send(
        .post, "/v1/pings", Array(repeating: 0x20, count: 10 << 20), token: phone.token)
      #expect(answer.status == 413)
      #expect(answer.code == "body_too_large")
      let report = String(repeating: " ", count: 65_536) + "{}"
      #expect(try await phone.post("/v1/permission-reports", report).status == 413)
    }
  }

  @Test("random damage to valid bodies never causes a 5xx")
  func damage() async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.phone()
      try await phone.report("always")
      try await phone.clockIn()
      let bodies = [
        (
          "/v1/permission-reports",
          #"{"sentAt":"\#(world.time())","sequence":4,"trigger":"change","authorization":"denied"}"#
        ),
        (
          "/v1/pings",
          #"{"pings":[{"recordedAt":"\#(world.time())","latitude":52.52,"longitude":13.4}]}"#
        ),
        ("/v1/clock-out", #"{"actionId":"x","sentAt":"\#(world.time())","report":{}}"#),
        (
          "/v1/permission-reports",
          #"{"reports":[{"source":"android","raw":{"exitReason":8,"exitTimestamp":1}}]}"#
        ),
        (
          "/v1/break-start",
          #"{"actionId":"y","fix":{"recordedAt":"\#(world.time())","latitude":1,"longitude":1}}"#
        ),
        ("/v1/confirm-end", #"{"shift":1,"endedAt":"\#(world.time())"}"#),
      ]
      var random = SeededRandom(seed: 20)
      for round in 0..<300 {
        let (path, text) = bodies[round % bodies.count]
        var body = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let place = Int.random(in: 0..<body.count, using: &random)
          body[place] = UInt8.random(in: 0...255, using: &random)
        }
        let answer = try await world.send(.post, path, body, token: phone.token)
        #expect(
          answer.status < 500,
          "\(path) \(String(decoding: body, as: UTF8.self)) \(answer.text)")
      }
    }
  }
}

@Suite("Tokens and enrolment codes") struct TokenTests {
  @Test("a missing, wrong, revoked or foreign token gets 401 without details")
  func unauthorized() async throws {
    try await DeviceWorld.run(employees: [7, 8]) { world in
      let phone = try await world.phone(of: 7)
      _ = try await world.phone(of: 8)
      let secret = phone.token.split(separator: "_", maxSplits: 3)[3]
      let revoked = try await world.phone(of: 7)
      try await world.operations.people.revoke(
        device: DeviceID(employee: EmployeeID(7), number: 2))
      let access = try await world.operations.installation.createAPIToken(
        name: "board", role: .administrator, validFor: .hours(1))
      let tokens = [
        nil, "", "sg", "sg_7_1", "sg_8_1_\(secret)", "sg_7_2_\(secret)", "sg_9_1_\(secret)",
        "sg_0_1_\(secret)", "sg_-7_1_\(secret)", "sg_99999999999_1_\(secret)",
        "sg_7_99999_\(secret)", phone.token + "A", String(phone.token.dropLast()),
        revoked.token, access.token, "Bearer " + phone.token,
      ]
      let calls: [(HTTPMethod, String, String)] = [
        (.get, "/v1/me", ""),
        (.post, "/v1/guard/check", ""),
        (.post, "/v1/permission-reports", #"{"authorization":"always"}"#),
        (.post, "/v1/pings", #"{"recordedAt":"2026-11-20T09:30:00Z"}"#),
        (.post, "/v1/pings", "{}"),
        (.post, "/v1/clock-in", #"{"actionId":"a"}"#),
        (.post, "/v1/clock-out", #"{"actionId":"a"}"#),
        (.post, "/v1/break-start", #"{"actionId":"a"}"#),
        (.post, "/v1/break-end", #"{"actionId":"a"}"#),
        (.post, "/v1/take-over", #"{"actionId":"a"}"#),
        (.post, "/v1/confirm-end", #"{"shift":1,"endedAt":"2026-11-20T09:30:00Z"}"#),
        (.post, "/v1/permission-reports", #"{"reports":[{"authorization":"always"}]}"#),
      ]
      for token in tokens {
        for (method, path, body) in calls {
          let answer = try await world.send(method, path, Array(body.utf8), token: token)
          #expect(answer.status == 401, "\(path) with \(token ?? "none"): \(answer.text)")
          #expect(answer.code == "unauthorized")
          #expect(answer.headers["WWW-Authenticate"] == "Bearer")
        }
      }
      #expect(try await phone.get("/v1/me").status == 200)
    }
  }

  @Test(
    "an enrolment code is read as people type it",
    arguments: [
      { $0 }, { $0.replacing("-", with: "") }, { $0.replacing("-", with: " ") + " " },
      { $0.replacing("-", with: "–") }, { "\t\($0.lowercased())\n" },
      { "https://shifts.example.com/app#\($0)" },
    ] as [@Sendable (String) -> String])
  func typed(_ typed: @Sendable (String) -> String) async throws {
    try await DeviceWorld.run { world in
      let body: JSONValue = ["code": .string(typed(try await world.code())), "platform": "ios"]
      let answer = try await world.post(
        "/v1/enrolments", String(decoding: body.bytes, as: UTF8.self))
      #expect(answer.status == 201, "\(answer.text)")
    }
  }

  @Test("an enrolment code works once and, soon, once more; not after it has expired")
  func codes() async throws {
    try await DeviceWorld.run { world in
      let code = try await world.code()
      let body = #"{"code":"\#(code.lowercased())","platform":"symbian"}"#
      let first = try await world.post("/v1/enrolments", body)
      #expect(first.status == 201)
      #expect(first["employee"] == .integer(7))
      #expect(first["device"] == .integer(1) && first["replacedDevice"] == nil)
      let second = try await world.post("/v1/enrolments", body)
      #expect(second.status == 201)
      #expect(second["device"] == .integer(2) && second["replacedDevice"] == .integer(1))
      for wrong in [body, #"{"code":"","platform":"ios"}"#, #"{"code":"7-ÄÖÜ","platform":"ios"}"#] {
        let answer = try await world.post("/v1/enrolments", wrong)
        #expect(answer.status == 404)
        #expect(answer.code == "enrolment_code_unknown")
      }
      let late = try await world.code()
      world.clock.move(by: .hours(2))
      let answer = try await world.post(
        "/v1/enrolments", #"{"code":"\#(late)","platform":"ios"}"#)
      #expect(answer.status == 404)
    }
  }
}
