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
  /// The installation of the app that sent it, among the device's in the order of their first
  /// receipt; 0 is the enrolment, for an app that names none.
  public var installation: Int32
  /// The phone's running number for the reports of this installation; `nil` when it keeps none.
  public var sequence: Int64?
  /// Its place among the reports of its installation: its sequence; without one, the place of the
  /// report received before it. `nil` before the first sequence.
  public var place: Int64?
  /// From when it counts, by the server's clock: from its effective time, but not from before the
  /// report preceding it.
  public var countsFrom: Instant
  /// How the app's process ended the last time, by the server's clock; `nil` when not told.
  public var appExit: AppExit?

  /// A report; by default one that no other precedes.
  public init(
    id: ReportID, state: PermissionState, effectiveAt: Instant, skew: TimeSpan? = nil,
    installation: Int32 = 0, sequence: Int64? = nil, place: Int64? = nil,
    countsFrom: Instant? = nil, appExit: AppExit? = nil
  ) {
    self.id = id
    self.state = state
    self.effectiveAt = effectiveAt
    self.skew = skew
    self.installation = installation
    self.sequence = sequence
    self.place = place ?? sequence
    self.countsFrom = countsFrom ?? effectiveAt
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
