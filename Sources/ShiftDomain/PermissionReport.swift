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

  /// A report.
  public init(
    id: ReportID, state: PermissionState, effectiveAt: Instant, skew: TimeSpan? = nil,
    sequence: Int64? = nil
  ) {
    self.id = id
    self.state = state
    self.effectiveAt = effectiveAt
    self.skew = skew
    self.sequence = sequence
  }
}
