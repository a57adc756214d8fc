import ShiftDomain
import Testing

@testable import PhoneProtocols

@Suite("Traccar Client") struct TraccarClientTests {
  typealias Row = (name: String, text: String, says: [String])

  static let queries: [Row] = [
    (
      "of version 8 on Android",
      "id=emp7phone&timestamp=1767600000&lat=52.520103&lon=13.404951&speed=9.7&bearing=271.0"
        + "&altitude=37.0&accuracy=12.0&batt=64.0",
      ["fix 08:00:00 52.520103,13.404951 ±12 4.99m/s 271° 37m 64%"]
    ),
    (
      "of version 8 on iOS, without accuracy",
      "id=emp7phone&timestamp=1767600000&lat=52.5&lon=13.4&speed=0.0&bearing=0.0&altitude=37.0"
        + "&batt=64.0",
      ["fix 08:00:00 52.5,13.4 0m/s 0° 37m 64%"]
    ),
    (
      "milliseconds", "deviceid=a&timestamp=1767600000412&lat=52.5&lon=13.4",
      ["fix 08:00:00.412 52.5,13.4"]
    ),
    (
      "ISO 8601", "id=a&timestamp=2026-01-05T08:00:00Z&lat=52.5&lon=13.4",
      ["fix 08:00:00 52.5,13.4"]
    ),
    (
      "date and time", "id=a&timestamp=2026-01-05+08:00:00&lat=52.5&lon=13.4",
      ["fix 08:00:00 52.5,13.4"]
    ),
    ("no time is now", "id=a&lat=52.5&lon=13.4", ["fix 08:10:00 52.5,13.4"]),
    ("both in one", "id=a&timestamp=1767600000&location=52.5,13.4", ["fix 08:00:00 52.5,13.4"]),
    (
      "another name for the direction", "id=a&timestamp=1767600000&lat=52.5&lon=13.4&heading=9",
      ["fix 08:00:00 52.5,13.4 9°"]
    ),
    (
      "mocked", "id=a&timestamp=1767600000&lat=52.5&lon=13.4&mock=true",
      ["fix 08:00:00 52.5,13.4 mock"]
    ),
    ("no position", "id=a&timestamp=1767600000&batt=7", ["sign 08:00:00 7%"]),
    ("only the identifier", "id=a", ["sign 08:10:00"]),
    (
      "a position that is not valid", "id=a&timestamp=1767600000&lat=0&lon=0&valid=false",
      ["sign 08:00:00"]
    ),
    (
      "whatever else there is",
      "id=a&timestamp=1767600000&lat=52.5&lon=13.4&valid=1&alarm=sos&cell=262,1,2,3&wifi=00-11,-5"
        + "&hdop=0.9&driverUniqueId=4&notificationToken=t&rpm=12",
      ["fix 08:00:00 52.5,13.4"]
    ),
    ("nowhere", "id=a&timestamp=1767600000&lat=0&lon=0.0", ["sign 08:00:00"]),
    (
      "an invalid position", "id=a&timestamp=1767600000&lat=52.5&lon=13.4&accuracy=-1",
      ["sign 08:00:00"]
    ),
    ("nothing of Traccar's", "name=x&location_of=y", ["aside missing id"]),
    ("half a position", "id=a&timestamp=1767600000&lat=52.5", ["aside missing lon"]),
    ("half in one", "id=a&timestamp=1767600000&location=52.5", ["aside missing lon"]),
    ("no number", "id=a&timestamp=1767600000&lat=NaN&lon=13.4", ["aside unreadable lat"]),
    ("infinite", "id=a&timestamp=1767600000&lat=52.5&lon=inf", ["aside unreadable lon"]),
    ("not on earth", "id=a&timestamp=1767600000&lat=99&lon=13.4", ["aside unreadable lat"]),
    ("no such time", "id=a&timestamp=teatime&lat=52.5&lon=13.4", ["aside unreadable timestamp"]),
    ("a time of no year", "id=a&timestamp=1e30&lat=52.5&lon=13.4", ["aside unreadable timestamp"]),
  ]

  private func pairs(_ text: String) -> [NamedValue] {
    formPairs(Array(text.utf8))
  }

  @Test("a record in the query", arguments: queries)  // R: M1, W13, B8
  func query(_ row: Row) throws {
    #expect(TraccarClient.said("", query: pairs(row.text)) == row.says, "\(row.name)")
  }

  @Test("the same record in a form", arguments: queries)
  func form(_ row: Row) {
    #expect(TraccarClient.said(row.text) == row.says, "\(row.name)")
  }

  static let forms: [Row] = [
    (
      "of version 10",
      "id=emp7phone&lat=52.520103&lon=13.404951&timestamp=1767600000&accuracy=12.0&altitude=37.0"
        + "&speed=9.68&bearing=271.0&batt=64&charge=false",
      ["fix 08:00:00 52.520103,13.404951 ±12 4.98m/s 271° 37m 64%"]
    ),
    (
      "a heartbeat without a position", "id=emp7phone&timestamp=1767600000&batt=64",
      ["sign 08:00:00 64%"]
    ),
    ("percent signs", "id=a&timestamp=2026-01-05%2008%3A00%3A00", ["sign 08:00:00"]),
    ("a percent sign that is none", "id=a&lat=5%2&lon=3", ["aside unreadable lat"]),
    (
      "beside what is not UTF-8", "id=a&driver=Ren%E9&timestamp=1767600000&lat=5%2E5&lon=3&x=%",
      ["fix 08:00:00 5.5,3.0"]
    ),
    ("nothing", "", ["ignored 1"]),
  ]

