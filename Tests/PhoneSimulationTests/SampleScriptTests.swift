import Foundation
import Testing

@testable import PhoneSimulation

@Suite("Scripts in deploy/demo/replay") struct SampleScriptTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../deploy/demo/replay").standardizedFileURL

  static let scripts = [
    "1-denied", "2-while-in-use", "3-shift", "4-downgrade", "5-restored", "6-clock-out",
    "escalation", "recordings", "working-day",
  ]

  @Test("every script is valid, and its recordings exist", arguments: scripts)
  func canBeFollowed(name: String) throws {
    let text = try String(
      contentsOf: Self.folder.appendingPathComponent("\(name).replay"), encoding: .utf8)
    let codes = [
      "CODE": "1", "DRIVE_CODE": "2", "TOUR_CODE": "3", "HIKE_CODE": "4", "WORK_CODE": "5",
      "SPARE_CODE": "6", "PETRA_CODE": "7",
    ]
    let script = try Script(parsing: text, variables: codes)
    #expect(!script.stages.isEmpty)
    for file in script.recordings {
      let path = URL(fileURLWithPath: file, relativeTo: Self.folder).path
      let recording = try Recording(gpxFile: path, name: file)
      #expect(!recording.points.isEmpty)
    }
  }

  @Test("every script is listed here") func complete() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(
      files.filter { $0.hasSuffix(".replay") }.sorted() == Self.scripts.map { "\($0).replay" })
  }
}
