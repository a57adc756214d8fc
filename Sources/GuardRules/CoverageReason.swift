public import ShiftDomain

/// Why an instant of a shift was tracked, or was not. Raw values are stored; append-only.
public enum CoverageReason: UInt8, Coded {
  /// A fix, or a sign of life at rest, proves the position.
  case tracked = 0
  case onBreak = 1
  /// Location was forbidden by an administrator.
  case restricted = 2
  case servicesOff = 3
  case denied = 4
  /// The app had not asked, or *Allow Once* had expired.
  case notDetermined = 5
  // 6 and 7 were reduced accuracy and while-in-use, which are now only probable causes.
  case appTerminated = 8
  /// Our own outage; never counted against anybody.
  case serviceUnavailable = 9
  /// Tracking had just begun.
  case waitingFirstFix = 10
  case resuming = 11
  /// The phone had contact but sent no position.
  case noFix = 12
  case noContact = 13
  case mockLocation = 14
  /// The newest position was less accurate than the policy requires.
  case lowAccuracy = 15
  case pageHidden = 16
  /// No phone had been asked to track; never counted against anybody.
  case notAsked = 17

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

  /// Whether the phone or its position was missing, so that a cause can only be probable.
  var isSilence: Bool { self == .noContact || self == .noFix }
}

public struct CoverageSegment: Hashable, Sendable {
  public var interval: Interval
  public var reason: CoverageReason
  /// Tracked, but with while-in-use permission or reduced accuracy.
  public var isAtRisk: Bool
  public var likely: Finding?
  public var isInferred: Bool

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
