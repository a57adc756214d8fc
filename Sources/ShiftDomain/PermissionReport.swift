public enum Platform: UInt8, Coded {
  /// Not reported, or none of the others.
  case unknown = 0
  /// iOS and iPadOS.
  case ios = 1
  case android = 2
  /// A page in a browser.
  case web = 3

  public var code: String {
    switch self {
    case .unknown: "unknown"
    case .ios: "ios"
    case .android: "android"
    case .web: "web"
    }
  }
}

public struct PermissionReport: Hashable, Sendable {
  public var id: ReportID
  public var state: PermissionState
  /// Its time, by the server's clock: receipt minus the age by the phone.
  public var effectiveAt: Instant
  /// Receipt minus `sentAt`; positive when the phone's clock is behind. `nil` without a `sentAt`.
  public var skew: TimeSpan?
  /// The installation that sent it, in the order of their first receipt; 0: none, the enrolment.
  public var installation: Int32
  /// The phone's sequence number for the reports of this installation; `nil` if it keeps none.
  public var sequence: Int64?
  /// Its place among the reports of its installation: its sequence; without one, the place of the
  /// previously received report. `nil` before the first sequence.
  public var place: Int64?
  /// By the server's clock: from its effective time, but not before the preceding report.
  public var countsFrom: Instant
  /// How the app's process last ended, by the server's clock; `nil` if not reported.
  public var appExit: AppExit?

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
/// - Source: Android `ApplicationExitInfo`, API 30.
public enum AppExitCause: UInt8, Coded {
  /// Anything else, or not reported.
  case other = 0
  /// A permission was revoked (`REASON_PERMISSION_CHANGE`), whereupon Android ends the app.
  case permissionChange = 1
  /// The employee swiped the app away or forced it to stop (`REASON_USER_REQUESTED`).
  case userRequested = 2

  public var code: String {
    switch self {
    case .other: "other"
    case .permissionChange: "permission_change"
    case .userRequested: "user_requested"
    }
  }
}

public struct AppExit: Hashable, Sendable {
  public var cause: AppExitCause
  public var at: Instant

  public init(_ cause: AppExitCause, at: Instant) {
    self.cause = cause
    self.at = at
  }
}
