import ShiftDomain
import Testing

@testable import PhoneProtocols

@Suite("Transistorsoft") struct TransistorsoftTests {
  typealias Row = (name: String, body: String, says: [String])

  static let moving =
    #"{"uuid":"5a0f3c1e-7d2b-4a77-9d0e-2f61c7b9a001","timestamp":"2026-01-05T08:00:00.412Z","#
    + #""age":212,"event":"motionchange","is_moving":true,"odometer":18234.5,"#
    + #""coords":{"latitude":52.520103,"longitude":13.404951,"accuracy":12.0,"speed":4.98,"#
    + #""speed_accuracy":0.5,"heading":271.0,"heading_accuracy":-1,"altitude":37.0,"#
    + #""ellipsoidal_altitude":80.1,"altitude_accuracy":3.0},"#
    + #""activity":{"type":"in_vehicle","confidence":92},"#
    + #""battery":{"level":0.64,"is_charging":false},"extras":{"shift_id":"s-481"}}"#
  static let denied =
    #"{"uuid":"5a0f3c1e-7d2b-4a77-9d0e-2f61c7b9a002","timestamp":"2026-01-05T08:07:31.002Z","#
    + #""age":40,"event":"providerchange","is_moving":false,"odometer":18240.0,"#
    + #""coords":{"latitude":52.520110,"longitude":13.404960,"accuracy":25.0,"speed":-1,"#
    + #""heading":-1,"altitude":37.0},"activity":{"type":"still","confidence":100},"#
    + #""battery":{"level":0.63,"is_charging":false},"#
    + #""provider":{"status":2,"enabled":true,"gps":true,"network":true,"#
    + #""accuracyAuthorization":0}}"#
  static let movingSays = "fix 08:00:00.412 52.520103,13.404951 ±12 4.98m/s 271° 37m 64%"
  static let deniedSays = [
    "fix 08:07:31.002 52.52011,13.40496 ±25 37m 63% rest", "report 08:07:31.042 denied - - on",
  ]

