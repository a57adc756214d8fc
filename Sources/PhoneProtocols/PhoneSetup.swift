import JSONText
import ShiftDomain

/// What an app is connected with.
package struct PhoneAccount: Hashable, Sendable {
  /// Of the service, such as `https://guard.example`, without a slash at the end.
  package var origin: String
  package var device: DeviceID
  /// The device's token.
  package var token: String
  /// By whose crossing the employee clocks in and out, for apps that know regions.
  package var regions: [PhoneRegion]

  package init(origin: String, device: DeviceID, token: String, regions: [PhoneRegion] = []) {
    self.origin = origin
    self.device = device
    self.token = token
    self.regions = regions
  }

  func address(of app: PhoneApp) -> String { origin + app.path }
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
  package enum Field: UInt8, Coded {
    case address = 0
    case deviceIdentifier = 1
    /// The value of the header `Authorization`, which the app's makers set.
    case authorization = 2

    package var code: String {
      switch self {
      case .address: "address"
      case .deviceIdentifier: "device_identifier"
      case .authorization: "authorization"
      }
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
  /// What to type in where there is no link.
  package var fields: [Field: String]

  init(link: String? = nil, file: File? = nil, fields: [Field: String]) {
    self.link = link
    self.file = file
    self.fields = fields
  }
}
