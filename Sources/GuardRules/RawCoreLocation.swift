import ShiftDomain

/// Raw values of Apple's CoreLocation. 2 is also reported while the device's location is off;
/// `locationServicesEnabled` tells which. 3 may be provisional and 4 an unexpired *Allow Once*.
public struct CoreLocationValues: Hashable, Sendable {
  /// `CLAuthorizationStatus`: 0 not determined, 1 restricted, 2 denied, 3 always, 4 when in use.
  public var authorizationStatus: RawField<Int64>
  /// `CLAccuracyAuthorization`: 0 full, 1 reduced; absent before iOS 14.
  public var accuracyAuthorization: RawField<Int64>
  /// `CLLocationManager.locationServicesEnabled()`.
  public var locationServicesEnabled: RawField<Bool>
  /// Whether the app has ever asked for *Always*. iOS asks the user only once, and does not say
  /// whether it has.
  public var hasAskedAlways: RawField<Bool>

  public init(
    authorizationStatus: RawField<Int64>, accuracyAuthorization: RawField<Int64> = .absent,
    locationServicesEnabled: RawField<Bool> = .absent, hasAskedAlways: RawField<Bool> = .absent
  ) {
    self.authorizationStatus = authorizationStatus
    self.accuracyAuthorization = accuracyAuthorization
    self.locationServicesEnabled = locationServicesEnabled
    self.hasAskedAlways = hasAskedAlways
  }

  public var reading: RawReading {
    let permission: RawField<RawReading> = authorizationStatus.translated { status in
      switch status {
      case 0: RawReading(.notDetermined, .prompt)
      case 1: RawReading(.restricted, .administrator)
      case 2: RawReading(.denied, .settings)
      case 3: RawReading(.always)
      case 4: RawReading(.whenInUse, hasAskedAlways.value == false ? .prompt : .settings)
      default: nil
      }
    }
    let accuracy: RawField<LocationAccuracy> = accuracyAuthorization.translated { value in
      switch value {
      case 0: .full
      case 1: .reduced
      default: nil
      }
    }
    return RawReading(permission).adding(accuracy: accuracy)
      .adding(services: locationServicesEnabled).noting(hasAskedAlways)
  }
}
