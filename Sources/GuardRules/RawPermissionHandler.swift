public import ShiftDomain

/// `PermissionStatus` of Flutter's permission_handler, by its index.
public enum PermissionHandlerStatus: UInt8, Coded {
  /// iOS: never asked. Android: not granted, or only an approximate position.
  case denied = 0
  case granted = 1
  /// iOS only: forbidden by parental control or the administrator.
  case restricted = 2
  /// For photos and contacts; never sent for location.
  case limited = 3
  /// iOS: denied, or for `locationAlways` while in use. Android: only as the result of a request.
  case permanentlyDenied = 4
  /// For notifications; never sent for location.
  case provisional = 5

  public var code: String {
    switch self {
    case .denied: "denied"
    case .granted: "granted"
    case .restricted: "restricted"
    case .limited: "limited"
    case .permanentlyDenied: "permanentlyDenied"
    case .provisional: "provisional"
    }
  }
}

/// `ServiceStatus` of Flutter's permission_handler, by its index.
public enum PermissionHandlerService: UInt8, Coded {
  /// The device's location is off. In a browser it only means that there is no permission.
  case disabled = 0
  case enabled = 1
  case notApplicable = 2

  public var code: String {
    switch self {
    case .disabled: "disabled"
    case .enabled: "enabled"
    case .notApplicable: "notApplicable"
    }
  }
}

/// The values of Flutter's permission_handler.
///
/// Pitfalls: `location` alone never proves *Always*. `locationAlways` alone, permanently denied,
/// means on iOS while in use or denied. On Android `location` is the stricter of coarse and fine,
/// so an approximate grant is reported as denied: the app should also send both flags.
///
/// - Source: the library's LocationPermissionStrategy.m, PermissionManager.java,
///   PermissionUtils.java and web_delegate.dart.
public struct PermissionHandlerValues: Hashable, Sendable {
  public typealias Status = RawField<PermissionHandlerStatus>

  /// `Permission.location.status`.
  public var location: Status
  /// `Permission.locationWhenInUse.status`; the same as `location` on every system.
  public var locationWhenInUse: Status
  /// `Permission.locationAlways.status`.
  public var locationAlways: Status
  /// `Permission.location.serviceStatus`.
  public var serviceStatus: RawField<PermissionHandlerService>
  /// Android: whether `ACCESS_FINE_LOCATION` is granted.
  public var fine: RawField<Bool>
  /// Android: whether `ACCESS_COARSE_LOCATION` is granted.
  public var coarse: RawField<Bool>
  /// Android: `Build.VERSION.SDK_INT`.
  public var apiLevel: RawField<Int64>

  public init(
    location: Status = .absent, locationWhenInUse: Status = .absent,
    locationAlways: Status = .absent,
    serviceStatus: RawField<PermissionHandlerService> = .absent, fine: RawField<Bool> = .absent,
    coarse: RawField<Bool> = .absent, apiLevel: RawField<Int64> = .absent
  ) {
    self.location = location
    self.locationWhenInUse = locationWhenInUse
    self.locationAlways = locationAlways
    self.serviceStatus = serviceStatus
    self.fine = fine
    self.coarse = coarse
    self.apiLevel = apiLevel
  }

  /// For an unknown platform only what is the same on iOS and Android.
  public func reading(on platform: Platform) -> RawReading {
    switch platform {
    case .ios: permission { ios($0, $1) }.adding(services: services)
    case .android: android.adding(services: services)
    case .web: permission { foreground, _ in web(foreground) }.noting(serviceStatus)
    case .unknown: reading(on: .ios).common(with: reading(on: .android))
    }
  }

  private var services: RawField<Bool> {
    if serviceStatus == .given(.notApplicable) { return .absent }
    return serviceStatus.translated { $0 == .enabled }
  }

  /// The permission by `rule`, from the statuses for the foreground and for always.
  private func permission(
    _ rule: (_ foreground: PermissionHandlerStatus?, _ always: PermissionHandlerStatus?)
      -> RawReading
  ) -> RawReading {
    guard let foreground = location.agreeing(with: locationWhenInUse) else { return .contradictory }
    if foreground.isUnreadable || locationAlways.isUnreadable { return .unknownValue }
    let statuses = [foreground.value, locationAlways.value]
    if statuses.contains(.limited) || statuses.contains(.provisional) { return .unknownValue }
    return rule(foreground.value, locationAlways.value)
  }

