import Foundation
import HTTPAPI
import HTTPServing
import JSONText
import Postgres
import ShiftDomain
import Testing

@testable import ManagerAPI

@Suite("A track") struct TrackTests {
  private static let path = "/v1/employees/7/shifts/1/track"

  /// A shift with three fixes, the last of them ten minutes after the second.
  private static func run(_ body: (ManagerWorld) async throws -> Void) async throws {
    try await ManagerWorld.run { world in
      _ = try await world.clockIn("a1", "always")
      for (minute, place) in [(0, -0.000_000_1), (1, 179.999_999_9), (11, 13.5)] {
        world.wait(.minutes(Int64(minute == 0 ? 0 : minute == 1 ? 1 : 10)))
        let at = "2026-11-20T09:\(30 + minute):00Z"
        _ = try await world.send(
          .post, "/v1/pings",
          #"{"recordedAt":"\#(at)","latitude":-45.5,"longitude":\#(place),"#
            + #""altitude":-3,"accuracy":10}"#,
          as: world.phone)
      }
      try await body(world)
    }
  }

  private static func get(_ world: ManagerWorld, _ query: String, accept: String? = nil)
    async throws -> (HTTPResponse, String)
  {
    var headers: HTTPHeaders = ["Authorization": "Bearer \(world.access)"]
    headers["Accept"] = accept
    let response = await world.router.respond(
      to: try HTTPRequest(.get, Self.path + query, headers: headers))
    guard case .bytes(let bytes) = response.body else { return (response, "") }
    return (response, String(decoding: bytes, as: UTF8.self))
  }

