import APIMessages
import Foundation
import ShiftDomain
import ShiftOperations
import WebPages

/// What a setting of the pages is wrong about.
struct PageFault: Error, CustomStringConvertible {
  let description: String
}

/// What maps are laid out with.
struct MapSettings: Sendable {
  /// Where tiles come from; `nil`: tracks are drawn without a map.
  var tiles: MapTiles?
  /// Debian's libjs-leaflet.
  var folder: String

  /// - Throws: `PageFault` for a template that is none.
  init(template: String?, attribution: String, folder: String) throws {
    self.folder = folder
    guard let template else { return }
    guard let tiles = MapTiles(template: template, attribution: attribution) else {
      throw PageFault(
        description: "`--tiles` must be an https URL with {z}, {x} and {y} in it")
    }
    self.tiles = tiles
  }

  /// Leaflet; `nil` when there are no tiles, or no files.
  fileprivate var library: MapLibrary? {
    guard tiles != nil, let script = bytes("leaflet.js"), let styles = bytes("leaflet.css") else {
      return nil
    }
    return MapLibrary(script: script, styles: styles)
  }

  private func bytes(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: "\(folder)/\(name)").map { Array($0) }
  }
}

/// The pages for managers and administrators.
func pages(
  _ operations: Operations, _ maps: MapSettings, now: @escaping @Sendable () -> Instant,
  observer: RouteObserver
) -> [Route] {
  var settings = PageSettings(lettingInBy: operations, now: now)
  settings.tiles = maps.tiles
  settings.mapLibrary = maps.library
  settings.boardEvents = "/v1/board/events"
  settings.observer = observer
  return pageRoutes(operations, settings).map { route in
    var route = route
    route.handler = OfficeDoor.renewing(route.handler)
    return route
  }
}
