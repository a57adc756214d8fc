import GuardRules
import JSONText
import ShiftDomain
import Testing

// R: B7
@Suite("Raw values over HTTP") struct RawValueTests {
  /// `says` lists authorization, grant path, accuracy, services and quality; a dash is unknown.
  typealias Row = (source: String, raw: String, says: String)

  static let ios: [Row] = [
    (
      "core_location",
      #"{"authorizationStatus":3,"accuracyAuthorization":0,"locationServicesEnabled":true}"#,
      "always - full on clear"
    ),
    ("core_location", #"{"authorizationStatus":0}"#, "not_determined prompt - - clear"),
    ("core_location", #"{"authorizationStatus":1}"#, "restricted administrator - - clear"),
    ("core_location", #"{"authorizationStatus":2}"#, "denied settings - - clear"),
    ("core_location", #"{"authorizationStatus":4}"#, "when_in_use settings - - clear"),
    ("core_location", #"{"authorizationStatus":5}"#, "- - - - unknown_value"),
    ("core_location", #"{"authorizationStatus":"3"}"#, "- - - - unknown_value"),
    ("core_location", #"{"authorizationStatus":1e999}"#, "- - - - unknown_value"),
    ("core_location", "{}", "- - - - incomplete"),
    (
      "permission_handler", #"{"location":1,"locationAlways":1,"serviceStatus":1}"#,
      "always - - on clear"
    ),
    (
      "permission_handler",
      #"{"locationWhenInUse":"granted","locationAlways":"permanentlyDenied"}"#,
      "when_in_use settings - - clear"
    ),
    ("permission_handler", #"{"location":0}"#, "not_determined prompt - - clear"),
    (
      "permission_handler", #"{"location":0,"serviceStatus":"disabled"}"#,
      "not_determined prompt - off clear"
    ),
    ("permission_handler", #"{"locationAlways":4}"#, "- settings - - incomplete"),
    ("permission_handler", #"{"location":0,"locationAlways":1}"#, "- - - - contradictory"),
    ("permission_handler", #"{"location":3}"#, "- - - - unknown_value"),
    ("permission_handler", #"{"location":6}"#, "- - - - unknown_value"),
    ("permission_handler", #"{"location":-1}"#, "- - - - unknown_value"),
    ("permission_handler", #"{"location":1.5}"#, "- - - - unknown_value"),
    ("permission_handler", #"{"location":"Granted"}"#, "- - - - unknown_value"),
    ("permission_handler", #"{"location":[1]}"#, "- - - - unknown_value"),
    ("permission_handler", #"{"platform":"android","location":1}"#, "- - - - contradictory"),
    ("permission_handler", #"{"platform":"ios","location":4}"#, "denied settings - - clear"),
    (
      "geolocator", #"{"permission":0,"serviceEnabled":true}"#,
      "not_determined - - on incomplete"
    ),
    (
      "geolocator", #"{"permission":"whileInUse","accuracy":"precise"}"#,
      "when_in_use settings full - clear"
    ),
    ("geolocator", #"{"permission":3,"accuracy":0}"#, "always - reduced - clear"),
    ("geolocator", #"{"permission":9}"#, "- - - - unknown_value"),
    (
      "expo_location",
      """
      {"foreground":{"status":"granted","granted":true,"canAskAgain":true,"expires":"never",
       "scope":"whenInUse","accuracy":"full"},
       "background":{"status":"undetermined","canAskAgain":true,
       "ios":{"scope":"whenInUse","accuracy":"full"}},"hasServicesEnabled":true}
      """,
      "when_in_use settings full on clear"
    ),
    (
      "expo_location",
      #"{"foreground":{"status":"granted","ios":{"scope":"always","accuracy":"reduced"}}}"#,
      "always - reduced - clear"
    ),
    (
      "expo_location",
      #"{"foreground":{"status":"granted","scope":"ALWAYS","accuracy":"FULL"}}"#,
      "always - full - clear"
    ),
    (
      "expo_location",
      """
      {"foreground":{"status":"denied","canAskAgain":false,"scope":"notGranted",
       "accuracy":"NOT_GRANTED"}}
      """,
      "denied settings - - clear"
    ),
    ("expo_location", #"{"foreground":"granted"}"#, "- - - - unknown_value"),
    ("expo_location", #"{"foreground":{"status":"allowed"}}"#, "- - - - unknown_value"),
    (
      "expo_location", #"{"foreground":{"status":"granted","scope":"sometimes"}}"#,
      "- - - - unknown_value"
    ),
    ("expo_location", #"{"background":{"status":"denied"}}"#, "- - - - incomplete"),
    (
      "react_native_permissions",
      """
      {"ios.permission.LOCATION_WHEN_IN_USE":"granted","ios.permission.LOCATION_ALWAYS":"blocked",
       "locationAccuracy":"reduced"}
      """,
      "when_in_use settings reduced - clear"
    ),
    (
      "react_native_permissions",
      """
      {"ios.permission.LOCATION_ALWAYS":"granted",
       "android.permission.ACCESS_FINE_LOCATION":"granted"}
      """,
      "- - - - contradictory"
    ),
    (
      "react_native_permissions", #"{"ios.permission.LOCATION_WHEN_IN_USE":1}"#,
      "- - - - unknown_value"
    ),
    (
      "pub_location", #"{"permissionStatus":"grantedLimited","serviceEnabled":true}"#,
      "when_in_use settings reduced on incomplete"
    ),
    // Its native code uses the same number for denied as its Dart code for granted.
    ("pub_location", #"{"permissionStatus":0}"#, "- - - - unknown_value"),
    (
      "transistorsoft",
      #"{"status":3,"enabled":true,"gps":true,"network":true,"accuracyAuthorization":0}"#,
      "always - full on clear"
    ),
    (
      "transistorsoft", #"{"status":"4","enabled":false,"accuracyAuthorization":1}"#,
      "when_in_use settings reduced off clear"
    ),
    ("transistorsoft", #"{"status":2}"#, "denied settings - - clear"),
    ("transistorsoft", #"{"status":5}"#, "- - - - unknown_value"),
    ("transistorsoft", #"{"status":"always"}"#, "- - - - unknown_value"),
    ("hypertrack", #"{"state":"location_imprecise"}"#, "when_in_use settings reduced - incomplete"),
    ("hypertrack", #"{"state":"never"}"#, "denied - - - clear"),
    ("hypertrack", #"{"state":"someday"}"#, "- - - - unknown_value"),
    ("web_permissions", #"{"geolocation":"granted"}"#, "when_in_use - - - clear"),
    ("web_permissions", "{}", "- - - - incomplete"),
  ]

  static let android: [Row] = [
    (
      "android",
      #"{"apiLevel":34,"fine":true,"coarse":true,"background":true,"locationEnabled":true}"#,
      "always - full on clear"
    ),
    ("android", #"{"apiLevel":28,"fine":false,"coarse":true}"#, "always - reduced - clear"),
    (
      "android", #"{"apiLevel":34,"fine":false,"coarse":false,"hasAsked":false}"#,
      "not_determined prompt - - clear"
    ),
    (
      "android",
      #"{"apiLevel":34,"fine":false,"coarse":false,"hasAsked":true,"shouldShowRationale":false}"#,
      "denied settings - - clear"
    ),
    (
      "android", #"{"apiLevel":34,"fine":false,"coarse":false,"background":true}"#,
      "- - - - contradictory"
    ),
    ("android", #"{"apiLevel":34,"fine":1,"coarse":true}"#, "- - - - unknown_value"),
    ("permission_handler", #"{"location":0}"#, "- - - - incomplete"),
    (
      "permission_handler",
      #"{"location":0,"locationAlways":0,"fine":false,"coarse":true,"apiLevel":34}"#,
      "when_in_use settings reduced - clear"
    ),
    (
      "permission_handler", #"{"location":0,"locationAlways":1}"#,
      "always - reduced - incomplete"
    ),
    ("permission_handler", #"{"location":1,"apiLevel":28}"#, "always - - - clear"),
    ("geolocator", #"{"permission":0}"#, "denied - - - clear"),
    (
      "expo_location",
      """
      {"foreground":{"status":"granted","android":{"accuracy":"coarse"}},
       "background":{"status":"denied","canAskAgain":false}}
      """,
      "when_in_use settings reduced - clear"
    ),
    (
      "expo_location", #"{"foreground":{"status":"granted","android":{"scope":"fine"}}}"#,
      "when_in_use settings full - incomplete"
    ),
    (
      "react_native_permissions",
      """
      {"android.permission.ACCESS_FINE_LOCATION":"granted",
       "android.permission.ACCESS_COARSE_LOCATION":"granted",
       "android.permission.ACCESS_BACKGROUND_LOCATION":"unavailable"}
      """,
      "always - full - clear"
    ),
    (
      "react_native_permissions",
      """
      {"android.permission.ACCESS_FINE_LOCATION":"denied",
       "android.permission.ACCESS_COARSE_LOCATION":"denied"}
      """,
      "denied - - - clear"
    ),
    ("pub_location", #"{"permissionStatus":"denied"}"#, "denied - - - clear"),
    ("transistorsoft", #"{"status":2}"#, "denied - - - clear"),
    ("transistorsoft", #"{"status":"DENIED_ALWAYS"}"#, "denied settings - - clear"),
    ("windows_phone", #"{"anything":[1,2]}"#, "- - - - unknown_value"),
  ]

  @Test("are mapped by source and platform, and counted", arguments: ["ios", "android"])
  func mapped(_ platform: String) async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.phone(platform: platform)
      for row in platform == "ios" ? Self.ios : Self.android {
        let answer = try await phone.post(
          "/v1/permission-reports",
          #"{"sentAt":"\#(world.time())","source":"\#(row.source)","raw":\#(row.raw)}"#)
        #expect(answer.status == 201, "\(row): \(answer.text)")
        let counted = world.rawReadings.take()
        let quality = counted.first?.split(separator: " ").last ?? ""
        let said = ["authorization", "grantPath", "accuracy", "services"].map { field in
          let word = answer["report", .name(field)]
          guard case .string(let text) = word, text != "unknown" else { return "-" }
          return text
        }
        #expect("\(said.joined(separator: " ")) \(quality)" == row.says, "\(row)")
        let source = RawSource(code: row.source) ?? .unknown
        #expect(counted == ["\(source.code) \(quality)"])
        world.clock.move(by: .seconds(1))
      }
    }
  }

  @Test("are also accepted in a clock action, and counted only once accepted")
  func clockActions() async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.phone(platform: "android")
      let clockAction = """
        {"actionId":"a","sentAt":"\(world.time())","report":{"sequence":1,
         "source":"geolocator","raw":{"permission":"always"},"conditions":{"powerSave":"on"}}}
        """
      let answer = try await phone.post("/v1/clock-in", clockAction)
      #expect(answer.status == 201, "\(answer.text)")
      #expect(world.rawReadings.take() == ["geolocator clear"])
      let me = try await phone.get("/v1/me")
      #expect(me["report", "authorization"] == "always")
      #expect(me["report", "conditions", "powerSave"] == "on")

      let refused = try await world.post("/v1/clock-in", clockAction, token: phone.token + "A")
      #expect(refused.status == 401)
      let spoiled = try await phone.post(
        "/v1/permission-reports",
        #"{"sentAt":"now","source":"geolocator","raw":{"permission":"always"}}"#)
      #expect(spoiled.status == 422)
      #expect(world.rawReadings.take() == [])
    }
  }

  @Test("are counted once when they are sent again, and reports without them are not counted")
  func counted() async throws {
    try await DeviceWorld.withPhone { world, phone in
      let report = """
        {"sentAt":"\(world.time())","sequence":1,"source":"hypertrack","raw":{"state":"always"}}
        """
      #expect(try await phone.post("/v1/permission-reports", report).status == 201)
      #expect(try await phone.post("/v1/permission-reports", report).status == 200)
      #expect(world.rawReadings.take() == ["hypertrack clear"])
      try await phone.report("always", sequence: 2)
      #expect(world.rawReadings.take() == [])
    }
  }
}
