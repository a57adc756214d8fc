import HTTPAPI
import HTTPServing
import JSONText
import Postgres
import ShiftDomain
import ShiftStore
import Testing

@Suite("Pings over HTTP") struct PingTests {
  /// A phone whose shift began an hour ago.
  private func onShift(_ world: DeviceWorld) async throws -> Phone {
    let phone = try await world.phone()
    try await phone.report("always")
    #expect(try await phone.clockIn().status == 201)
    world.clock.move(by: .hours(1))
    return phone
  }

  @Test("a ping is stored, and is a duplicate when it is sent again")  // R: M1
  func one() async throws {
    try await DeviceWorld.run { world in
      let phone = try await onShift(world)
      let first = try await phone.ping()
      #expect(first.status == 200)
      #expect(first.results == ["stored"])
      #expect(first["tracking", "track"] == .bool(true))
      #expect(first["tracking", "pingInterval"] == .integer(60))
      #expect(first["tracking", "maxFixAge"] == .integer(180))
      #expect(try await phone.ping().results == ["duplicate"])
    }
  }

  static let items: [(name: String, json: String, result: String)] = [
    ("a fix", #"{"recordedAt":"T","latitude":52.52,"longitude":13.405}"#, "stored"),
    ("at the pole", #"{"recordedAt":"T","latitude":90,"longitude":-180}"#, "stored"),
    (
      "accurate to 50 km", #"{"recordedAt":"T","latitude":1,"longitude":2,"accuracy":50000}"#,
      "stored"
    ),
    (
      "absurd qualities",
      #"""
      {"recordedAt":"T","latitude":1,"longitude":2,"accuracy":-1,"speed":1e300,"heading":-5,
       "altitude":-1e300,"battery":1e18}
      """#, "stored"
    ),
    (
      "qualities without an end",
      #"""
      {"recordedAt":"T","latitude":1,"longitude":2,"accuracy":1e400,"speed":1e400,
       "heading":1e400,"altitude":-1e400,"battery":1e400}
      """#, "stored"
    ),
    ("a sign of life", #"{"recordedAt":"T","stationary":true,"battery":55.5}"#, "stored"),
    ("unknown fields", #"{"recordedAt":"T","mood":"\u0000","x":[[[]]],"latitude":null}"#, "stored"),
    ("a time with an offset", #"{"recordedAt":"O"}"#, "stored"),
    ("no time", #"{"latitude":1,"longitude":2}"#, "invalid /pings/#/recordedAt"),
    ("junk for a time", #"{"recordedAt":"\u0000"}"#, "invalid /pings/#/recordedAt"),
    ("a number", "7", "invalid /pings/#"),
    ("null", "null", "invalid /pings/#"),
    ("only a latitude", #"{"recordedAt":"T","latitude":1}"#, "invalid /pings/#/longitude"),
    ("only a longitude", #"{"recordedAt":"T","longitude":1}"#, "invalid /pings/#/latitude"),
    (
      "too far north", #"{"recordedAt":"T","latitude":90.0000001,"longitude":2}"#,
      "invalid /pings/#/latitude"
    ),
    (
      "too far west", #"{"recordedAt":"T","latitude":1,"longitude":-180.5}"#,
      "invalid /pings/#/longitude"
    ),
    (
      "an endless latitude", #"{"recordedAt":"T","latitude":1e999,"longitude":2}"#,
      "invalid /pings/#/latitude"
    ),
    (
      "a latitude in quotes", #"{"recordedAt":"T","latitude":"1","longitude":2}"#,
      "invalid /pings/#/latitude"
    ),
    (
      "a list for a speed", #"{"recordedAt":"T","latitude":1,"longitude":2,"speed":[]}"#,
      "invalid /pings/#/speed"
    ),
    (
      "a word for at rest", #"{"recordedAt":"T","stationary":"yes"}"#,
      "invalid /pings/#/stationary"
    ),
    ("eight days old", #"{"recordedAt":"2026-11-12T09:30:00Z"}"#, "too_late"),
    ("from before the shift", #"{"recordedAt":"2026-11-20T08:00:00Z"}"#, "no_shift"),
  ]

  @Test("each item has its own result, and an invalid item stops no other")  // R: B8
  func eachItem() async throws {
    try await DeviceWorld.run { world in
      let phone = try await onShift(world)
      var texts: [String] = []
      for (index, item) in Self.items.enumerated() {
        let ago = TimeSpan.zero - .seconds(Int64(index + 1))
        let offset = String(world.time(ago + .hours(2)).dropLast()) + "+02:00"
        texts.append(
          item.json.replacing(#""T""#, with: "\"\(world.time(ago))\"")
            .replacing(#""O""#, with: "\"\(offset)\""))
      }
      let answer = try await phone.post(
        "/v1/pings", #"{"sentAt":"\#(world.time())","pings":[\#(texts.joined(separator: ","))]}"#)
      #expect(answer.status == 200)
      #expect(answer.results.count == Self.items.count)
      for (index, (item, result)) in zip(Self.items, answer.results).enumerated() {
        #expect(result == item.result.replacing("#", with: String(index)), "\(item.name)")
      }
    }
  }

  @Test(
    "a ping with a speed over 1 m/s announces no rest, also without a position",  // R: W8
    arguments: [("1.01", 0), ("1e400", 0), ("1", 2), ("-1e400", 2)])
  func fastRest(_ speed: String, rests: Int64) async throws {
    try await DeviceWorld.run { world in
      let phone = try await onShift(world)
      for place in [#""latitude":0,"longitude":0"#, #""latitude":1,"longitude":2,"accuracy":-1"#] {
        world.wait(.seconds(1))
        let answer = try await phone.post(
          "/v1/pings",
          #"{"recordedAt":"\#(world.time())","speed":\#(speed),\#(place),"rest":{}}"#)
        #expect(answer.results == ["stored"])
      }
      #expect(
        try await world.count("SELECT count(*) FROM ping WHERE flags & 2048 <> 0") == rests)
    }
  }

  @Test("a sign of life and a fix of the same time are both stored, in any order")  // R: M1
  func sameTime() async throws {
    try await DeviceWorld.run { world in
      let phone = try await onShift(world)
      let at = #""recordedAt":"\#(world.time())""#
      let (sign, fix) = ("{\(at)}", #"{\#(at),"latitude":1,"longitude":2}"#)
      let nowhere = #"{"recordedAt":"\#(world.time(.seconds(-9)))","latitude":0,"longitude":0}"#
      let place = nowhere.replacing(":0", with: ":1")
      for (items, results) in [
        ([sign, fix], ["stored", "stored"]), ([fix, sign], ["duplicate", "duplicate"]),
        ([nowhere], ["stored"]), ([place, nowhere], ["stored", "duplicate"]),
      ] {
        let upload = #"{"pings":[\#(items.joined(separator: ","))]}"#
        #expect(try await phone.post("/v1/pings", upload).results == results)
      }
      #expect(try await world.count("SELECT count(latitude_e7) FROM ping") == 2)
      #expect(try await world.count("SELECT count(*) FROM ping") == 4)

      var read: [PlacedPing] = []
      while read.count < 5 {
        let last = read.last
        let page = try await world.pool.read { (session) throws(PostgresError) in
          try placedPings(
            of: ShiftID(employee: EmployeeID(7), number: 1), after: last, limit: 1, on: &session)
        }
        guard !page.isEmpty else { break }
        read += page
      }
      #expect(read.map { $0.fix == nil } == [false, true, false, true])
    }
  }

  @Test("a single invalid ping is refused with its location")
  func alone() async throws {
    try await DeviceWorld.run { world in
      let phone = try await onShift(world)
      #expect(
        try await phone.post("/v1/pings", #"{"latitude":1}"#).results == ["invalid /recordedAt"])
      #expect(try await phone.post("/v1/pings", "{}").results == ["invalid /recordedAt"])
    }
  }

  @Test("1,000 at once are accepted and 1,001 are refused")
  func thousand() async throws {
    try await DeviceWorld.run { world in
      let phone = try await onShift(world)
      func upload(_ count: Int) -> String {
        let items = (0..<count).map {
          #"{"recordedAt":"\#(world.time(.milliseconds(Int64(-$0))))","latitude":1,"longitude":2}"#
        }
        return #"{"sentAt":"\#(world.time())","pings":[\#(items.joined(separator: ","))]}"#
      }
      let taken = try await phone.post("/v1/pings", upload(1_000))
      #expect(taken.results == Array(repeating: "stored", count: 1_000))
      let refused = try await phone.post("/v1/pings", upload(1_001))
      #expect(refused.status == 413)
      #expect(refused.code == "too_many_items")
      let many = Array(repeating: "{}", count: 10_000).joined(separator: ",")
      #expect(try await phone.post("/v1/pings", #"{"pings":[\#(many)]}"#).status == 413)
    }
  }

  @Test(
    "pings of a phone whose clock is years off are corrected, not refused",
    arguments: [
      "2001-01-01T00:00:00Z", "2027-12-31T23:59:59Z", "0000-01-01T00:00:30Z",
      "9999-12-31T23:59:59Z",
    ])  // R: W1
  func wrongClock(_ sent: String) async throws {
    try await DeviceWorld.run { world in
      let phone = try await onShift(world)
      let recorded = try #require(Instant(rfc3339: sent)).milliseconds - 30_000
      let answer = try await phone.post(
        "/v1/pings",
        """
        {"sentAt":"\(sent)","pings":[
          {"recordedAt":"\(Instant(milliseconds: recorded).rfc3339)","latitude":1,"longitude":2}]}
        """)
      #expect(answer.results == ["stored"], "\(answer.text)")
    }
  }

  @Test("off shift no position is stored, and the response says not to track")
  func offShift() async throws {
    try await DeviceWorld.withPhone { _, phone in
      let answer = try await phone.ping()
      #expect(answer.results == ["no_shift"])
      #expect(answer["tracking", "track"] == .bool(false))
    }
  }
}
