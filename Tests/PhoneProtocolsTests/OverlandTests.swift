import ShiftDomain
import Testing

@testable import PhoneProtocols

@Suite("Overland") struct OverlandTests {
  typealias Row = (name: String, body: String, says: [String])

  static let position =
    #"{"type":"Feature","geometry":{"type":"Point","coordinates":[13.404951,52.520103]},"#
    + #""properties":{"timestamp":"2026-01-05T08:00:00Z","altitude":37,"speed":5,"course":271,"#
    + #""horizontal_accuracy":12,"vertical_accuracy":3,"speed_accuracy":0.5,"#
    + #""course_accuracy":10.2,"motion":["driving"],"battery_state":"unplugged","#
    + #""battery_level":0.64,"device_id":"emp7-iphone","wifi":""}}"#
  static let end =
    #"{"type":"Feature","properties":{"timestamp":"2026-01-05T08:04:10Z","#
    + #""action":"will_terminate","battery_state":"unplugged","battery_level":0.63,"#
    + #""device_id":"emp7-iphone","wifi":""}}"#

  static func batch(_ features: String...) -> String {
    #"{"locations":[\#(features.joined(separator: ","))]}"#
  }

  static func point(_ properties: String, at place: String = "[13.4,52.5]") -> String {
    #"{"type":"Feature","geometry":{"type":"Point","coordinates":\#(place)},"properties":{"#
      + properties + "}}"
  }

  static let time = #""timestamp":"2026-01-05T08:00:00Z""#

