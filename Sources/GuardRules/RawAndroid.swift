public import ShiftDomain

/// Raw flags of Android, the best source there.
///
/// Pitfalls: below API level 29 a grant includes the background; in a single reading, "no
/// rationale" means never asked or permanently denied.
public struct AndroidFlags: Hashable, Sendable {
  /// `Build.VERSION.SDK_INT`. Below 1 was not read: it would turn while-in-use into always.
  public var apiLevel: RawField<Int64>
  /// Whether `ACCESS_FINE_LOCATION` is granted.
  public var fine: RawField<Bool>
  /// Whether `ACCESS_COARSE_LOCATION` is granted.
  public var coarse: RawField<Bool>
  /// Whether `ACCESS_BACKGROUND_LOCATION` is granted; absent below API level 29.
  public var background: RawField<Bool>
  /// `shouldShowRequestPermissionRationale` for the location permission.
  public var shouldShowRationale: RawField<Bool>
  /// Whether the app has ever shown the dialog: the app must remember, the system does not say.
  public var hasAsked: RawField<Bool>
  /// Whether the app has ever asked for the background.
  public var hasAskedBackground: RawField<Bool>
  /// Whether an administrator forbids location: `UserManager.hasUserRestriction` with
  /// `DISALLOW_SHARE_LOCATION`, or a permission denied by policy.
  public var isRestricted: RawField<Bool>
  /// `LocationManager.isLocationEnabled`.
  public var locationEnabled: RawField<Bool>

  /// `ApplicationExitInfo.getReason` of the app's last process; absent below API level 30.
  public var exitReason: RawField<Int64>
  /// `ApplicationExitInfo.getTimestamp`: milliseconds since 1970 by the phone's clock.
  public var exitTimestamp: RawField<Int64>

  public init(
    apiLevel: RawField<Int64>, fine: RawField<Bool>, coarse: RawField<Bool>,
    background: RawField<Bool> = .absent, shouldShowRationale: RawField<Bool> = .absent,
    hasAsked: RawField<Bool> = .absent, locationEnabled: RawField<Bool> = .absent,
    exitReason: RawField<Int64> = .absent, exitTimestamp: RawField<Int64> = .absent,
    hasAskedBackground: RawField<Bool> = .absent, isRestricted: RawField<Bool> = .absent
  ) {
    self.apiLevel = apiLevel
    self.fine = fine
    self.coarse = coarse
    self.background = background
    self.shouldShowRationale = shouldShowRationale
    self.hasAsked = hasAsked
    self.locationEnabled = locationEnabled
    self.exitReason = exitReason
    self.exitTimestamp = exitTimestamp
    self.hasAskedBackground = hasAskedBackground
    self.isRestricted = isRestricted
  }

  public var reading: RawReading {
    permission.adding(accuracy: fine.translated { $0 ? .full : .reduced })
      .adding(services: locationEnabled)
      .noting(shouldShowRationale).noting(hasAsked).noting(exitReason).noting(exitTimestamp)
      .noting(hasAskedBackground).noting(isRestricted)
  }

  /// The end of the app's process, by the phone's clock; `nil` if not fully reported.
  /// - Source: Android `ApplicationExitInfo`, API 30: `REASON_PERMISSION_CHANGE` is 8,
  ///   `REASON_USER_REQUESTED` 10; others are `other`.
  public var appExit: AppExit? {
    guard let reason = exitReason.value, let timestamp = exitTimestamp.value else { return nil }
    let cause: AppExitCause =
      switch reason {
      case 8: .permissionChange
      case 10: .userRequested
      default: .other
      }
    return AppExit(cause, at: Instant(milliseconds: timestamp))
  }

  private var permission: RawReading {
    if apiLevel.isUnreadable || fine.isUnreadable || coarse.isUnreadable || background.isUnreadable
    {
      return .unknownValue
    }
    guard let apiLevel = apiLevel.value, let fine = fine.value, let coarse = coarse.value
    else { return .incomplete }
    if apiLevel < 1 { return .unknownValue }
    // On a managed phone, all switches are greyed out.
    if isRestricted.value == true, !(fine || coarse) || locationEnabled.value == false {
      return RawReading(.restricted, .administrator)
    }
    switch (fine || coarse, background.value) {
    // Android never grants only the background.
    case (false, true?): return .contradictory
    case (false, _): return refusal
    case (true, _) where apiLevel < 29: return RawReading(.always)
    case (true, true?): return RawReading(.always)
    // The dialog of Android 10 offers the background, if it was not refused before.
    case (true, false?) where apiLevel == 29 && hasAskedBackground.value == false:
      return RawReading(.whenInUse, .prompt)
    case (true, false?): return RawReading(.whenInUse, .settings)
    // An app that queries the system could send it, so it is not guessed.
    case (true, nil): return .incomplete
    }
  }

  /// Without a grant: never asked, or denied. Only the app's own memory distinguishes these.
  private var refusal: RawReading {
    if hasAsked.value == false { return RawReading(.notDetermined, .prompt) }
    return switch (shouldShowRationale.value, hasAsked.value) {
    case (true?, _): RawReading(.denied, .prompt)
    case (false?, true?): RawReading(.denied, .settings)
    default: RawReading(.denied)
    }
  }
}

/// Such as `14`; `nil` before version 5 and for unknown levels.
public func androidVersion(ofLevel level: Int64) -> String? {
  switch level {
  case 21, 22: "5"
  case 23: "6"
  case 24, 25: "7"
  case 26, 27: "8"
  case 28...31: "\(level - 19)"
  case 32: "12"
  // From here on each version has one level.
  case 33...60: "\(level - 20)"
  default: nil
  }
}
