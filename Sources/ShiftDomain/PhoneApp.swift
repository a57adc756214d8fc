/// An app from a store, or built on somebody else's kit, that sends in its own protocol.
public enum PhoneApp: UInt8, Coded {
  case ownTracks = 0
  case overland = 1
  /// Traccar Client.
  case traccar = 2
  /// An app built on Transistorsoft's SDK for background geolocation.
  case transistorsoft = 3

  public var code: String {
    switch self {
    case .ownTracks: "owntracks"
    case .overland: "overland"
    case .traccar: "traccar"
    case .transistorsoft: "transistorsoft"
    }
  }

  public var name: String {
    switch self {
    case .ownTracks: "OwnTracks"
    case .overland: "Overland"
    case .traccar: "Traccar Client"
    case .transistorsoft: "Transistorsoft SDK"
    }
  }

  public var isForIOSOnly: Bool { self == .overland }

  /// Where it sends to.
  public var path: String { "/v1/apps/\(code)" }
}