  @Test("a form, also beside an identifier in the address", arguments: forms)
  func formBody(_ row: Row) {
    #expect(TraccarClient.said(row.text) == row.says, "\(row.name)")
    guard !row.text.isEmpty else { return }
    let query = [NamedValue("id", "emp7phone"), NamedValue("token", "x")]
    #expect(TraccarClient.said(row.text, query: query) == row.says, "\(row.name)")
  }

  static let bodies: [Row] = [
    (
      "of version 9",
      #"{"location":{"timestamp":"2026-01-05T08:00:00.412Z","coords":{"latitude":52.520103,"#
        + #""longitude":13.404951,"accuracy":12,"speed":4.98,"heading":271,"altitude":37},"#
        + #""is_moving":true,"odometer":18234,"event":"motionchange","#
        + #""battery":{"level":0.64,"is_charging":false},"activity":{"type":"in_vehicle"},"#
        + #""extras":{"heartbeat":true},"_":"&id=emp7phone&lat=52.520103&lon=13.404951&"},"#
        + #""device_id":"emp7phone"}"#,
      ["fix 08:00:00.412 52.520103,13.404951 ±12 4.98m/s 271° 37m 64%"]
    ),
    (
      "as it is found: no floor, unknown values, a mocked position",
      #"{"location":{"timestamp":"2026-01-05T08:00:00.412Z","coords":{"latitude":52.5,"#
        + #""longitude":13.4,"accuracy":12,"speed":-1,"heading":-1,"altitude":37,"floor":null},"#
        + #""is_moving":false,"event":"","mock":true,"uuid":"u","age":12,"#
        + #""battery":{"level":-1}},"device_id":"a"}"#,
      ["fix 08:00:00.412 52.5,13.4 ±12 37m mock rest"]
    ),
    (
      "flat, with battery and activity beside it",
      #"{"location":{"timestamp":"2026-01-05T08:00:00Z","latitude":52.5,"longitude":13.4},"#
        + #""battery":{"level":0.5},"activity":{"type":"still"},"device_id":"a"}"#,
      ["fix 08:00:00 52.5,13.4 50%"]
    ),
    (
      "a list of records",
      #"[{"location":{"timestamp":"2026-01-05T08:01:00Z","coords":{"latitude":1,"longitude":2}}},"#
        + #"{"location":{"timestamp":"2026-01-05T08:00:00Z","coords":{"latitude":91,"#
        + #""longitude":2}}}, {"imei":"a","timestamp":1767600000,"lat":3,"lon":4,"speed":1,"#
        + #""batt":20,"battery_health":"good"}, 5]"#,
      [
        "fix 08:00:00 3.0,4.0 0.51m/s 20%", "fix 08:01:00 1.0,2.0",
        "aside unreadable latitude", "aside not_an_object",
      ]
    ),
    (
      "a batch, as its library sends it",
      #"{"location":[{"timestamp":"2026-01-05T08:00:00Z","coords":{"latitude":1,"longitude":2}},"#
        + #"{"timestamp":"2026-01-05T08:01:00Z","coords":{"latitude":91,"longitude":2}}],"#
        + #""device_id":"a"}"#,
      ["fix 08:00:00 1.0,2.0", "aside unreadable latitude"]
    ),
    (
      "a place of another kind", #"[{"location":[[1,2]]},{"location":5}]"#,
      ["aside unreadable location", "aside unreadable location"]
    ),
    ("no list", "[]", ["ignored 1"]),
    ("nothing of Traccar's", #"{"_type":"lwt"}"#, ["aside missing location"]),
    ("no JSON", #"{"location":"#, ["aside syntax"]),
  ]

  @Test("a record as JSON", arguments: bodies)  // R: W12, W13
  func json(_ row: Row) {
    #expect(TraccarClient.said(row.text) == row.says, "\(row.name)")
  }

  @Test("what is not understood is kept as it was, without the token")
  func aside() throws {
    let rest = "&name=a%26b&timestamp=1767600000&lat=x&lon=13.4"
    func kept(_ body: String, query: [NamedValue] = []) -> [String] {
      TraccarClient.readWithoutToken(
        PhoneRequest(query: query, body: Array(body.utf8), receivedAt: receipt)
      ).quarantined.map(\.content.text)
    }
    #expect(kept("", query: pairs("id=sg_7_1_abc" + rest)) == ["id=***" + rest])
    #expect(kept("id=sg_7_1_abc" + rest) == ["id=***" + rest])
    #expect(
      kept(#"{"location":{"_":"&id=sg_7_1_abc&"},"device_id":"sg_7_1_abc"}"#)
        == [#"{"location":{"_":"&id=***&"},"device_id":"***"}"#])
  }

  static let tokens: [(query: String, body: String, token: String?)] = [
    ("id=a&token=b", "", "b"), ("deviceid=a", "", "a"), ("id=&deviceid=a", "", "a"),
    ("", "id=a&lat=1", "a"), ("", #"{"location":{},"device_id":"a"}"#, "a"),
    ("", #"[{"imei":"a"}]"#, "a"), ("", "{", nil), ("", "", nil), ("", "%", nil),
    ("", "driver=Ren%E9&id=a", "a"),
    ("lat=1", #"{"device_id":7}"#, nil),
  ]

  @Test("the identifier is the token", arguments: tokens)
  func token(_ query: String, _ body: String, _ token: String?) throws {
    let request = PhoneRequest(
      query: pairs(query), body: Array(body.utf8), receivedAt: receipt)
    #expect(TraccarClient.token(in: request) == token)
  }

  @Test("the answer has no body")
  func answer() {
    let answer = TraccarClient.answer(
      to: TraccarClient.read("id=a"), [.reportPermission, .stopTracking])
    #expect(answer == PhoneAnswer(contentType: nil, body: []))
  }
}
