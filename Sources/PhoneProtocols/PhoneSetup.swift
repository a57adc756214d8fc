import JSONText
import ShiftDomain

/// What an app is connected with.
package struct PhoneAccount: Hashable, Sendable {
  /// Of the service, such as `https://guard.example`, without a slash at the end.
  package var origin: String
  package var device: DeviceID
  /// iOS or Android: some apps call a field differently on each.
  package var platform: Platform
  /// The device's token.
  package var token: String
  /// Between two positions.
  package var interval: TimeSpan
  /// By whose crossing the employee clocks in and out, for apps that know regions.
  package var regions: [PhoneRegion]

  package init(
    origin: String, device: DeviceID, platform: Platform, token: String, interval: TimeSpan,
    regions: [PhoneRegion] = []
  ) {
    self.origin = origin
    self.device = device
    self.platform = platform
    self.token = token
    self.interval = interval
    self.regions = regions
  }

  func address(of app: PhoneApp) -> String { origin + app.path }

  /// The interval in whole seconds, for apps that know no shorter unit.
  var intervalSeconds: Int64 { max(interval.seconds, 1) }
}

/// A circle in which the employee works.
package struct PhoneRegion: Hashable, Sendable {
  package var name: String
  package var center: Coordinate
  package var radiusMeters: Int32

  package init(name: String, center: Coordinate, radiusMeters: Int32) {
    self.name = name
    self.center = center
    self.radiusMeters = radiusMeters
  }
}

/// What an employee opens or types in to connect an app. Contains the token.
package struct PhoneSetup: Hashable, Sendable {
  package struct Field: Hashable, Sendable {
    /// As the app shows it in English; for a kit, the setting that the app's makers set.
    package var name: String
    package var value: String

    init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package struct File: Hashable, Sendable {
    package var name: String
    package var content: [UInt8]
  }

  /// A link that the app opens on the phone, also as a QR code.
  package var link: String?
  /// A file that the app opens on the phone.
  package var file: File?
  /// What the app needs before it takes the link; a sentence, or several.
  package var before: String?
  /// What to type in instead of opening the link, in the order of the app's screens.
  package var fields: [Field]
  /// What is left to do in the app; a sentence, or several.
  package var after: String?

  init(
    link: String? = nil, file: File? = nil, before: String? = nil, fields: [Field],
    after: String? = nil
  ) {
    self.link = link
    self.file = file
    self.before = before
    self.fields = fields
    self.after = after
  }
}
