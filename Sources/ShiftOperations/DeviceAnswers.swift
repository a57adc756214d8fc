public import GuardRules
public import Guidance
public import ShiftDomain
public import ShiftStore

/// What a device may know of its employee's present.
public struct Snapshot: Hashable, Sendable {
  /// The asking device.
  public var device: DeviceID
  /// The employee's name.
  public var employeeName: String
  /// The device's system.
  public var platform: Platform
  /// Its system's version, in its own words.
  public var osVersion: String?
  /// Its maker and model.
  public var model: String?
  /// Its app and the app's version, as it reported them last.
  public var app: String?
  /// The language that the device asked for last; `nil` when it never named one that has texts.
  public var language: Language?
  /// What the guard would answer this device now.
  public var decision: Decision
  /// The override that this decision takes into account; `nil` when none makes a difference.
  public var leave: OverrideRow?
  /// The device's newest report; `nil` when it never reported.
  public var report: PermissionReport?
  /// The open shift; its `device` may be another than the asking one.
  public var shift: OpenShift?
  /// The open incidents of the tracking device.
  public var incidents: [OpenIncident]
  /// The team's settings in force.
  public var policy: Policy
  /// Their version.
  public var policyVersion: Int32
  /// How this device is to track: as fixed at the clock-in of the open shift, else by the policy.
  public var tracking: TrackingSettings
  /// Whether the employee can be tracked now.
  public var trackingState: TrackingState
  /// Whether what the guard says was acknowledged in the app session that was asked about; `nil`
  /// when none was.
  public var isAcknowledged: Bool?

  /// What the open shift began under, or the one that was asked for; `nil` without an override,
  /// and where it was not asked for.
  public var override: OverrideRow?
  /// How far the phone's clock is off; `nil` when it can be believed.
  public var clock: PhoneClock?

  /// Whether this device is to send its positions now.
  public var isTracking: Bool {
    guard let shift else { return false }
    return shift.device == device.number && !shift.isOnBreak
  }

  /// What the device is to do from now on.
  public var advice: TrackingAdvice {
    TrackingAdvice(isTracking: isTracking, settings: tracking, clock: clock)
  }
}

/// How a device is to send its positions: what every answer to it ends with.
public struct TrackingAdvice: Hashable, Sendable {
  /// Whether it is to send them now.
  public var isTracking: Bool
  /// How.
  public var settings: TrackingSettings
  /// Its clock, when that cannot be believed.
  public var clock: PhoneClock?
}

/// A phone's clock that cannot be believed: what it dated was corrected.
public struct PhoneClock: Hashable, Sendable {
  /// Our clock minus the phone's; `nil` when it did not tell the time of sending.
  public var skew: TimeSpan?
  /// How far off it is.
  public var trust: ClockTrust

  /// `nil` when the clock can be believed.
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

/// What became of a report.
public struct ReportOutcome: Hashable, Sendable {
  /// The report's place among what was known.
  public enum Disposition: UInt8, Coded {
    /// It is the tracking device's present.
    case inForce = 0
    /// Older than the one in force: history only.
    case late = 1
    /// No shift is open, or another device tracks it.
    case noted = 2
    /// It had been received before.
    case duplicate = 3

    /// Its word in JSON.
    public var code: String {
      switch self {
      case .inForce: "in_force"
      case .late: "late"
      case .noted: "noted"
      case .duplicate: "duplicate"
      }
    }
  }

  /// The report's id; of the one held before, for a duplicate.
  public var report: ReportID
  /// Its place.
  public var disposition: Disposition
  /// The present after it.
  public var snapshot: Snapshot
  /// Whether the phone is to send a fix at once: something was restored.
  public var wantsFixNow: Bool
  /// From the last byte of the request to COMMIT, when the report opened or worsened an incident.
  public var detection: Duration?
}

/// What became of an upload of reports.
public struct ReportUploadOutcome: Hashable, Sendable {
  /// What became of one of them.
  public struct Item: Hashable, Sendable {
    /// The report's id; of the one held before, for a duplicate.
    public var report: ReportID
    /// Its place among what was known, and among the others: only the newest is not `late`.
    public var disposition: ReportOutcome.Disposition
  }

  /// One a report, in the order sent.
  public var items: [Item]
  /// The present after them.
  public var snapshot: Snapshot
  /// Whether the phone is to send a fix at once: something was restored.
  public var wantsFixNow: Bool
  /// From the last byte of the request to COMMIT, when the newest opened or worsened an incident.
  public var detection: Duration?
}

/// What became of a clock-in.
public enum ClockInOutcome: Hashable, Sendable {
  /// 201: work began.
  case clockedIn(ShiftID, Decision)
  /// 200: a shift is open on this device already.
  case alreadyOpen(ShiftID)
  /// 409: a shift is open on another device.
  case openElsewhere(ShiftID)
  /// 409: the rules refuse.
  case blocked(Decision)
  /// 409: it would overlap a shift that has ended.
  case overlaps
  /// 202: made offline, and kept for review.
  case kept(KeptAction)
}

/// A clock action that is kept for review.
public struct KeptAction: Hashable, Sendable {
  /// Its number within the employee; 0 for one from before they were numbered.
  public var attempt: Int32
  /// Why it is kept.
  public var reason: KeptReason
  /// What became of the review; `nil` while it is pending.
  public var review: Settlement?
  /// The shift opened by the review, or the one in the way.
  public var shift: ShiftID?

  /// `nil` when the tap was answered at once.
  init?(_ record: AttemptRecord) {
    guard let reason = record.kept else { return nil }
    attempt = record.number ?? 0
    self.reason = reason
    review = record.settlement
    shift = (record.settledShift ?? record.shift).map {
      ShiftID(employee: record.device.employee, number: $0)
    }
  }
}

/// What became of a tap that the guard never refuses: clock-out, a break's beginning or end,
/// take-over.
public enum WorkOutcome: Hashable, Sendable {
  /// 200: it is as tapped, perhaps it was already.
  case done(ShiftID)
  /// 409: there is no open shift.
  case noOpenShift
  /// 409: the end lies before the shift's beginning.
  case endsBeforeStart(ShiftID)
  /// 409: there is no break to end.
  case notOnBreak(ShiftID)
  /// 409: it lies before what happened already.
  case outOfOrder(ShiftID)
  /// 202: made offline, and kept for review.
  case kept(KeptAction)
}

/// A freshly enrolled device.
public struct Enrolment: Hashable, Sendable {
  /// The device.
  public var device: DeviceID
  /// Its bearer token, shown this once: `sg_<employee>_<device>_<secret>`.
  public var token: String
  /// What the employee is told of what is kept of them; `nil`: nothing was written yet.
  public var notice: PrivacyNotice?
}
