import Foundation
import HTTPAPI
import ManagerOperations
import ServiceSettings
import ShiftDomain
import WebPages

extension MapSettings {
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
  _ operations: ManagerOperations, _ service: Settings, _ transports: TransportSwitch,
  now: @escaping @Sendable () -> Instant, observer: RouteObserver
) -> [AccessRoute] {
  var settings = PageSettings(authenticatingBy: operations, now: now)
  settings.setUpChannels = { transports.setUp }
  settings.channelSetup = { transports.setup }
  settings.pushKey = service.channels.pushKey
  settings.sendTestMail = { await transports.sendTestMail(to: $0) }
  settings.publicURL = service.publicURL.map { url in
    url.hasSuffix("/") ? String(url.dropLast()) : url
  }
  settings.backupAgeMax = service.backupAgeMax
  settings.hasDownloads = true
  settings.tiles = service.maps.tiles
  settings.mapLibrary = service.maps.library
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
