public import Guidance
public import ShiftDomain

/// A permission report as a device sends it; times are the phone's.
public struct IncomingReport: Hashable, Sendable {
  /// What held.
  public var state: PermissionState
  /// When it held; `nil`: when it was sent or, with a tap made offline, at the tap.
  public var recordedAt: Instant?
  /// The phone's running number for reports, 0 or more.
  public var sequence: Int64?
  /// What made the phone report (`foreground`, `change`, `launch`, …), in its own word; up to 50
  /// characters, no U+0000.
  public var trigger: String?
  /// Whose raw values these were, with the version; `nil`: canonical. Up to 50 characters.
  public var source: String?
  /// How the app's process ended the last time, and when; `nil` when not told.
  public var lastExit: AppExit?
  /// What the device says that it is.
  public var device: ReportedDevice

  /// A report of which only what is named is known.
  public init(
    state: PermissionState, recordedAt: Instant? = nil, sequence: Int64? = nil,
    trigger: String? = nil, source: String? = nil, lastExit: AppExit? = nil,
    device: ReportedDevice = ReportedDevice()
  ) {
    self.state = state
    self.recordedAt = recordedAt
    self.sequence = sequence
    self.trigger = trigger
    self.source = source
    self.lastExit = lastExit
    self.device = device
  }
}

/// What a device says that it is; what it leaves out stays as it was.
public struct ReportedDevice: Hashable, Sendable {
  /// Its system's version in its own words; up to 50 characters, no U+0000.
  public var osVersion: String?
  /// Its system's version as its raw values say, which are less exact.
  public var rawVersion: String?
  /// Its maker and model; up to 100 characters, no U+0000.
  public var model: String?
  /// Its app and the app's version; up to 100 characters, no U+0000.
  public var app: String?

  /// A device of which only what is named is known.
  public init(
    osVersion: String? = nil, rawVersion: String? = nil, model: String? = nil, app: String? = nil
  ) {
    self.osVersion = osVersion
    self.rawVersion = rawVersion
    self.model = model
    self.app = app
  }
}

/// A ping as a device sends it, already validated; times are the phone's.
public struct IncomingPing: Hashable, Sendable {
  /// When it was recorded.
  public var recordedAt: Instant
  /// The position; `nil` for a sign of life.
  public var fix: Fix?
  /// Whether the phone says that it has not moved.
  public var isStationary: Bool
  /// Whether another app made the position up.
  public var isMock: Bool
  /// Whether the app's page went out of view.
  public var isHidden: Bool
  /// The rest that the phone announces; `nil`: it does not.
  public var rest: Rest?
  /// Charge in percent, 0…100.
  public var batteryPercent: Int?

  /// A phone that does not move and will be suspended.
  public struct Rest: Hashable, Sendable {
    /// Until when, by its clock; `nil`: as long as the shift allows.
    public var until: Instant?

    /// A rest.
    public init(until: Instant? = nil) { self.until = until }
  }

  /// A ping.
  public init(
    recordedAt: Instant, fix: Fix?, isStationary: Bool = false, isMock: Bool = false,
    isHidden: Bool = false, rest: Rest? = nil, batteryPercent: Int? = nil
  ) {
    self.recordedAt = recordedAt
    self.fix = fix
    self.isStationary = isStationary
    self.isMock = isMock
    self.isHidden = isHidden
    self.rest = rest
    self.batteryPercent = batteryPercent
  }
}

/// One tap: on clock-in, clock-out, a break's beginning or end, or take-over.
public struct Tap: Hashable, Sendable {
  /// The tap's id, chosen by the phone: 1…64 characters, no U+0000. A repeat of the same tap gets
  /// the same answer.
  public var attemptID: String
  /// SHA-256 over the body without `sentAt`, which every sending stamps anew.
  public var bodyHash: [UInt8]
  /// The phone's clock at the tap, when it was made offline; `nil`: now.
  public var occurredAt: Instant?
  /// The phone's clock at sending.
  public var sentAt: Instant?
  /// The id of the app's installation, 1…64 characters, no U+0000; `nil`: the enrolment is it.
  public var installation: String?
  /// The report to judge it on; `nil`: the newest one held.
  public var report: IncomingReport?
  /// Where the phone was; read at clock-in and clock-out, and left alone when it was over a minute
  /// old at the tap.
  public var fix: IncomingPing?
  /// Why the employee begins although the guard says no, where the policy leaves that to them;
  /// 1…500 characters, no U+0000.
  public var overrideReason: String?
  /// The language that the request asks for; `nil` when it names none that has texts.
  public var language: Language?

  /// A tap.
  public init(
    attemptID: String, bodyHash: [UInt8], occurredAt: Instant? = nil, sentAt: Instant? = nil,
    installation: String? = nil, report: IncomingReport? = nil, fix: IncomingPing? = nil,
    overrideReason: String? = nil, language: Language? = nil
  ) {
    self.attemptID = attemptID
    self.bodyHash = bodyHash
    self.occurredAt = occurredAt
    self.sentAt = sentAt
    self.installation = installation
    self.report = report
    self.fix = fix
    self.overrideReason = overrideReason
    self.language = language
  }
}

/// A phone that wants to be enrolled.
public struct NewDevice: Hashable, Sendable {
  /// Its system.
  public var platform: Platform
  /// Its system's version in its own words; up to 50 characters, no U+0000.
  public var osVersion: String?
  /// Its maker and model; up to 100 characters, no U+0000.
  public var model: String?
  /// Whether its app can report permissions at all.
  public var canReport: Bool
  /// The language that it asks for; `nil` when it names none that has texts.
  public var language: Language?

  /// A phone.
  public init(
    platform: Platform, osVersion: String? = nil, model: String? = nil, canReport: Bool = true,
    language: Language? = nil
  ) {
    self.platform = platform
    self.osVersion = osVersion
    self.model = model
    self.canReport = canReport
    self.language = language
  }
}
