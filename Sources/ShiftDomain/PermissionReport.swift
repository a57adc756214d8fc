/// The system a device runs.
public enum Platform: UInt8, Coded {
  /// Not told, or none of the others.
  case unknown = 0
  /// iOS and iPadOS.
  case ios = 1
  /// Android.
  case android = 2
  /// A page in a browser.
  case web = 3

  /// Its word in JSON and SQL.
  public var code: String {
    switch self {
    case .unknown: "unknown"
    case .ios: "ios"
    case .android: "android"
    case .web: "web"
    }
  }
}

/// A permission state with the time at which it held.
public struct PermissionReport: Hashable, Sendable {
  /// The report's id, unique within the employee.
  public var id: ReportID
  /// What held.
  public var state: PermissionState
  /// Since when, by the server's clock: receipt minus the age that the phone gave.
  public var effectiveAt: Instant
  /// Receipt minus the phone's `sentAt`; positive when the phone's clock is behind. `nil` when the
  /// phone told no `sentAt`.
  public var skew: TimeSpan?
  /// The phone's running number for its reports; `nil` when it keeps none.
  public var sequence: Int64?
  /// How the app's process ended the last time, by the server's clock; `nil` when not told.
  public var appExit: AppExit?

  /// A report.
  public init(
    id: ReportID, state: PermissionState, effectiveAt: Instant, skew: TimeSpan? = nil,
    sequence: Int64? = nil, appExit: AppExit? = nil
  ) {
    self.id = id
    self.state = state
    self.effectiveAt = effectiveAt
    self.skew = skew
    self.sequence = sequence
    self.appExit = appExit
  }
}

/// Why the system ended the app's process.
///
/// - Source: Android `ApplicationExitInfo`, API 30.
public enum AppExitCause: UInt8, Coded {
  /// Anything else, or not told.
  case other = 0
  /// A permission was taken away (`REASON_PERMISSION_CHANGE`), and Android ends the app then.
  case permissionChange = 1
  /// The employee swiped the app away or forced it to stop (`REASON_USER_REQUESTED`).
  case userRequested = 2

  /// Its word in JSON and SQL.
  public var code: String {
    switch self {
    case .other: "other"
    case .permissionChange: "permission_change"
    case .userRequested: "user_requested"
    }
  }
}

/// The end of the app's process before the one that reports.
public struct AppExit: Hashable, Sendable {
  /// Why.
  public var cause: AppExitCause
  /// When.
  public var at: Instant

  /// An end.
  public init(_ cause: AppExitCause, at: Instant) {
    self.cause = cause
    self.at = at
  }
}
