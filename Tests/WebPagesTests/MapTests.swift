import Foundation
import HTTPAPI
import HTTPServing
import ReadModels
import ShiftDomain
import TestKit
import Testing
import WebPages

@Suite("A track on a map", .serialized) struct MapTests {
  /// A picture of one green dot.
  private static let tile = Data(
    base64Encoded:
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mO48ewCAAUoAo+43h4pAAAAAElF"
      + "TkSuQmCC")

  /// The files of Debian's libjs-leaflet.
  private func library() throws -> MapLibrary {
    func file(_ name: String) throws -> [UInt8] {
      let data = FileManager.default.contents(atPath: "/usr/share/javascript/leaflet/\(name)")
      return Array(try #require(data, "libjs-leaflet is not installed"))
    }
    return MapLibrary(script: try file("leaflet.min.js"), styles: try file("leaflet.css"))
  }

  /// A tile server of another site that has tiles, has none, or never finishes.
  private func tiles(_ never: AsyncStream<[UInt8]>) throws -> Router {
    let tile = Array(try #require(Self.tile))
    return Router([
      Route(.get, "/there/{z}/{x}/{y}") { request in
        // The tile server must not learn whose track it is.
        guard request.headers["Referer"] == nil else { return HTTPResponse(status: 403) }
        return HTTPResponse(headers: ["Content-Type": "image/png"], body: .bytes(tile))
      },
      Route(.get, "/never/{z}/{x}/{y}") { _ in
        HTTPResponse(headers: ["Content-Type": "image/png"], body: .stream(never))
      },
    ])
  }

  @Test(
    "is drawn over the tiles, and stays drawn without them",
    arguments: ["there", "gone", "never"])
  func laid(_ tiles: String) async throws {
    let library = try library()
    let (never, source) = AsyncStream.makeStream(of: [UInt8].self)
    try await DemoDay.run { day in
      try await day.addDepot()
      try await HTTPServer(.patient, router: self.tiles(never)).serving { other in
        let template = try #require(
          MapTiles(template: "\(other)/\(tiles)/{z}/{x}/{y}", attribution: "© <b>Some & Co</b>"))
        try await PageServer(day, tiles: template, mapLibrary: library).serve { address in
          let faults = try await Browser.run(
            "map", address, other, "/employees/14/shifts/1", tiles, Browser.pictures)
          #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
        }
        source.finish()
      }
    }
  }

  @Test(
    "shows the employees on shift, from the board and live, with tiles and without",
    arguments: [true, false])
  func people(hasTiles: Bool) async throws {
    let library = try library()
    let (never, source) = AsyncStream.makeStream(of: [UInt8].self)
    defer { source.finish() }
    try await DemoDay.run { day in
      try await HTTPServer(.patient, router: self.tiles(never)).serving { other in
        let tiles = MapTiles(template: "\(other)/there/{z}/{x}/{y}", attribution: "Some")
        let move = Route(.post, "/test/move", deadline: TestDatabase.patience) { _ in
          day.wait(.minutes(3))
          try? await day.perform(.walks(342, 345), 1)
          return .text("done")
        }
        try await PageServer(
          day, tiles: hasTiles ? tiles : nil, mapLibrary: library, others: [move]
        ).serve {
          let faults = try await Browser.run("people", $0, hasTiles ? other : "", Browser.pictures)
          #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
        }
      }
    }
  }
}
