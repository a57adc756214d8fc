public import GuardRules
public import Guidance
public import ShiftDomain
public import ShiftStore

/// The current state of an employee, as a device may see it.
public struct Snapshot: Hashable, Sendable {
  /// The asking device.
  public var device: DeviceID
  /// The employee's name.
  public var employeeName: String
  /// The device's system.
  public var platform: Platform
  /// Its system's version, as reported.
  public var osVersion: String?
  /// Its maker and model.
  public var model: String?
  /// Its app and the app's version, as last reported.
  public var app: String?
  /// The language that the device asked for last; `nil` when it never asked for a supported one.
  public var language: Language?
  /// The decision that this device would get now.
  public var decision: Decision
  /// The override that this decision takes into account; `nil` when none makes a difference.
  public var availableOverride: OverrideRow?
  /// The device's newest report; `nil` without any.
  public var report: PermissionReport?
  /// The open shift; its `device` may be another device.
  public var shift: OpenShift?
  /// The open incidents of the tracking device.
  public var incidents: [OpenIncident]
  /// The team's settings in force.
  public var policy: Policy
  /// The policy's version.
  public var policyVersion: Int32
  /// How this device must track: as fixed at the clock-in of the open shift, else by the policy.
  public var tracking: TrackingSettings
  /// The tracking state now.
  public var trackingState: TrackingState
  /// Whether the current findings were acknowledged in the app session of the request; `nil`
  /// without a session.
  public var isAcknowledged: Bool?

  /// The override that the open shift, or the requested one, began under; `nil` without an
  /// override, and when not requested.
  public var override: OverrideRow?
  /// How far the phone's clock is off; `nil` when it is right.
  public var clock: DeviceClock?

  /// Whether this device must send positions now.
  public var isTracking: Bool {
    guard let shift else { return false }
    return shift.device == device.number && !shift.isOnBreak
  }

  /// What the device must do from now on.
  public var advice: TrackingAdvice {
    TrackingAdvice(isTracking: isTracking, settings: tracking, clock: clock)
  }
}

/// How a device must send its positions; part of every response to it.
public struct TrackingAdvice: Hashable, Sendable {
  /// Whether it must send them now.
  public var isTracking: Bool
  /// Intervals and limits.
  public var settings: TrackingSettings
  /// Its clock, when it is wrong.
  public var clock: DeviceClock?
}

/// A wrong phone clock, whose times were corrected.
public struct DeviceClock: Hashable, Sendable {
  /// The server's clock minus the phone's; `nil` without a time of sending.
  public var skew: TimeSpan?
  /// How far off it is.
  public var trust: ClockTrust

  /// `nil` when the clock is right.
  init?(recorded: [Instant?], sentAt: Instant?, receivedAt: Instant) {
    var worst: EffectiveTime?
    for recordedAt in recorded + [nil] {
      let time = effectiveTime(
        recordedAt: recordedAt ?? sentAt ?? receivedAt, sentAt: sentAt, receivedAt: receivedAt)
      if time.trust.rawValue > (worst?.trust ?? .good).rawValue { worst = time }
    }
    guard let worst else { return nil }
    (skew, trust) = (worst.skew, worst.trust)
  }
}

/// The outcome of a report.
public struct ReportOutcome: Hashable, Sendable {
  /// Where the report belongs in the history.
  public enum Disposition: UInt8, Coded {
    /// The current state of the tracking device.
    case inForce = 0
    /// Older than the report in force: history only.
    case late = 1
    /// No shift is open, or another device tracks it.
    case noted = 2
    /// Already received.
    case duplicate = 3

    /// Its code in JSON.
    public var code: String {
      switch self {
      case .inForce: "in_force"
      case .late: "late"
      case .noted: "noted"
      case .duplicate: "duplicate"
      }
    }
  }

  /// The report's id; for a duplicate, the id of the stored report.
  public var report: ReportID
  /// Where the report belongs.
  public var disposition: Disposition
  /// The state after it.
  public var snapshot: Snapshot
  /// Whether the phone must send a fix at once, because tracking was restored.
  public var wantsFixNow: Bool
  /// From the last byte of the request to COMMIT, when the report opened or worsened an incident.
  public var detection: Duration?
}

/// The outcome of an upload of reports.
public struct ReportUploadOutcome: Hashable, Sendable {
  /// The outcome of one report.
  public struct Item: Hashable, Sendable {
    /// The report's id; for a duplicate, the id of the stored report.
    public var report: ReportID
    /// Where the report belongs in the history and among the others: only the newest is not `late`.
    public var disposition: ReportOutcome.Disposition
  }

  /// One item per report, in the order sent.
  public var items: [Item]
  /// The state after them.
  public var snapshot: Snapshot
  /// Whether the phone must send a fix at once, because tracking was restored.
  public var wantsFixNow: Bool
  /// From the last byte of the request to COMMIT, when the newest opened or worsened an incident.
  public var detection: Duration?
}

/// The outcome of a clock-in.
public enum ClockInOutcome: Hashable, Sendable {
  /// 201: clocked in.
  case clockedIn(ShiftID, Decision)
  /// 200: a shift is already open on this device.
  case alreadyOpen(ShiftID)
  /// 409: a shift is open on another device.
  case openElsewhere(ShiftID)
  /// 409: the rules block it.
  case blocked(Decision)
  /// 409: it would overlap a shift that has ended.
  case overlaps
  /// 202: made offline, and kept for review.
  case kept(KeptAction)
}

/// A clock action that is kept for review.
public struct KeptAction: Hashable, Sendable {
  /// Its number within the employee; 0 for one stored before numbering.
  public var clockAction: Int32
  /// Why it is kept.
  public var reason: KeptReason
  /// The result of the review; `nil` while it is pending.
  public var review: ReviewDecision?
  /// The shift opened by the review, or the conflicting shift.
  public var shift: ShiftID?

  /// `nil` when the clock action was answered at once.
  init?(_ record: ClockActionRecord) {
    guard let reason = record.kept else { return nil }
    clockAction = record.number ?? 0
    self.reason = reason
    review = record.reviewDecision
    shift = (record.reviewedShift ?? record.shift).map {
      ShiftID(employee: record.device.employee, number: $0)
    }
  }
}

/// The outcome of a clock action that the guard never blocks: clock-out, break start, break end,
/// take-over.
public enum ClockActionOutcome: Hashable, Sendable {
  /// 200: done, or already so before.
  case done(ShiftID)
  /// 409: there is no open shift.
  case noOpenShift
  /// 409: the end is before the start of the shift.
  case endsBeforeStart(ShiftID)
  /// 409: there is no break to end.
  case notOnBreak(ShiftID)
  /// 409: its time is before a recorded clock action.
  case outOfOrder(ShiftID)
  /// 202: made offline, and kept for review.
  case kept(KeptAction)
}

/// A freshly enrolled device.
public struct Enrolment: Hashable, Sendable {
  /// The device.
  public var device: DeviceID
  /// Its bearer token, shown only here: `sg_<employee>_<device>_<secret>`.
  public var token: String
  /// The privacy notice; `nil`: none has been written yet.
  public var privacyNotice: PrivacyNotice?
}