  static let features: [Row] = [
    (
      "a batch with the end of the app", batch(position, end),
      [
        "fix 08:00:00 52.520103,13.404951 ±12 5m/s 271° 37m 64%", "sign 08:04:10 63%",
        "event 08:04:10 app_terminates",
      ]
    ),
    (
      "a pause is a rest without an end",
      batch(#"{"properties":{\#(time),"action":"paused_location_updates"}}"#),
      ["sign 08:00:00 rest", "event 08:00:00 paused"]
    ),
    (
      "a pause of a phone that drives is no rest",
      batch(#"{"properties":{\#(time),"action":"paused_location_updates","speed":20}}"#),
      ["sign 08:00:00", "event 08:00:00 paused"]
    ),
    (
      "still, says the app of a phone that drives without a position",
      batch(
        point(#"\#(time),"motion":["stationary"],"speed":20,"horizontal_accuracy":-1"#),
        point(#"\#(time),"motion":["stationary"],"speed":1"#, at: "[0,0]")),
      ["sign 08:00:00", "sign 08:00:00 still"]
    ),
    (
      "an empty action",
      batch(point(#"\#(time),"action":null"#), point(#"\#(time),"action":"""#)),
      ["fix 08:00:00 52.5,13.4", "fix 08:00:00 52.5,13.4"]
    ),
    (
      "an accuracy far below zero", batch(point(#"\#(time),"horizontal_accuracy":-1e400"#)),
      ["sign 08:00:00"]
    ),
    (
      "the end of a pause",
      batch(#"{"properties":{\#(time),"action":"resumed_location_updates"}}"#),
      ["sign 08:00:00", "event 08:00:00 resumed"]
    ),
    (
      "the end of a pause by moving",
      batch(#"{"properties":{\#(time),"action":"exited_pause_region"}}"#),
      ["sign 08:00:00", "event 08:00:00 resumed"]
    ),
    (
      "an event has the last position, not the present one",
      batch(point(#"\#(time),"action":"paused_location_updates""#)),
      ["sign 08:00:00 rest", "event 08:00:00 paused"]
    ),
    (
      "a visit without dates",
      batch(
        point(
          #"\#(time),"action":"visit","arrival_date":null,"departure_date":null,"#
            + #""horizontal_accuracy":30"#)),
      ["sign 08:00:00", "event 08:00:00 visited"]
    ),
    (
      "events of older versions, and of newer ones",
      batch(
        #"{"properties":{\#(time),"action":"deferred"}}"#,
        #"{"properties":{\#(time),"action":"significant_change"}}"#,
        #"{"properties":{\#(time),"action":"took_a_nap"}}"#),
      ["sign 08:00:00", "sign 08:00:00", "sign 08:00:00"]
    ),
    (
      "a trip", batch(#"{"type":"Feature","properties":{"type":"trip"}}"#), ["ignored 1"]
    ),
    (
      "an offset", batch(point(#""timestamp":"2026-01-05T01:00:00-0700""#)),
      ["fix 08:00:00 52.5,13.4"]
    ),
    (
      "whatever is invalid is −1",
      batch(
        point(
          #"\#(time),"speed":-1,"course":-1,"altitude":0,"vertical_accuracy":-1,"#
            + #""speed_accuracy":-1,"battery_level":-1"#)),
      ["fix 08:00:00 52.5,13.4"]
    ),
    (
      "so is the position with its accuracy",
      batch(point(#"\#(time),"horizontal_accuracy":-1"#)), ["sign 08:00:00"]
    ),
    ("nowhere", batch(point(time, at: "[0,0]")), ["sign 08:00:00"]),
    (
      "a phone that lies still", batch(point(#"\#(time),"motion":["stationary"]"#)),
      ["fix 08:00:00 52.5,13.4 still"]
    ),
    (
      "a setting is no pause", batch(point(#"\#(time),"pauses":true"#)),
      ["fix 08:00:00 52.5,13.4"]
    ),
    ("no features", #"{"locations":[]}"#, ["ignored 1"]),
    ("no bytes", "", ["ignored 1"]),
    (
      "a bad feature among good ones",
      batch(point(time), point(#""timestamp":"yesterday""#), point(time, at: "[13.4]"), end),
      [
        "fix 08:00:00 52.5,13.4", "sign 08:04:10 63%", "event 08:04:10 app_terminates",
        "aside unreadable timestamp", "aside missing latitude",
      ]
    ),
    (
      "bad in every way",
      batch(
        "7", "{}", #"{"properties":[]}"#, point(""), #"{"properties":{\#(time)}}"#,
        #"{"geometry":null,"properties":{\#(time)}}"#, point(time, at: #""here""#),
        point(time, at: "[181,52]"), point(time, at: "[13,91]")),
      [
        "aside not_an_object", "aside missing properties", "aside unreadable properties",
        "aside missing timestamp", "aside missing geometry", "aside missing geometry",
        "aside unreadable geometry", "aside unreadable longitude", "aside unreadable latitude",
      ]
    ),
    ("no list", #"{"locations":{}}"#, ["aside unreadable locations"]),
    ("nothing of Overland's", #"{"_type":"location"}"#, ["aside missing locations"]),
    ("no object", "[]", ["aside not_an_object"]),
    ("no JSON", "{", ["aside syntax"]),
  ]

  @Test("a body", arguments: features)  // R: M1, W12, B8
  func body(_ row: Row) {
    #expect(Overland.said(row.body) == row.says, "\(row.name)")
  }

  @Test("the present position comes beside the batch, and again in a later one")
  func current() {
    let now = Self.point(#""timestamp":"2026-01-05T08:09:00Z""#)
    let body = #"{"locations":[\#(Self.position)],"current":\#(now),"trip":{"distance":5}}"#
    #expect(
      Overland.said(body) == [
        "fix 08:00:00 52.520103,13.404951 ±12 5m/s 271° 37m 64%",
        "fix 08:09:00 52.5,13.4",
      ])
    #expect(
      Overland.said(#"{"locations":[],"current":\#(now)}"#) == ["fix 08:09:00 52.5,13.4"])
    let odd = #"{"locations":[\#(Self.position)],"current":{"type":"Feature"}}"#
    #expect(Overland.read(odd).pings.count == 1)
    #expect(
      Overland.said(#"{"locations":[],"current":{"type":"Feature"}}"#)
        == ["aside unreadable current"])
  }

  @Test("a batch of a thousand, with one bad feature in it")
  func thousand() {
    let features = (0..<1_000).map { number in
      number == 500
        ? #"{"type":"Feature"}"#
        : Self.point(#""timestamp":"\#((receipt + .seconds(Int64(number))).rfc3339)""#)
    }
    let reading = Overland.read(#"{"locations":[\#(features.joined(separator: ","))]}"#)
    #expect(reading.pings.count == 999)
    #expect(Set(reading.pings.map(\.recordedAt)).count == 999)
    #expect(reading.quarantined.map(\.content.text) == [#"{"type":"Feature"}"#])
  }

  @Test("the end of the app is evidence for the silence after it")
  func termination() throws {
    let event = try #require(Overland.read(Self.batch(Self.end)).events.first)
    #expect(event.appExit == AppExit(.userRequested, at: event.recordedAt))
    #expect(PhoneEvent(.paused, at: receipt).appExit == nil)
  }

  @Test("the answer is what the app needs, with settings but never with one that silences it")
  func answers() {
    let reading = Overland.read(Self.batch(#"{"type":"Feature"}"#))
    func answer(_ commands: PhoneCommand...) -> String {
      let answer = Overland.answer(to: reading, commands)
      #expect(answer.contentType == "application/json")
      return answer.body.text
    }
    #expect(answer() == #"{"result":"ok"}"#)
    #expect(answer(.stopTracking, .reportPermission, .sendFix) == #"{"result":"ok"}"#)
    #expect(
      answer(.sendEvery(.seconds(30)), .startTracking)
        == #"{"result":"ok","set":{"send_interval":"30s","main":{"tracking_mode":"both"}}}"#)
    #expect(
      answer(.sendEvery(.zero)) == #"{"result":"ok","set":{"send_interval":"1s"}}"#)
    // It knows no other intervals than these.
    let steps: [(interval: TimeSpan, step: String)] = [
      (.seconds(4), "1s"), (.seconds(29), "15s"), (.seconds(60), "1m"), (.seconds(90), "1m"),
      (.minutes(2), "2m"), (.minutes(7), "5m"), (.minutes(10), "10m"), (.hours(9), "30m"),
    ]
    for (interval, step) in steps {
      #expect(
        answer(.sendEvery(interval)) == #"{"result":"ok","set":{"send_interval":"\#(step)"}}"#)
    }
  }
}