  private static func logged(_ world: ManagerWorld) async throws -> [String] {
    let answer = try await world.get("/v1/employees/7/audit")
    guard case .object(let object) = answer.json, case .array(let entries) = object["entries"]
    else { return [] }
    return entries.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  // R: W11
  @Test("requires a purpose, which is in the audit log before the track is sent")
  func purpose() async throws {
    try await Self.run { world in
      for query in [
        "", "?purpose=", "?purpose=%20%09", "?format=gpx",
        "?purpose=" + String(repeating: "x", count: 501),
      ] {
        let (response, text) = try await Self.get(world, query)
        #expect(response.status == 422, "\(query): \(text)")
      }
      #expect(try await Self.logged(world).isEmpty)
      let (response, text) = try await Self.get(world, "?purpose=Lost%20parcel")
      #expect(response.status == 200 && text.contains("179.9999999"))
      #expect(response.headers["Cache-Control"] == "no-store")
      let viewed = try await Self.logged(world)
      #expect(viewed.count == 1 && viewed[0].contains("Lost parcel"))
      _ = try await Self.get(world, "?purpose=Lost%20parcel&format=csv")
      let all = try await Self.logged(world)
      #expect(all.count == 2 && all.contains { $0.contains("exported") })
      let missing = try await world.get("/v1/employees/7/shifts/9/track?purpose=x")
      #expect(missing.status == 404)
      let nobody = try await world.get("/v1/employees/9/shifts/1/track?purpose=x")
      #expect(nobody.status == 404)
      #expect(try await Self.logged(world).count == 2)
    }
  }

  // R: W11
  @Test("marks a mock position in every form")
  func mock() async throws {
    try await Self.run { world in
      world.wait(.minutes(1))
      _ = try await world.send(
        .post, "/v1/pings",
        #"{"recordedAt":"2026-11-20T09:42:00Z","latitude":1,"longitude":2,"mock":true}"#,
        as: world.phone)
      let marks = [
        "json": #""mock":true"#, "geojson": #""mock":true"#, "gpx": "<src>mock</src>",
        "csv": ",true\r\n",
      ]
      for (form, mark) in marks {
        let (_, text) = try await Self.get(world, "?purpose=x&format=\(form)")
        #expect(text.components(separatedBy: mark).count == 2, "\(form): \(text)")
      }
    }
  }

  @Test("is available as JSON, GeoJSON, GPX and CSV")
  func forms() async throws {
    try await Self.run { world in
      let (_, json) = try await Self.get(world, "?purpose=x")
      #expect(
        json.hasPrefix(
          #"{"shift":{"employee":7,"number":1},"startedAt":"2026-11-20T09:30:00.000Z","#
            + #""maxFixAge":180,"fixes":[{"at":"2026-11-20T09:30:00.000Z","latitude":-45.5000000,"#
            + #""longitude":-0.0000001,"accuracy":10.0,"altitude":-3.0,"device":1},"#), "\(json)")
      let parsed = try JSONValue(parsing: Array(json.utf8))
      guard case .object(let object) = parsed, case .array(let fixes) = object["fixes"] else {
        Issue.record("\(json)")
        return
      }
      #expect(fixes.count == 3)
      let (geo, geojson) = try await Self.get(
        world, "?purpose=x", accept: "text/html, application/geo+json")
      #expect(geo.headers["Content-Type"] == "application/geo+json")
      #expect(geojson.contains(#""coordinates":[179.9999999,-45.5000000,-3.0]"#))
      _ = try JSONValue(parsing: Array(geojson.utf8))
      let (table, csv) = try await Self.get(world, "?purpose=x&format=csv")
      #expect(table.headers["Content-Disposition"] == "attachment; filename=\"shift-7-1.csv\"")
      #expect(csv.components(separatedBy: "\r\n").count == 5)
      #expect(csv.contains("T09:31:00.000Z,-45.5000000,179.9999999,10.0,,,-3.0,1,false\r\n"))
      let (_, gpx) = try await Self.get(world, "?purpose=x", accept: "application/gpx+xml")
      #expect(gpx.contains("<trkpt lat=\"-45.5000000\" lon=\"-0.0000001\"><ele>-3.0</ele>"))
      // After a gap of ten minutes, a new segment begins.
      #expect(gpx.components(separatedBy: "<trkseg>").count == 3)
      #expect(gpx.components(separatedBy: "</trkseg>").count == 3)
      #expect(gpx.hasSuffix("</trk>\n</gpx>\n"))
      let (bad, _) = try await Self.get(world, "?purpose=x&format=kml")
      #expect(bad.status == 422)
    }
  }

  @Test("has no quality that was out of range but the accuracy, and north for nearly a full turn")
  func qualities() async throws {
    try await ManagerWorld.run { world in
      _ = try await world.clockIn("a1", "always")
      for (second, qualities) in [
        #""heading":359.7,"speed":327.6"#, #""heading":360,"accuracy":50000"#,
        #""altitude":1000000,"speed":400"#, #""rest":{},"speed":18,"heading":90"#,
        #""accuracy":-1"#, #""accuracy":0.4"#, #""accuracy":1e400"#,
      ].enumerated() {
        world.wait(.seconds(1))
        _ = try await world.send(
          .post, "/v1/pings",
          #"{"recordedAt":"2026-11-20T09:30:0\#(second)Z","latitude":1,"longitude":2,"#
            + "\(qualities)}",
          as: world.phone)
      }
      let (_, csv) = try await Self.get(world, "?purpose=x&format=csv")
      let rows = csv.split(separator: "\r\n").dropFirst().map { row in
        row.split(separator: ",", omittingEmptySubsequences: false).dropFirst(3).dropLast(2)
          .joined(separator: " ")
      }
      #expect(
        rows == [
          " 327.6 0.0 ", "32767.0  0.0 ", "   ", " 18.0 90.0 ", "1.0   ", "32767.0   ",
        ])
    }
  }

  @Test("of any length comes page by page, each fix once and in order")
  func pages() async throws {
    try await Self.run { world in
      _ = try await world.clockOut("a2")
      // Ten fixes a second, pairs of them at the same time, from a phone whose clock is far off.
      try await world.write(
        """
        INSERT INTO ping (
          recorded_at, effective_at, employee_id, shift_no, latitude_e7, longitude_e7, arrived_ms,
          device_no, accuracy_m, speed_cm_s, heading_deg, altitude_m, flags)
        SELECT \(ManagerWorld.start) + n * interval '100 ms' + interval '7 ms',
          \(ManagerWorld.start) + n / 2 * interval '200 ms',
          7, 1, 10000000, n, 800, 1, 10, 120, 90, 40, 80
        FROM generate_series(1, 4500) AS n
        """)
      let request = try HTTPRequest(
        .get, Self.path + "?purpose=x&format=csv",
        headers: ["Authorization": "Bearer \(world.access)"])
      let response = await world.router.respond(to: request)
      guard case .file(let pieces) = response.body else {
        Issue.record("the body is not a file")
        return
      }
      var (lengths, text) = ([Int](), "")
      for try await piece in pieces {
        lengths.append(piece.count)
        text += String(decoding: piece, as: UTF8.self)
      }
      #expect(lengths.count == 3)
      let lines = text.components(separatedBy: "\r\n").dropFirst().dropLast()
      #expect(lines.count == 4_502)
      let times = lines.map { $0.prefix(24) }
      #expect(times == times.sorted())
      #expect(Set(lines).count == 4_502)
    }
  }

  @Test(
    "has degrees without an exponent",
    arguments: [
      (0, "0.0000000"), (-0.000_000_1, "-0.0000001"), (90, "90.0000000"), (-180, "-180.0000000"),
      (52.123_456_7, "52.1234567"), (-0.000_000_01, "0.0000000"), (1e-7, "0.0000001"),
    ])
  func degree(_ row: (number: Double, text: String)) {
    #expect(degrees(row.number) == row.text)
  }
}
