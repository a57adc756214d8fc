public import ShiftDomain

/// `PermissionStatus` of Flutter's package `location`, by its word: its numbers are no use, since
/// the denial of its native side has the number of a grant in Dart.
public enum PubLocationStatus: UInt8, Coded {
  /// Granted, while in use or always.
  case granted = 0
  /// Granted with reduced accuracy. iOS.
  case grantedLimited = 1
  /// No permission. On iOS it may never have been asked, or be restricted.
  case denied = 2
  /// Refused for good, or on iOS restricted. Only ever the answer to a request.
  case deniedForever = 3

  /// The library's word.
  public var code: String {
    switch self {
    case .granted: "granted"
    case .grantedLimited: "grantedLimited"
    case .denied: "denied"
    case .deniedForever: "deniedForever"
    }
  }
}

/// What Flutter's package `location` says.
///
/// Trap: it never tells *Always* from while in use.
///
/// - Source: the library's LocationPlugin.m, FlutterLocation.java and method_channel_location.dart.
public struct PubLocationValues: Hashable, Sendable {
  /// `Location.hasPermission()`, or what a request answered.
  public var permissionStatus: RawField<PubLocationStatus>
  /// `Location.serviceEnabled()`.
  public var serviceEnabled: RawField<Bool>

  /// Values as the app read them.
  public init(
    permissionStatus: RawField<PubLocationStatus>, serviceEnabled: RawField<Bool> = .absent
  ) {
    self.permissionStatus = permissionStatus
    self.serviceEnabled = serviceEnabled
  }

  /// In our words, of a device that runs `platform`.
  public func reading(on platform: Platform) -> RawReading {
    RawReading(permissionStatus.translated { permission($0, on: platform) })
      .adding(services: serviceEnabled)
  }

  private func permission(_ status: PubLocationStatus, on platform: Platform) -> RawReading {
    switch (status, platform) {
    case (.granted, .web): return WebPermission.granted.reading
    case (.granted, _):
      // It is granted to who has the fine permission: an approximate grant reads as denied.
      let accuracy: RawField<LocationAccuracy> = platform == .unknown ? .absent : .told(.full)
      return RawReading(.whenInUse, .settings, quality: .incomplete).adding(accuracy: accuracy)
    case (.grantedLimited, _):
      return RawReading(.whenInUse, .settings, quality: .incomplete)
        .adding(accuracy: .told(.reduced))
    case (.denied, .android): return RawReading(.denied)
    case (.denied, _): return RawReading(.denied, quality: .incomplete)
    case (.deniedForever, _): return RawReading(.denied, .settings)
    }
  }
}
