import Foundation
import ShiftDomain
import Testing

@testable import PhoneSimulation

/// The recordings that the coverage tests use, too.
enum Tracks {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("GuardRulesTests/Fixtures")

  static func recording(_ file: String) throws -> Recording {
    try Recording(gpxFile: folder.appendingPathComponent(file).path, name: file)
  }
}

@Suite("Recording") struct RecordingTests {
  typealias TrackRow = (file: String, points: Int, start: String, span: TimeSpan)
  static let tracks: [TrackRow] = [
    ("around-visnjan-with-car.gpx", 104, "2020-12-18T06:15:50.000Z", .seconds(514)),
    ("cerknicko-jezero.gpx", 296, "2010-08-05T14:23:59.000Z", .seconds(7_190)),
    ("korita-zbevnica.gpx", 513, "2010-10-03T09:36:30.000Z", .seconds(13_381)),
  ]

  @Test("every track point with a time is read, and no waypoint", arguments: tracks)
  func reads(_ row: TrackRow) throws {
    let recording = try Tracks.recording(row.file)
    #expect(recording.points.count == row.points)
    #expect(recording.start.rfc3339 == row.start)
    #expect(recording.end - recording.start == row.span)
    #expect(recording.points.map(\.time) == recording.points.map(\.time).sorted())
  }

  @Test("a moved recording ends at the given time, its gaps unchanged") func moves() throws {
    let recording = try Tracks.recording("around-visnjan-with-car.gpx")
    let now = Instant(milliseconds: 1_800_000_000_123)
    let moved = recording.ending(at: now)
    #expect(moved.end == now)
    #expect(gaps(moved) == gaps(recording))
    #expect(moved.points.map(\.position) == recording.points.map(\.position))
    #expect(moved.beginning(at: now).start == now)
  }

  private func gaps(_ recording: Recording) -> [TimeSpan] {
    zip(recording.points.dropFirst(), recording.points).map { $0.time - $1.time }
  }

  @Test("a part has the given start and number of points") func part() throws {
    let recording = try Tracks.recording("around-visnjan-with-car.gpx")
    let from = try #require(Instant(rfc3339: "2020-12-18T06:16:48Z"))
    let part = try #require(recording.part(from: from, points: 21))
    #expect(part.points.count == 21)
    #expect(part.start == from)
    #expect(part.end - part.start == .seconds(30))
    #expect(recording.part(from: recording.end + .seconds(1), points: nil) == nil)
    #expect(recording.part(from: nil, points: nil) == recording)
  }

  @Test("points are sorted by time, prefixes and extensions are understood")
  func sorts() throws {
    let text = """
      <g:gpx xmlns:g="http://www.topografix.com/GPX/1/1"><g:trk><g:trkseg>
      <g:trkpt lat="2" lon="-2"><g:time>2020-01-01T00:00:02.5Z</g:time></g:trkpt>
      <g:trkpt lat="1" lon="1"><g:ele> 7.5 </g:ele><g:time>2020-01-01T01:00:01+01:00</g:time>
        <g:extensions><x><time>1999-01-01T00:00:00Z</time></x></g:extensions></g:trkpt>
      <g:trkpt lat="3" lon="3"/>
      </g:trkseg></g:trk></g:gpx>
      """
    let recording = try Recording(gpx: Data(text.utf8), name: "a.gpx")
    #expect(recording.points.map(\.position.latitude) == [1, 2])
    #expect(recording.points.map(\.altitude) == [7.5, nil])
    #expect(recording.end - recording.start == .milliseconds(1_500))
  }

  typealias FaultRow = (what: String, bytes: Data, says: String)
  static let faults: [FaultRow] = [
    ("nothing", Data(), "not a GPX document"),
    ("no XML", Data("hello".utf8), "not well-formed XML, near line 1"),
    ("breaks off", Data("<gpx><trk>".utf8), "not well-formed XML, near line 1"),
    ("another document", Data("<html></html>".utf8), "not a GPX document"),
    ("no point", Data("<gpx/>".utf8), "no track point has a time"),
    ("no time", gpx("<trkpt lat=\"1\" lon=\"1\"/>"), "no track point has a time"),
    ("off the Earth", gpx("<trkpt lat=\"91\" lon=\"1\"/>"), "no valid position in line 1"),
    ("not a number", gpx("<trkpt lat=\"nan\" lon=\"1\"/>"), "no valid position in line 1"),
    ("no longitude", gpx("<trkpt lat=\"1\"/>"), "no valid position in line 1"),
    (
      "an invalid date",
      gpx("<trkpt lat=\"1\" lon=\"1\"><time>2020-13-01T00:00:00Z</time></trkpt>"),
      "no valid time in line 1"
    ),
    (
      "entities that grow",
      Data("<!DOCTYPE g [<!ENTITY a \"x\"><!ENTITY b \"&a;&a;\">]><gpx>&b;</gpx>".utf8),
      "has a document type, which GPX does not allow"
    ),
    ("UTF-16", Data("<gpx/>".data(using: .utf16) ?? Data()), "not in UTF-8"),
    ("UTF-7", Data("<?xml version=\"1.0\" encoding=\"UTF-7\"?><gpx/>".utf8), "not in UTF-8"),
    (
      "deeper than any GPX", Data(("<gpx>" + String(repeating: "<a>", count: 1_000)).utf8),
      "nested deeper than 64"
    ),
    ("50 MB and a byte", Data(count: Recording.bytesMax + 1), "larger than 50 MB"),
  ]

  static func gpx(_ points: String) -> Data {
    Data("<gpx><trk><trkseg>\(points)</trkseg></trk></gpx>".utf8)
  }

  @Test("an invalid recording is refused with a reason")
  func refuses() {
    for row in Self.faults {
      #expect {
        try Recording(gpx: row.bytes, name: "a.gpx")
      } throws: {
        "\($0)" == "`a.gpx`: \(row.says)"
      }
    }
    #expect(throws: RecordingFault(file: "b.gpx", message: "cannot be read")) {
      try Recording(gpxFile: "/nonexistent/b.gpx", name: "b.gpx")
    }
    #expect(throws: RecordingFault(file: "folder", message: "cannot be read")) {
      try Recording(gpxFile: Tracks.folder.path, name: "folder")
    }
  }
}