  static func record(_ more: String, at place: String = #"{"latitude":52.5,"longitude":13.4}"#)
    -> String
  {
    #"{"timestamp":"2026-01-05T08:00:00Z","coords":\#(place)\#(more)}"#
  }

  static let bodies: [Row] = [
    (
      "a batch", #"{"location":[\#(moving),\#(denied)],"device_id":"a"}"#, [movingSays] + deniedSays
    ),
    ("one record", #"{"location":\#(moving),"device_id":"a"}"#, [movingSays]),
    ("a batch of one", #"{"location":[\#(moving)]}"#, [movingSays]),
    ("a list as the body", "[\(moving),\(denied)]", [movingSays] + deniedSays),
    ("the newest first", #"{"location":[\#(denied),\#(moving)]}"#, [movingSays] + deniedSays),
    (
      "the record as the body, with parameters beside it",
      #"{"company":"x",\#(moving.dropFirst())"#, [movingSays]
    ),
    ("under another name", #"{"device":"a","points":[\#(moving)]}"#, [movingSays]),
    ("one under another name", #"{"device":"a","point":\#(moving)}"#, [movingSays]),
    (
      "a template without groups",
      #"{"location":{"lat":52.5,"lng":13.4,"timestamp":"2026-01-05T08:00:00Z","battery":0.5,"#
        + #""speed":3,"accuracy":8}}"#, ["fix 08:00:00 52.5,13.4 ±8 3m/s 50%"]
    ),
    ("seconds", #"{"location":{"timestamp":1767600000}}"#, ["sign 08:00:00"]),
    ("milliseconds", #"{"location":{"timestamp":1767600000412}}"#, ["sign 08:00:00.412"]),
    (
      "the other name of the time", #"{"location":{"recorded_at":1767600000412,"lat":1,"lon":2}}"#,
      ["fix 08:00:00.412 1.0,2.0"]
    ),
    ("a repeat of an id", "[\(moving),\(moving)]", [movingSays, movingSays]),
    ("mocked", record(#","mock":true"#), ["fix 08:00:00 52.5,13.4 mock"]),
    ("a sample", "[\(record(#","sample":true"#))]", ["ignored 1"]),
    ("at rest", record(#","is_moving":false"#), ["fix 08:00:00 52.5,13.4 rest"]),
    (
      "an old position: alive and at rest later",
      record(#","is_moving":false,"event":"heartbeat","age":300000,"battery":{"level":0.2}"#),
      ["fix 08:00:00 52.5,13.4 20% still", "sign 08:05:00 20% rest"]
    ),
    ("an age that is none", record(#","age":-5"#), ["fix 08:00:00 52.5,13.4"]),
    (
      "into a region", record(#","geofence":{"identifier":"x","action":"ENTER"}"#),
      ["fix 08:00:00 52.5,13.4", "event 08:00:00 region_entered"]
    ),
    (
      "out of a region", record(#","geofence":{"identifier":"x","action":"EXIT"}"#),
      ["fix 08:00:00 52.5,13.4", "event 08:00:00 region_left"]
    ),
    (
      "still in a region", record(#","geofence":{"identifier":"x","action":"DWELL"}"#),
      ["fix 08:00:00 52.5,13.4"]
    ),
    (
      "unknown values",
      record("", at: #"{"latitude":52.5,"longitude":13.4,"accuracy":0,"speed":-1,"heading":-1}"#),
      ["fix 08:00:00 52.5,13.4"]
    ),
    (
      "an invalid position", record("", at: #"{"latitude":52.5,"longitude":13.4,"accuracy":-1}"#),
      ["sign 08:00:00"]
    ),
    ("nowhere", record("", at: #"{"latitude":0,"longitude":0}"#), ["sign 08:00:00"]),
    (
      "at rest, says the app of a phone that drives",
      record(
        #","is_moving":false,"age":300000"#,
        at: #"{"latitude":52.5,"longitude":13.4,"speed":18.67}"#),
      ["fix 08:00:00 52.5,13.4 18.67m/s", "sign 08:05:00"]
    ),
    (
      "the same without a position, and too fast for a number",
      record(
        #","is_moving":false"#, at: #"{"latitude":0,"longitude":0,"speed":1e400}"#),
      ["sign 08:00:00"]
    ),
    (
      "slow enough for a rest",
      record(
        #","is_moving":false"#, at: #"{"latitude":52.5,"longitude":13.4,"speed":1}"#),
      ["fix 08:00:00 52.5,13.4 1m/s rest"]
    ),
    ("a batch of none", #"{"location":[]}"#, ["ignored 1"]),
    ("no bytes", "", ["ignored 1"]),
    (
      "a bad record among good ones",
      "[\(moving),\(record("", at: #"{"latitude":52.5}"#)),7,\(denied)]",
      [movingSays] + deniedSays + ["aside missing longitude", "aside not_an_object"]
    ),
    (
      "no time", #"{"location":{"coords":{"latitude":1,"longitude":2}}}"#,
      ["aside missing timestamp"]
    ),
    (
      "an odd time", #"{"location":{"timestamp":"noon","lat":1,"lon":2}}"#,
      ["aside unreadable timestamp"]
    ),
    ("odd coordinates", record("", at: "[1,2]"), ["aside unreadable coords"]),
    (
      "not on earth", record("", at: #"{"latitude":52,"longitude":200}"#),
      ["aside unreadable longitude"]
    ),
    ("a template that we do not know", #"{"location":"52.5;13.4"}"#, ["aside not_an_object"]),
    ("nothing of it", #"{"_type":"lwt"}"#, ["aside missing location"]),
    ("no object", "true", ["aside not_an_object"]),
    ("no JSON", #"{"location":"#, ["aside syntax"]),
  ]

  @Test("a body", arguments: bodies)  // R: M1, W12, W13, B8
  func body(_ row: Row) {
    #expect(Transistorsoft.said(row.body) == row.says, "\(row.name)")
  }

  /// On iOS, on Android, and with the platform unknown.
  static let providers: [(provider: String, says: [String])] = [
    (#"{"status":0,"enabled":true}"#, ["not_determined prompt - on"]),
    (#"{"status":1,"enabled":true}"#, ["restricted administrator - on"]),
    (
      #"{"status":2,"enabled":true}"#,
      ["denied settings - on", "denied - - on", "denied - - on"]
    ),
    (
      #"{"status":3,"enabled":true,"accuracyAuthorization":0}"#,
      ["always - full on", "always - - on", "always - full on"]
    ),
    (
      #"{"status":4,"enabled":true,"accuracyAuthorization":1}"#, ["when_in_use settings reduced on"]
    ),
    (#"{"status":3,"enabled":false}"#, ["always - - off"]),
    (#"{"status":"3","airplane":false}"#, ["always - - -"]),
    (#"{"status":"DENIED_ALWAYS"}"#, ["denied settings - -"]),
    (#"{"status":5}"#, ["- - - -"]),
    (#"{"status":"ALWAYS_AND_EVER"}"#, ["- - - -"]),
    (#"{"status":true,"enabled":1}"#, ["- - - -"]),
    ("{}", ["- - - -"]),
  ]

  @Test("every change of the provider; one that nobody knows is unknown", arguments: providers)
  func provider(_ provider: String, _ says: [String]) throws {  // R: A2, A13, B7
    let reading = Transistorsoft.read(Self.record(#","provider":\#(provider)"#))
    let report = try #require(reading.reports.first)
    #expect(report.said(on: .ios) == says[0])
    #expect(report.said(on: .android) == says[says.count > 1 ? 1 : 0])
    #expect(report.said(on: .unknown) == says[says.count > 1 ? 2 : 0])
    #expect(report.permission.values(osMajor: nil).source.dependsOnPlatform)
  }

  @Test("of providers without a time, the last holds")  // R: A2
  func providersOfNow() {
    let body = #"[{"provider":{"status":3}},{"provider":{"status":4}},{"provider":{"status":2}}]"#
    #expect(Transistorsoft.said(body) == ["report now denied - - -", "ignored 2"])
  }

  @Test("a record without a provider says nothing about the permission")  // R: B7
  func noProvider() {
    #expect(Transistorsoft.read(Self.moving).reports.isEmpty)
  }

  @Test("a report has its id, its raw values, and the time at which the permission changed")
  func report() throws {
    let report = try #require(Transistorsoft.read(Self.denied).reports.first)
    #expect(report.messageID == "5a0f3c1e-7d2b-4a77-9d0e-2f61c7b9a002")
    #expect(report.raw == #"{"status":2,"enabled":true,"accuracyAuthorization":0}"#)
    #expect(report.source == "transistorsoft")
    #expect(report.trigger == "providerchange")
    #expect(report.recordedAt?.rfc3339 == "2026-01-05T08:07:31.042Z")
  }

  @Test("an odd position or time does not cost the permission")
  func permissionFirst() {
    let provider = #","provider":{"status":2,"enabled":true}"#
    #expect(
      Transistorsoft.said(Self.record(provider, at: #"{"latitude":99}"#))
        == ["sign 08:00:00", "report 08:00:00 denied - - on", "aside missing longitude"])
    #expect(
      Transistorsoft.said(#"{"location":{"timestamp":"noon"\#(provider)}}"#)
        == ["report now denied - - on", "aside unreadable timestamp"])
    #expect(
      Transistorsoft.said(#"{"location":{"lat":52.5,"lon":13.4\#(provider)}}"#)
        == ["report now denied - - on", "aside missing timestamp"])
    #expect(
      Transistorsoft.said(#"{"provider":{"status":2,"enabled":true}}"#)
        == ["report now denied - - on"])
  }

  @Test("a permission is that of the record, however old its position is")  // R: A2
  func oldPosition() throws {
    for days in [6.9, 7.1, 30] {
      let age = TimeSpan.milliseconds(Int64(days * 86_400_000))
      let body =
        #"{"timestamp":"\#((receipt - age).rfc3339)","age":\#(age.milliseconds),"lat":1,"lon":2,"#
        + #""provider":{"status":2,"enabled":true}}"#
      let reading = Transistorsoft.read(body)
      #expect(reading.reports.map(\.recordedAt) == [receipt], "\(days) days")
      #expect(reading.pings.map(\.recordedAt) == [receipt - age, receipt])
    }
  }

  @Test("the answer starts and stops the app")
  func answers() {
    let reading = Transistorsoft.read(Self.moving)
    func answer(_ commands: PhoneCommand...) -> String {
      Transistorsoft.answer(to: reading, commands).body.text
    }
    #expect(answer() == "{}")
    #expect(answer(.reportPermission, .sendFix, .sendEvery(.seconds(5))) == "{}")
    #expect(answer(.stopTracking) == #"{"background_geolocation":[["stop"]]}"#)
    #expect(answer(.startTracking) == #"{"background_geolocation":[["start"]]}"#)
  }
}
