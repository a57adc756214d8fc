import GuardRules
import Guidance
import PhoneProtocols
import ReadModels
import ShiftDomain

/// A permission report as a device sends it; times are the phone's.
package struct IncomingReport: Hashable, Sendable {
  package var permission: ReportedPermission
  /// The time of the state; `nil`: the time of sending or, with an offline clock action, its time.
  package var recordedAt: Instant?
  /// The phone's sequence number of reports, 0 or more.
  package var sequence: Int64?
  /// What made the phone report (`foreground`, `change`, `launch`, …), as sent; up to 50
  /// characters, no U+0000.
  package var trigger: String?
  /// The source of the raw values, with its version; `nil`: canonical. Up to 50 characters.
  package var source: String?
  /// The raw values as JSON, for support; up to 1,000 characters. `nil`: none were sent.
  package var raw: String?
  /// How and when the app's process last ended; `nil` when not reported.
  package var lastExit: AppExit?
  package var device: ReportedDevice

  package init(
    _ permission: ReportedPermission, recordedAt: Instant? = nil, sequence: Int64? = nil,
    trigger: String? = nil, source: String? = nil, raw: String? = nil,
    lastExit: AppExit? = nil, device: ReportedDevice = ReportedDevice()
  ) {
    self.permission = permission
    self.recordedAt = recordedAt
    self.sequence = sequence
    self.trigger = trigger
    self.source = source
    self.raw = raw
    self.lastExit = lastExit
    self.device = device
  }
}

/// A permission as a device sends it.
package enum ReportedPermission: Hashable, Sendable {
  /// In our own codes.
  case state(PermissionState)
  /// In the raw values of a platform, a library or an app, with the platform that the app states.
  /// What they mean may depend on the device.
  case raw(PhonePermission, platform: RawField<Platform> = .absent, DeviceConditions)

  /// What it means on `device`. What is unknown is never a grant.
  func state(on device: DeviceDescription) -> PermissionState {
    switch self {
    case .state(let state): return state
    case .raw(let permission, let stated, let conditions):
      var state = permission.values(osMajor: device.osMajor)
        .reading(on: device.platform, given: stated).state
      state.conditions = conditions
      return state
    }
  }
}

/// A device's description of itself; omitted fields stay as they were.
package struct ReportedDevice: Hashable, Sendable {
  /// Its system's version, as reported; up to 50 characters, no U+0000.
  package var osVersion: String?
  /// Its system's version from its raw values, which are less exact.
  package var rawVersion: String?
  /// Its maker and model; up to 100 characters, no U+0000.
  package var model: String?
  /// Its app and the app's version; up to 100 characters, no U+0000.
  package var app: String?
  /// The app's name, as its phone shows it; 1…30 characters without control characters.
  package var appName: String?

  package init(
    osVersion: String? = nil, rawVersion: String? = nil, model: String? = nil, app: String? = nil,
    appName: String? = nil
  ) {
    self.osVersion = osVersion
    self.rawVersion = rawVersion
    self.model = model
    self.app = app
    self.appName = appName
  }
}

/// A ping as a device sends it, already validated; times are the phone's.
package struct IncomingPing: Hashable, Sendable {
  package var recordedAt: Instant
  /// When its message was made, if that says so itself besides `sentAt`.
  package var writtenAt: Instant?
  /// The position; `nil` for a sign of life.
  package var fix: Fix?
  package var isStationary: Bool
  package var isMock: Bool
  /// Whether the app's page went into the background.
  package var isHidden: Bool
  /// The rest that the phone announces; `nil`: it does not.
  package var rest: Rest?
  /// Charge in percent, 0…100.
  package var batteryPercent: Int?

  /// A phone that does not move and will be suspended.
  package struct Rest: Hashable, Sendable {
    /// Until when, by its clock; `nil`: as long as the shift allows.
    package var until: Instant?

    package init(until: Instant? = nil) { self.until = until }
  }

  package init(
    recordedAt: Instant, writtenAt: Instant? = nil, fix: Fix?, isStationary: Bool = false,
    isMock: Bool = false, isHidden: Bool = false, rest: Rest? = nil, batteryPercent: Int? = nil
  ) {
    self.recordedAt = recordedAt
    self.writtenAt = writtenAt
    self.fix = fix
    self.isStationary = isStationary
    self.isMock = isMock
    self.isHidden = isHidden
    self.rest = rest
    self.batteryPercent = batteryPercent
  }
}

/// A clock action: clock-in, clock-out, break start, break end or take-over.
package struct ClockAction: Hashable, Sendable {
  /// The id of the clock action, chosen by the phone: 1…64 characters, no U+0000. A repeat gets the
  /// same answer.
  package var actionID: String
  /// SHA-256 over the body without `sentAt`, which every attempt to send changes.
  package var bodyHash: [UInt8]
  /// The phone's clock at the clock action, if it was made offline; `nil`: now.
  package var occurredAt: Instant?
  /// The phone's clock at sending.
  package var sentAt: Instant?
  /// The id of the app's installation, 1…64 characters, no U+0000; `nil`: the enrolment counts as
  /// the installation.
  package var installation: String?
  /// The report for the decision; `nil`: the newest stored report.
  package var report: IncomingReport?
  /// What the phone decided about its clock-in; ignored in other clock actions.
  package var localDecision: LocalDecision?
  /// The phone's position; used at clock-in and clock-out, and ignored if it was over a minute old
  /// at the clock action.
  package var fix: IncomingPing?
  /// Why the employee clocks in in spite of a block, if the policy allows that; 1…500 characters,
  /// no U+0000.
  package var overrideReason: String?
  /// The requested language; `nil` when none of those requested is supported.
  package var language: Language?
  /// Whether the phone made it by itself, by crossing the border of a region: nobody sees the
  /// answer.
  package var isByCrossing: Bool

  package init(
    actionID: String, bodyHash: [UInt8], occurredAt: Instant? = nil, sentAt: Instant? = nil,
    installation: String? = nil, report: IncomingReport? = nil,
    localDecision: LocalDecision? = nil, fix: IncomingPing? = nil, overrideReason: String? = nil,
    language: Language? = nil, isByCrossing: Bool = false
  ) {
    self.actionID = actionID
    self.bodyHash = bodyHash
    self.occurredAt = occurredAt
    self.sentAt = sentAt
    self.installation = installation
    self.report = report
    self.localDecision = localDecision
    self.fix = fix
    self.overrideReason = overrideReason
    self.language = language
    self.isByCrossing = isByCrossing
  }
}

package struct NewDevice: Hashable, Sendable {
  package var platform: Platform
  /// Its system's version, as reported; up to 50 characters, no U+0000.
  package var osVersion: String?
  /// Its maker and model; up to 100 characters, no U+0000.
  package var model: String?
  /// Whether its app can report permissions at all.
  package var canReport: Bool
  /// The requested language; `nil` when none of those requested is supported.
  package var language: Language?

  package init(
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
