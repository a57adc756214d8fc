import GuardRules
import ShiftDomain
import Testing

@testable import PhoneProtocols

@Suite("OwnTracks") struct OwnTracksTests {
  typealias Row = (name: String, body: String, says: [String])

  static let locations: [Row] = [
    (
      "a location of Android",
      #"{"_type":"location","_id":"9f3a61c2","topic":"owntracks/emp7/pixel","tid":"07","#
        + #""lat":52.520103,"lon":13.404951,"tst":1767600000,"created_at":1767600004,"acc":12,"#
        + #""alt":37,"vac":3,"vel":18,"cog":271,"batt":64,"bs":1,"conn":"m","m":2,"t":"p","#
        + #""inregions":["Depot"]}"#,
      ["fix 08:00:00 52.520103,13.404951 ±12 5m/s 271° 37m 64%", "event 08:00:00 in_regions"]
    ),
    (
      "a location in regions, of which one is named for shifts",
      #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1767600000,"inregions":["A","Shift A"]}"#,
      ["fix 08:00:00 52.5,13.4", "event 08:00:00 in_regions of a shift"]
    ),
    ("a body of no bytes", "", ["ignored 1"]),
    (
      "decimals where the documents say whole numbers",
      #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1767600000.25,"acc":12.5,"batt":63.6}"#,
      ["fix 08:00:00.250 52.5,13.4 ±12.5 64%"]
    ),
    (
      "numbers as text", #"{"_type":"location","lat":"52.5","lon":"13.4","tst":"1767600000"}"#,
      ["fix 08:00:00 52.5,13.4"]
    ),
    (
      "the network's name in lower case, as iOS writes it",
      #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1767600000,"ssid":"x","bssid":"y"}"#,
      ["fix 08:00:00 52.5,13.4"]
    ),
    (
      "milliseconds", #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1767600000412}"#,
      ["fix 08:00:00.412 52.5,13.4"]
    ),
    (
      "seconds since 2001, of Overland",
      #"{"_type":"location","lat":52.5,"lon":13.4,"tst":789292800,"acc":5,"batt":64,"#
        + #""topic":"owntracks/emp7"}"#,
      ["fix 08:00:00 52.5,13.4 ±5 64%"]
    ),
    (
      "a clock that begins in 1970", #"{"_type":"location","lat":52.5,"lon":13.4,"tst":86400}"#,
      ["fix 1970-01-02T00:00:00Z 52.5,13.4"]
    ),
    (
      "a day ahead: the rules of time decide",
      #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1767686400}"#,
      ["fix 2026-01-06T08:00:00Z 52.5,13.4"]
    ),
    (
      "a clock that no calendar has",
      #"{"_type":"location","lat":52.5,"lon":13.4,"tst":9223372036854775807}"#,
      ["aside unreadable tst"]
    ),
    (
      "an infinite clock", #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1e999}"#,
      ["aside unreadable tst"]
    ),
    ("no time", #"{"_type":"location","lat":52.5,"lon":13.4}"#, ["aside missing tst"]),
    ("no latitude on iOS", #"{"_type":"location","lon":13.4,"tst":1}"#, ["aside missing lat"]),
    (
      "not on earth", #"{"_type":"location","lat":91,"lon":13.4,"tst":1767600000}"#,
      ["aside unreadable lat"]
    ),
    (
      "not on earth, eastward", #"{"_type":"location","lat":90,"lon":-180.5,"tst":1767600000}"#,
      ["aside unreadable lon"]
    ),
    (
      "on the equator, which Android leaves out",
      #"{"_type":"location","_id":"00000001","lon":13.4,"tst":1767600000}"#,
      ["fix 08:00:00 0.0,13.4"]
    ),
    (
      "in Greenwich, which Android leaves out",
      #"{"_type":"location","_id":"00000001","lat":51.5,"tst":1767600000}"#,
      ["fix 08:00:00 51.5,0.0"]
    ),
    (
      "neither coordinate: alive, without a position",
      #"{"_type":"location","_id":"00000001","tst":1767600000,"batt":20}"#,
      ["sign 08:00:00 20%"]
    ),
    (
      "fields that Android lets slip",
      #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1767600000,"qos":1,"retained":true}"#,
      ["fix 08:00:00 52.5,13.4"]
    ),
    (
      "qualities that are none",
      #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1767600000,"acc":0,"vel":-1,"cog":-1,"#
        + #""batt":-1,"alt":"high"}"#,
      ["fix 08:00:00 52.5,13.4"]
    ),
    (
      "north as 360 degrees",
      #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1767600000,"cog":360}"#,
      ["fix 08:00:00 52.5,13.4 0°"]
    ),
    (
      "a phone that lies still",
      #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1767600000,"#
        + #""motionactivities":["stationary"]}"#,
      ["fix 08:00:00 52.5,13.4 still"]
    ),
    (
      "a car at a red light",
      #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1767600000,"#
        + #""motionactivities":["stationary","automotive"]}"#,
      ["fix 08:00:00 52.5,13.4"]
    ),
    (
      "an old position: the phone was alive later",
      #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1767600000,"created_at":1767600300}"#,
      ["fix 08:00:00 52.5,13.4", "sign 08:05:00"]
    ),
    (
      "an odd time of sending costs nothing",
      #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1767600000,"created_at":"soon"}"#,
      ["fix 08:00:00 52.5,13.4"]
    ),
    (
      "switched to quiet",
      #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1767600000,"m":-1}"#,
      ["fix 08:00:00 52.5,13.4", "event 08:00:00 tracking_off"]
    ),
  ]

  @Test("a location", arguments: locations)  // R: B8, M1
  func location(_ row: Row) {
    #expect(OwnTracks.said(row.body) == row.says, "\(row.name)")
  }

  static let others: [Row] = [
    (
      "into a region",
      #"{"_type":"transition","wtst":1767000000,"lat":52.5,"lon":13.4,"tst":1767600100,"acc":20,"#
        + #""tid":"07","event":"enter","desc":"Depot","t":"c","rid":"6da9cf"}"#,
      ["sign 08:01:40", "event 08:01:40 region_entered"]
    ),
    (
      "into a region of shifts, whose name goes no further",
      #"{"_type":"transition","lat":52.5,"lon":13.4,"tst":1767600100,"event":"enter","#
        + #""desc":"Shift: Depot"}"#,
      ["sign 08:01:40", "event 08:01:40 region_entered of a shift"]
    ),
    (
      "out of a region of shifts",
      #"{"_type":"transition","lat":52.5,"lon":13.4,"tst":1767600100,"event":"leave","#
        + #""desc":" shift"}"#,
      ["sign 08:01:40", "event 08:01:40 region_left of a shift"]
    ),
    (
      "out of a region",
      #"{"_type":"transition","lat":52.5,"lon":13.4,"tst":1767600100,"event":"leave"}"#,
      ["sign 08:01:40", "event 08:01:40 region_left"]
    ),
    (
      "a place is no position of the phone",
      #"{"_type":"waypoint","desc":"Depot","lat":52.5,"lon":13.4,"rad":150,"tst":1767000000,"#
        + #""rid":"6da9cf"}"#, ["ignored 1"]
    ),
    ("a last will", #"{"_type":"lwt","tst":1767600000}"#, ["ignored 1"]),
    ("a card", #"{"_type":"card","name":"Ana","face":"aGk="}"#, ["ignored 1"]),
    ("a command", #"{"_type":"cmd","action":"dump"}"#, ["ignored 1"]),
    (
      "a dump, which has the password",
      #"{"_type":"dump","configuration":{"password":"secret"}}"#, ["ignored 1"]
    ),
    ("steps", #"{"_type":"steps","tst":1,"steps":4}"#, ["ignored 1"]),
    ("places", #"{"_type":"waypoints","waypoints":[]}"#, ["ignored 1"]),
    ("encrypted", #"{"_type":"encrypted","data":"bm9uY2U="}"#, ["aside encrypted"]),
    ("of a kind that nobody knows", #"{"_type":"mood","tst":1}"#, ["aside unknown_kind _type"]),
    ("of no kind", #"{"lat":52.5,"lon":13.4,"tst":1}"#, ["aside missing _type"]),
    ("of an odd kind", #"{"_type":7}"#, ["aside missing _type"]),
    ("no object", #""location""#, ["aside not_an_object"]),
    ("a list, which no app sends", "[]", ["aside not_an_object"]),
    ("no JSON", #"{"_type":"location","#, ["aside syntax"]),
    ("a status without a phone", #"{"_type":"status"}"#, ["aside missing iOS or android"]),
  ]

  @Test("a transition's position, which may be an old one, is for the decision alone")
  func transitionFix() {
    let reading = OwnTracks.read(Self.others[1].body)
    #expect(reading.events.map { $0.fix?.said } == ["52.5,13.4"])
  }

  // R: W1
  @Test("a fix 1,024 weeks before its message was not made 19 years before it was sent")
  func weekRollover() {
    let body =
      #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1148284800,"created_at":1767600010}"#
    #expect(OwnTracks.read(body).said == ["fix 2006-05-22T08:00:00Z 52.5,13.4"])
  }

  @Test("another message", arguments: others)
  func other(_ row: Row) {
    #expect(OwnTracks.said(row.body) == row.says, "\(row.name)")
  }

  @Test("what is quarantined is kept as sent, and the reason quotes nothing")
  func aside() {
    let body = #"{"_type":"encrypted","data":"bm9uY2U="}"#
    #expect(OwnTracks.read(body).quarantined.map(\.content.text) == [body])
    for row in Self.others + Self.locations {
      for piece in OwnTracks.read(row.body).quarantined {
        #expect(piece.content.text == row.body)
        #expect(!"\(piece.reason)".contains { $0.isNumber })
      }
    }
  }

  @Test("a repeat is the same ping, with an id or without; a late one keeps its time")  // R: W1
  func repeats() {
    let body = #"{"_type":"location","_id":"9f3a61c2","lat":52.5,"lon":13.4,"tst":1767600000}"#
    let other = #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1767600000}"#
    #expect(OwnTracks.read(body).pings == OwnTracks.read(other).pings)
    let late = OwnTracks.read(#"{"_type":"location","lat":1,"lon":1,"tst":1767599000}"#)
    #expect(late.said == ["fix 07:43:20 1.0,1.0"])
  }

  @Test("a time ahead of ours is placed at the receipt, one behind stands as it is")  // R: W1
  func clocks() throws {
    let ahead = try #require(
      OwnTracks.read(#"{"_type":"location","lat":1,"lon":1,"tst":1767686400}"#).pings.first)
    let time = effectiveTime(recordedAt: ahead.recordedAt, sentAt: nil, receivedAt: receipt)
    #expect(time.instant == receipt)
    #expect(time.trust == .assumed)
  }

  @Test("the answer is a list; only a location that nobody asked for may be answered by commands")
  func answers() {
    let asked: [PhoneCommand] = [.reportPermission, .sendFix, .stopTracking, .startTracking]
    func answer(_ body: String) -> String {
      OwnTracks.answer(to: OwnTracks.read(body), asked).body.text
    }
    let location = #"{"_type":"location","lat":1,"lon":1,"tst":1767600000"#
    #expect(
      answer(location + "}") == #"[{"_type":"cmd","action":"status"},"#
        + #"{"_type":"cmd","action":"reportLocation"}]"#)
    let quiet = [
      #"{"_type":"encrypted","data":""}"#, "",
      #"{"_type":"transition","lat":1,"lon":1,"tst":1767600000}"#, "[]", "{",
      #"{"_type":"mood"}"#, location + #","t":"r"}"#,
    ]
    for body in quiet { #expect(answer(body) == "[]", "\(body)") }
    let answer = OwnTracks.answer(to: OwnTracks.read(location + "}"), [])
    #expect(answer == PhoneAnswer(contentType: "application/json", body: Array("[]".utf8)))
  }

  @Test("Overland in the mode for OwnTracks gets the answer that it needs")
  func overland() {
    let reading = OwnTracks.read(#"{"_type":"location","lat":1,"lon":1,"tst":789292800}"#)
    #expect(OwnTracks.answer(to: reading, [.sendFix]).body.text == #"{"result":"ok"}"#)
    let request = PhoneRequest(
      headers: [NamedValue("Authorization", "Basic sg_7_1_abc:")], receivedAt: receipt)
    #expect(OwnTracks.token(in: request) == "sg_7_1_abc")
  }

  @Test("the permission is asked for once, and not again for five minutes")
  func asksRarely() {
    let now = receipt
    #expect(PhoneCommand.isReportDue(lastAskedAt: nil, now: now))
    #expect(!PhoneCommand.isReportDue(lastAskedAt: now, now: now))
    #expect(!PhoneCommand.isReportDue(lastAskedAt: now - .milliseconds(299_999), now: now))
    #expect(PhoneCommand.isReportDue(lastAskedAt: now - .minutes(5), now: now))
  }

  @Test("headers, query and topic name the phone, and may contradict each other")
  func claims() {
    typealias Claim = OwnTracks.Claim
    let headers = [NamedValue("X-Limit-U", "ana"), NamedValue("x-limit-d", "pixel")]
    let query = [NamedValue("u", "ana"), NamedValue("d", "tablet")]
    func claims(
      _ headers: [NamedValue], _ query: [NamedValue], _ body: String
    ) -> [Claim] {
      OwnTracks.claims(
        in: PhoneRequest(
          query: query, headers: headers, body: Array(body.utf8), receivedAt: receipt))
    }
    let (pixel, tablet) = (
      Claim(user: "ana", device: "pixel"), Claim(user: "ana", device: "tablet")
    )
    let topic = #"{"_type":"status","topic":"owntracks/ana/pixel/status"}"#
    #expect(claims(headers, [], "") == [pixel])
    #expect(claims([], query, "") == [tablet])
    #expect(claims([], [], topic) == [pixel])
    #expect(claims(headers, [], topic) == [pixel])
    #expect(claims(headers, query, topic) == [pixel, tablet])
    #expect(claims([headers[0]], [], #"{"topic":"owntracks/ana"}"#).isEmpty)
    #expect(claims([], [], "").isEmpty)
  }

  // R: M1
  @Test("knows a region of shifts by the first word of its name")
  func regions() {
    for name in [
      "Shift", "shift: Depot", "SHIFT Depot", " Shift-Depot", "Shift\u{2013}A", "Shift:",
    ] {
      #expect(OwnTracks.shiftRegion(named: name) != nil, "\(name)")
    }
    for name in ["", "Depot", "Shifts", "Shifty", "Shift1", "Night shift", "Schicht", "S hift"] {
      #expect(OwnTracks.shiftRegion(named: name) == nil, "\(name)")
    }
  }

  // R: M1
  @Test("is asked for its permission after an arrival, and for a position after its permission")
  func commands() {
    func answer(_ body: String) -> String {
      let reading = OwnTracks.read(
        PhoneRequest(body: Array(body.utf8), receivedAt: Instant(milliseconds: 0)))
      return OwnTracks.answer(to: reading, [.reportPermission, .sendFix]).body.text
    }
    let head = #"{"_type":"transition","lat":1,"lon":2,"tst":1767600100,"desc":"Shift","event":"#
    let both = #"[{"_type":"cmd","action":"status"},{"_type":"cmd","action":"reportLocation"}]"#
    #expect(answer(head + #""enter"}"#) == both)
    #expect(answer(head + #""leave"}"#) == "[]")
    #expect(
      answer(#"{"_type":"status","android":{"loc":0}}"#)
        == #"[{"_type":"cmd","action":"reportLocation"}]"#)
    let asked = #"{"_type":"location","lat":1,"lon":2,"tst":1767600100,"t":"r"}"#
    #expect(answer(asked) == "[]")
  }
}
