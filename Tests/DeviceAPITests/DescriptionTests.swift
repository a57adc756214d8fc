import JSONText
import ShiftDomain
import TestKit
import Testing

@Suite("Device descriptions over HTTP") struct DescriptionTests {
  // R: A6, C2
  @Test("follow the newest report, and guidance is for that version")
  func follows() async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.phone(platform: "android", version: "10")
      func report(_ rest: String) async throws -> Answer {
        try await phone.post(
          "/v1/permission-reports", #"{"sentAt":"\#(world.time())",\#(rest)}"#)
      }
      func device(_ name: String) async throws -> JSONValue? {
        try await phone.get("/v1/me")["device", .name(name)]
      }
      let inUse = #""authorization":"when_in_use","grantPath":"prompt","services":"on""#
      let old = try await report(inUse + #","sequence":1"#)
      let new = try await report(
        inUse + #","sequence":3,"osVersion":"14.1","model":"Pixel 8","app":"Shifts 3.2""#)
      #expect(old["guidance"] != new["guidance"] && new["guidance"] != nil)
      #expect(try await device("osVersion") == "14.1")
      #expect(try await device("model") == "Pixel 8")
      #expect(try await device("app") == "Shifts 3.2")
      // Omitted fields stay as they are; a late report describes the past.
      _ = try await report(inUse + #","sequence":2,"osVersion":"11","app":"Shifts 1""#)
      _ = try await report(inUse + #","sequence":4"#)
      #expect(try await device("osVersion") == "14.1")
      #expect(try await device("app") == "Shifts 3.2")
      for name in ["osVersion", "model", "app"] {
        let bad = try await report(inUse + #","\#(name)":7"#)
        #expect(bad.status == 422 && bad["errors", 0, "pointer"] == .string("/\(name)"))
      }
    }
  }

  // R: A6
  @Test("follow the report of a clock action, already in its own response")
  func clockAction() async throws {
    try await DeviceWorld.run(.strict) { world in
      let phone = try await world.phone(platform: "android", version: "10")
      func clockIn(_ attempt: String, _ version: String) async throws -> Answer {
        try await phone.post(
          "/v1/clock-in",
          """
          {"actionId":"\(attempt)","sentAt":"\(world.time())","report":{
           "authorization":"when_in_use","grantPath":"prompt","services":"on",
           "osVersion":"\(version)"}}
          """)
      }
      let old = try await clockIn("a", "10")
      let new = try await clockIn("b", "14")
      #expect(old.status == 409 && new.status == 409)
      #expect(new["guidance"] != nil && old["guidance"] != new["guidance"])
      #expect(try await phone.get("/v1/me")["device", "osVersion"] == "14")
    }
  }

  // R: A6
  typealias Row = (body: String, version: JSONValue)
  static let rows: [Row] = [
    (#""source":"android","raw":{"apiLevel":34}"#, "14"),
    (#""source":"android","raw":{"apiLevel":32}"#, "12"),
    (#""source":"android","raw":{"apiLevel":27},"version":"13""#, "8"),
    (#""source":"android","raw":{},"version":"13""#, "13"),
    (#""source":"android","raw":{"apiLevel":29}"#, "10.0.1"),
    (#""source":"android","raw":{"apiLevel":7}"#, "10.0.1"),
    (#""source":"android","raw":{"apiLevel":34},"osVersion":"15""#, "15"),
    (#""source":"permission_handler","raw":{"apiLevel":33},"version":"11.3""#, "13"),
    (#""source":"geolocator","raw":{},"version":"13""#, "10.0.1"),
    (#""source":"core_location","raw":{},"version":"18.2""#, "18.2"),
    (#""source":"core_location","raw":{},"version":"newest""#, "10.0.1"),
  ]

  @Test("follow raw values that name the system version", arguments: rows)
  func raw(_ row: Row) async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.phone(platform: "android", version: "10.0.1")
      let answer = try await phone.post("/v1/permission-reports", "{\(row.body)}")
      #expect(answer.status == 201)
      #expect(try await phone.get("/v1/me")["device", "osVersion"] == row.version)
    }
  }
}
