public import ShiftDomain

/// `PermissionStatus` of Flutter's package `location`, by name: its numbers are useless, because
/// the denial of its native side has the number of a grant in Dart.
public enum PubLocationStatus: UInt8, Coded {
  /// Granted, while in use or always.
  case granted = 0
  /// Granted with reduced accuracy. iOS.
  case grantedLimited = 1
  /// No permission. On iOS it may never have been asked, or be restricted.
  case denied = 2
  /// Permanently denied, or on iOS restricted. Only as the result of a request.
  case deniedForever = 3

  public var code: String {
    switch self {
    case .granted: "granted"
    case .grantedLimited: "grantedLimited"
    case .denied: "denied"
    case .deniedForever: "deniedForever"
    }
  }
}

/// The package never distinguishes *Always* from while in use.
/// - Source: the library's LocationPlugin.m, FlutterLocation.java and method_channel_location.dart.
public struct PubLocationValues: Hashable, Sendable {
  /// `Location.hasPermission()`, or the result of a request.
  public var permissionStatus: RawField<PubLocationStatus>
  public var serviceEnabled: RawField<Bool>

  public init(
    permissionStatus: RawField<PubLocationStatus>, serviceEnabled: RawField<Bool> = .absent
  ) {
    self.permissionStatus = permissionStatus
    self.serviceEnabled = serviceEnabled
  }

  public func reading(on platform: Platform) -> RawReading {
    RawReading(permissionStatus.translated { permission($0, on: platform) })
      .adding(services: serviceEnabled)
  }

  private func permission(_ status: PubLocationStatus, on platform: Platform) -> RawReading {
    switch (status, platform) {
    case (.granted, .web): return WebPermission.granted.reading
    case (.granted, _):
      // It is granted only with the fine permission: an approximate grant is reported as denied.
      let accuracy: RawField<LocationAccuracy> = platform == .unknown ? .absent : .given(.full)
      return RawReading(.whenInUse, .settings, quality: .incomplete).adding(accuracy: accuracy)
    case (.grantedLimited, _):
      return RawReading(.whenInUse, .settings, quality: .incomplete)
        .adding(accuracy: .given(.reduced))
    case (.denied, .android): return RawReading(.denied)
    case (.denied, _): return RawReading(.denied, quality: .incomplete)
    case (.deniedForever, _): return RawReading(.denied, .settings)
    }
  }
}
