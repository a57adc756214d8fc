public import ShiftDomain

/// A permission response of expo-location for the foreground or the background, in its old or its
/// next interface (SDK 58): `LocationPermissionResponse`.
public struct ExpoPermission: Hashable, Sendable {
  public enum Status: UInt8, Coded {
    /// The app may ask. For the background on iOS it may also be granted while in use.
    case undetermined = 0
    case granted = 1
    /// Denied or restricted. For the background on iOS: while in use, and asked since the start.
    case denied = 2

    public var code: String {
      switch self {
      case .undetermined: "undetermined"
      case .granted: "granted"
      case .denied: "denied"
      }
    }
  }

  /// `scope`; in the old interface on iOS only.
  public enum Scope: Hashable, Sendable {
    case always
    case whenInUse
    /// `none`; in the next interface `notGranted`.
    case notGranted
  }

  public enum Accuracy: Hashable, Sendable {
    /// `full`: in the old interface also reported without a grant.
    case full
    /// `reduced`: likewise.
    case reduced
    /// Android's `fine`.
    case fine
    /// Android's `coarse`.
    case coarse
    /// Android's `none`; in the next interface `notGranted`.
    case notGranted
  }

  public var status: RawField<Status>
  public var canAskAgain: RawField<Bool>
  public var scope: RawField<Scope>
  public var accuracy: RawField<Accuracy>

  public init(
    status: RawField<Status>, canAskAgain: RawField<Bool> = .absent,
    scope: RawField<Scope> = .absent, accuracy: RawField<Accuracy> = .absent
  ) {
    self.status = status
    self.canAskAgain = canAskAgain
    self.scope = scope
    self.accuracy = accuracy
  }

  var isUnreadable: Bool { status.isUnreadable || scope.isUnreadable || accuracy.isUnreadable }
}

/// The values of expo-location.
///
/// Pitfalls: for the background, iOS reports undetermined or denied when it is granted while in
/// use, so only `granted` counts; `scope` takes precedence over `status`; Android's `granted` may
/// be approximate; a browser reports the same for background and foreground.
///
/// - Source: the library's EXForegroundPermissionRequester.m and
///   EXBackgroundLocationPermissionRequester.m; for its next interface Permissions.types.ts and
///   LocationPermissions.kt.
public struct ExpoValues: Hashable, Sendable {
  /// `getForegroundPermissionsAsync()`.
  public var foreground: ExpoPermission?
  /// `getBackgroundPermissionsAsync()`.
  public var background: ExpoPermission?
  public var hasServicesEnabled: RawField<Bool>

  public init(
    foreground: ExpoPermission? = nil, background: ExpoPermission? = nil,
    hasServicesEnabled: RawField<Bool> = .absent
  ) {
    self.foreground = foreground
    self.background = background
    self.hasServicesEnabled = hasServicesEnabled
  }

  public func reading(on platform: Platform) -> RawReading {
    permission(on: platform).adding(services: hasServicesEnabled)
  }

  private func permission(on platform: Platform) -> RawReading {
    if platform == .web { return RawReading(status(of: foreground).translated(page)) }
    if foreground?.isUnreadable == true || background?.isUnreadable == true { return .unknownValue }
    guard let scope = scope(of: foreground).agreeing(with: scope(of: background)),
      let accuracy = accuracy(of: foreground).agreeing(with: accuracy(of: background))
    else { return .contradictory }
    let reading = scope.value.map { self.reading(of: $0) } ?? readingOfStatus
    return excludes(reading, accuracy.value)
      ? .contradictory : reading.adding(accuracy: accuracy.translated(word))
  }

  /// The scope takes precedence over the background's status, not over the foreground's.
  private func reading(of scope: ExpoPermission.Scope) -> RawReading {
    let isForeground = status(of: foreground).value.map { $0 == .granted }
    let isBackground = status(of: background).value.map { $0 == .granted }
    switch scope {
    case .always:
      return isForeground == false || isBackground == false ? .contradictory : RawReading(.always)
    case .whenInUse:
      return isForeground == false || isBackground == true
        ? .contradictory : RawReading(.whenInUse, .settings)
    case .notGranted:
      if isForeground == true || isBackground == true { return .contradictory }
      return RawReading(
        status(of: foreground ?? background).translated { refusal($0, foreground ?? background) })
    }
  }

  /// By the statuses, if no scope is sent.
  private var readingOfStatus: RawReading {
    let background = status(of: self.background).value
    switch (status(of: foreground).value, background) {
    case (.granted?, .granted?): return RawReading(.always)
    case (.granted?, nil): return RawReading(.whenInUse, .settings, quality: .incomplete)
    case (.granted?, _): return RawReading(.whenInUse, .settings)
    case (let refused?, _):
      return background == .granted ? .contradictory : refusal(refused, foreground)
    case (nil, .granted?): return RawReading(.always, quality: .incomplete)
    case (nil, _): return .incomplete
    }
  }

  private func refusal(
    _ status: ExpoPermission.Status, _ permission: ExpoPermission?
  ) -> RawReading {
    if status == .undetermined { return RawReading(.notDetermined, .prompt) }
    guard let field = permission?.canAskAgain else { return RawReading(.denied) }
    guard let canAsk = field.value else { return RawReading(.denied).noting(field) }
    return RawReading(.denied, canAsk ? .prompt : .settings)
  }

  private func page(_ status: ExpoPermission.Status) -> RawReading {
    switch status {
    case .undetermined: WebPermission.prompt.reading
    case .granted: WebPermission.granted.reading
    case .denied: WebPermission.denied.reading
    }
  }
}

extension ExpoValues {
  private func status(of permission: ExpoPermission?) -> RawField<ExpoPermission.Status> {
    permission?.status ?? .absent
  }

  private func scope(of permission: ExpoPermission?) -> RawField<ExpoPermission.Scope> {
    permission?.scope ?? .absent
  }

  private func accuracy(of permission: ExpoPermission?) -> RawField<ExpoPermission.Accuracy> {
    permission?.accuracy ?? .absent
  }

  /// Whether there is a grant without any accuracy, or one of Android's flags without a grant.
  private func excludes(_ reading: RawReading, _ accuracy: ExpoPermission.Accuracy?) -> Bool {
    switch accuracy {
    case .notGranted?: reading.isGrant
    case .fine?, .coarse?:
      reading.state.authorization == .denied || reading.state.authorization == .notDetermined
    case .full?, .reduced?, nil: false
    }
  }

  private func word(_ accuracy: ExpoPermission.Accuracy) -> LocationAccuracy {
    switch accuracy {
    case .full, .fine: .full
    case .reduced, .coarse: .reduced
    case .notGranted: .unknown
    }
  }
}
