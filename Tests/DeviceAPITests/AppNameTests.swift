import JSONText
import Testing

@Suite("An app that names itself") struct AppNameTests {
  @Test("is named in the steps from its report on, and the newest system's steps are shown")
  func named() async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.phone(platform: "android", version: "10")
      func report(_ more: String) async throws -> Answer {
        try await phone.post(
          "/v1/permission-reports",
          #"{"authorization":"denied","grantPath":"settings","services":"on"\#(more)}"#)
      }
      let first = try await report("")
      #expect(
        first["guidance", "remedies", 0, "steps", 0]
          == "Usually: Settings > Apps & notifications > the shift app > Permissions > Location.")
      let second = try await report(#","appName":"Field Work","osVersion":"14""#)
      let path = "Usually: Settings > Apps > Field Work > Permissions > Location."
      #expect(second["guidance", "remedies", 0, "steps", 0] == .string(path))
      #expect(try await report("")["guidance", "remedies", 0, "steps", 0] == .string(path))
      #expect(try await phone.get("/v1/me")["device", "appName"] == "Field Work")
      for bad in ["", " Tally", "Tally ", "a\\nb", "a\\u202eb", String(repeating: "a", count: 31)] {
        let answer = try await report(#","appName":"\#(bad)""#)
        #expect(answer.status == 422 && answer["errors", 0, "pointer"] == "/appName", "\(bad)")
      }
    }
  }

  // R: C2, A6
  @Test("raw values say whether the system's question is still to come, and who can answer it")
  func questions() async throws {
    try await DeviceWorld.run { world in
      func action(_ platform: String, _ raw: String) async throws -> JSONValue? {
        let phone = try await world.phone(platform: platform)
        let source = platform == "ios" ? "core_location" : "android"
        return try await phone.post(
          "/v1/permission-reports", #"{"source":"\#(source)","raw":\#(raw)}"#
        )["guidance", "remedies", 0, "action"]
      }
      func android(_ level: Int, _ rest: String) -> String {
        #"{"apiLevel":\#(level),"coarse":true,"background":false,"locationEnabled":true,\#(rest)}"#
      }
      let new = #""fine":true,"hasAskedBackground":false"#
      let refused = #"{"apiLevel":34,"fine":false,"coarse":false,"restricted":true}"#
      for (platform, raw, expected) in [
        ("ios", #"{"authorizationStatus":4,"hasAskedAlways":false}"#, "request_permission"),
        ("ios", #"{"authorizationStatus":4,"hasAskedAlways":true}"#, "open_app_settings"),
        ("ios", #"{"authorizationStatus":4}"#, "open_app_settings"),
        ("android", android(29, new), "request_permission"),
        ("android", android(30, new), "open_app_settings"),
        ("android", android(29, #""fine":true,"hasAskedBackground":true"#), "open_app_settings"),
        ("android", refused, "contact_administrator"),
        ("android", android(34, #""fine":true,"restricted":true"#), "open_app_settings"),
      ] {
        let found = try await action(platform, raw)
        #expect(found == .string(expected), "\(raw)")
      }
    }
  }
}
