import Foundation
import HTTPAPI
import JSONText
import ManagerOperations
import ServiceSettings
import ShiftDomain
import WebPages

/// The map settings from the file of `--maps`.
struct MapSettings: Sendable {
  /// The source of tiles; `nil`: tracks are drawn without a map.
  var tiles: MapTiles?
  /// The folder of Leaflet; by default that of Debian's libjs-leaflet.
  var folder = "/usr/share/javascript/leaflet"

  init() {}

  init(file path: String) throws(SettingsFault) {
    guard let bytes = NamedFiles.read(path), let value = try? JSONValue(parsing: bytes) else {
      throw SettingsFault("`\(path)` cannot be read, or is not JSON")
    }
    do throws(BodyFault) {
      let fields = try JSONFields(value)
      for name in fields.names where !["tiles", "attribution", "leaflet"].contains(name) {
        throw BodyFault(at: fields.place(name), "is not a map setting")
      }
      folder = try fields.text("leaflet", min: 1, max: 4_096) ?? folder
      let template = try fields.required("tiles", fields.text("tiles", min: 1, max: 2_048))
      let attribution = try fields.required(
        "attribution", fields.text("attribution", min: 1, max: 500))
      guard let tiles = MapTiles(template: template, attribution: attribution) else {
        throw BodyFault(
          at: fields.place("tiles"), "must be an http or https URL with {z}, {x} and {y}")
      }
      self.tiles = tiles
    } catch {
      throw SettingsFault(error, in: path)
    }
  }

  /// Leaflet; `nil` without tiles or without its files.
  fileprivate var library: MapLibrary? {
    guard tiles != nil, let script = bytes("leaflet.min.js") ?? bytes("leaflet.js"),
      let styles = bytes("leaflet.css")
    else { return nil }
    return MapLibrary(script: script, styles: styles)
  }

  private func bytes(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: "\(folder)/\(name)").map { Array($0) }
  }
}

func pages(
  _ operations: ManagerOperations, _ maps: MapSettings, now: @escaping @Sendable () -> Instant,
  observer: RouteObserver, setUpChannels: @escaping @Sendable () -> Set<Channel>?
) -> [AccessRoute] {
  var settings = PageSettings(authenticatingBy: operations, now: now)
  settings.setUpChannels = setUpChannels
  settings.hasDownloads = true
  settings.tiles = maps.tiles
  settings.mapLibrary = maps.library
  settings.boardEvents = "/v1/board/events"
  settings.observer = observer
  return pageRoutes(operations, settings)
}

/// The rules as WebAssembly, from the installed program's shared files; `nil` without them.
func rulesForBrowsers() -> [UInt8]? {
  // The kernel knows the program's path, however the program was called.
  guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  else { return nil }
  let folder = URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent()
  let file = folder.appendingPathComponent("../share/shiftguard/GuardRules.wasm").standardized
  return FileManager.default.contents(atPath: file.path).map { Array($0) }
}
