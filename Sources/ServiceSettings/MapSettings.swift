import JSONText
import ReadModels

/// The map settings from the file of `--maps`.
package struct MapSettings: Sendable {
  /// The source of tiles; `nil`: tracks are drawn without a map.
  package var tiles: MapTiles?
  /// The folder of Leaflet; by default that of Debian's libjs-leaflet.
  package var folder = "/usr/share/javascript/leaflet"

  package init() {}

  package init(file path: String) throws(SettingsFault) {
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
}