  private func ios(
    _ foreground: PermissionHandlerStatus?, _ always: PermissionHandlerStatus?
  ) -> RawReading {
    switch (foreground, always) {
    case (.granted?, .granted?), (nil, .granted?): RawReading(.always)
    // After "Keep Only While Using" a check reports permanently denied, the request itself denied.
    case (.granted?, .permanentlyDenied?), (.granted?, .denied?): RawReading(.whenInUse, .settings)
    case (.granted?, nil): RawReading(.whenInUse, .settings, quality: .incomplete)
    case (.denied?, .denied?), (.denied?, nil): RawReading(.notDetermined, .prompt)
    case (.permanentlyDenied?, .permanentlyDenied?), (.permanentlyDenied?, nil):
      RawReading(.denied, .settings)
    case (.restricted?, .restricted?), (.restricted?, nil), (nil, .restricted?):
      RawReading(.restricted, .administrator)
    case (nil, .permanentlyDenied?): RawReading(.unknown, .settings, quality: .incomplete)
    case (nil, .denied?), (nil, nil): .incomplete
    default: .contradictory
    }
  }

  /// A browser has no *Always*, whatever is reported.
  private func web(_ foreground: PermissionHandlerStatus?) -> RawReading {
    switch foreground {
    case .granted?: WebPermission.granted.reading
    case .denied?: WebPermission.prompt.reading
    case .permanentlyDenied?: WebPermission.denied.reading
    case nil: .incomplete
    default: .unknownValue
    }
  }
}

extension PermissionHandlerValues {
  private var android: RawReading {
    if fine.isUnreadable || coarse.isUnreadable || apiLevel.isUnreadable { return .unknownValue }
    let level = apiLevel.value
    if let level, level < 1 { return .unknownValue }
    let hasBackground = level.map { $0 >= 29 } ?? true
    let reading = permission { foreground, always in
      if foreground == .restricted || always == .restricted { return .unknownValue }
      return hasBackground ? android(foreground, always) : oldAndroid(foreground, always)
    }
    return reading.adding(accuracy: accuracy(beside: location.agreeing(with: locationWhenInUse)))
  }

  private func android(
    _ foreground: PermissionHandlerStatus?, _ always: PermissionHandlerStatus?
  ) -> RawReading {
    let isAlways = always.map { $0 == .granted }
    switch (holdsForeground(foreground), isAlways) {
    // Android grants the background only with the foreground; it is open which one.
    case (.absent, true?): return RawReading(.always, quality: .incomplete)
    case (.absent, _): return .incomplete
    case (.unreadable, _), (.given(false), true?): return .contradictory
    case (.given(false), _): return refusal(foreground)
    case (.given(true), true?): return RawReading(.always)
    case (.given(true), false?): return RawReading(.whenInUse, .settings)
    case (.given(true), nil): return RawReading(.whenInUse, .settings, quality: .incomplete)
    }
  }

  /// Before the background permission existed, a status for always is that for coarse and fine.
  private func oldAndroid(
    _ foreground: PermissionHandlerStatus?, _ always: PermissionHandlerStatus?
  ) -> RawReading {
    if let foreground, let always, (foreground == .granted) != (always == .granted) {
      return .contradictory
    }
    let status = foreground ?? always
    return switch holdsForeground(status) {
    case .absent: .incomplete
    case .unreadable: .contradictory
    case .given(false): refusal(status)
    case .given(true): RawReading(.always)
    }
  }

  /// Neither a check nor a request in the background reports a permanent denial.
  private func refusal(_ status: PermissionHandlerStatus?) -> RawReading {
    RawReading(.denied, status == .permanentlyDenied ? .settings : .unknown)
  }

  /// `absent` if that is open, `unreadable` if the flags contradict the status.
  private func holdsForeground(_ status: PermissionHandlerStatus?) -> RawField<Bool> {
    switch (fine.value, coarse.value, status) {
    case (false?, false?, .granted?): .unreadable
    case (false?, false?, _): .given(false)
    case (true?, true?, let status?) where status != .granted: .unreadable
    case (true?, _, _), (_, true?, _), (_, _, .granted?): .given(true)
    default: .absent
    }
  }

  /// With a grant, a foreground status that is not granted means that coarse or fine is missing: it
  /// is approximate. Granted may mean only everything in the app's manifest.
  private func accuracy(beside foreground: Status?) -> RawField<LocationAccuracy> {
    if let isFine = fine.value { return .given(isFine ? .full : .reduced) }
    guard let status = foreground?.value, status != .granted else { return .absent }
    return .given(.reduced)
  }
}
