public import ShiftDomain

/// Why an instant of a shift was tracked, or was not. Raw values are stored; append-only.
public enum CoverageReason: UInt8, Coded {
  /// A fix, or a sign of life at rest, proves the position.
  case tracked = 0
  /// The employee was on a break.
  case onBreak = 1
  /// Location was forbidden by an administrator.
  case restricted = 2
  /// Location services were off.
  case servicesOff = 3
  /// The employee had refused location.
  case denied = 4
  /// The app had not asked, or *Allow Once* had run out.
  case notDetermined = 5
  // 6 and 7 were reduced accuracy and while-in-use: they only make a cause probable.
  /// The app had been ended.
  case appTerminated = 8
  /// Our own outage; counts against nobody.
  case serviceUnavailable = 9
  /// Tracking had only just begun.
  case waitingFirstFix = 10
  /// The permission had only just come back.
  case resuming = 11
  /// The phone spoke but sent no position.
  case noFix = 12
  /// Nothing was heard of the phone.
  case noContact = 13
  /// The newest position was made up by another app.
  case mockLocation = 14
  /// The newest position was less accurate than the policy asks for.
  case lowAccuracy = 15
  /// The page in the browser was out of view.
  case pageHidden = 16
  /// No phone had been asked to track; counts against nobody.
  case notAsked = 17

  /// Its word in JSON.
  public var code: String {
    switch self {
    case .tracked: "tracked"
    case .onBreak: "on_break"
    case .restricted: "restricted"
    case .servicesOff: "services_off"
    case .denied: "denied"
    case .notDetermined: "not_determined"
    case .appTerminated: "app_terminated"
    case .serviceUnavailable: "service_unavailable"
    case .waitingFirstFix: "waiting_first_fix"
    case .resuming: "resuming"
    case .noFix: "no_fix"
    case .noContact: "no_contact"
    case .mockLocation: "mock_location"
    case .lowAccuracy: "low_accuracy"
    case .pageHidden: "page_hidden"
    case .notAsked: "not_asked"
    }
  }

  /// Whether the phone, or its position, was simply missing, so that a cause can only be probable.
  var isSilence: Bool { self == .noContact || self == .noFix }
}

/// A stretch of a shift with one reason.
public struct CoverageSegment: Hashable, Sendable {
  /// Its time.
  public var interval: Interval
  /// Its reason.
  public var reason: CoverageReason
  /// Tracked, but under while-in-use or reduced accuracy.
  public var isAtRisk: Bool
  /// The probable cause of a silence; `nil` without one.
  public var likely: Finding?
  /// Whether the reason was concluded from later evidence.
  public var isInferred: Bool

  /// `reason` during `interval`.
  public init(
    interval: Interval, reason: CoverageReason, isAtRisk: Bool, likely: Finding? = nil,
    isInferred: Bool = false
  ) {
    self.interval = interval
    self.reason = reason
    self.isAtRisk = isAtRisk
    self.likely = likely
    self.isInferred = isInferred
  }
}
