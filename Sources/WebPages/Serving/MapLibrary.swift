import HTTPAPI
import HTTPServing
import ReadModels

/// Leaflet, as installed on the system: draws tracks on map tiles.
package struct MapLibrary: Sendable {
  package var script: [UInt8]
  package var styles: [UInt8]

  package init(script: [UInt8], styles: [UInt8]) {
    self.script = script
    self.styles = styles
  }

  /// The path of its files. The system may update them, so browsers reload them after a day.
  static let path = "/assets/leaflet/leaflet"

  var routes: [AccessRoute] {
    [
      AccessRoute(.get, Self.path + ".js", .anybody) { _ in
        Self.answer(script, "text/javascript")
      },
      AccessRoute(.get, Self.path + ".css", .anybody) { _ in Self.answer(styles, "text/css") },
    ]
  }

  private static func answer(_ bytes: [UInt8], _ type: String) -> HTTPResponse {
    HTTPResponse(
      headers: [
        "Content-Type": "\(type); charset=utf-8", "Cache-Control": "public, max-age=86400",
        "X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin",
      ], body: .bytes(bytes))
  }
}

extension MapTiles {
  /// Where the script draws a map in place of the drawing.
  /// - Parameter id: Of the text that describes it.
  func html(named name: HTML, describedBy id: HTML? = nil) -> HTML {
    """
    <div class="map" role="group" aria-label="Map: \(name)"\
    \(id.map { " aria-describedby=\"\($0)\"" as HTML }) hidden \
    data-tiles="\(template)" data-thanks="\(attribution)"></div>
    """
  }
}
