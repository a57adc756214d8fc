import GuardRules
import ShiftDomain

/// A device with its newest report and its last contacts.
package struct DeviceRow: Hashable, Sendable {
  package var device: DeviceID
  /// Its system.
  package var platform: Platform
  /// Its system's version, as reported.
  package var osVersion: String?
  /// Its maker and model.
  package var model: String?
  /// Whether its app can report permissions.
  package var canReport: Bool
  /// When it was enrolled.
  package var enrolledAt: Instant
  /// When it was revoked; `nil` while it is allowed.
  package var revokedAt: Instant?
  /// Its newest report.
  package var newestReport: PermissionReport?
  /// The reports before it, in any order, that say what it leaves unknown and were fresh then.
  package var earlierReports: [ReceivedReport] = []
  /// Its last contact.
  package var lastContactAt: Instant?
  /// Its last fix.
  package var lastFixAt: Instant?
  /// The code of the language that it asked for last, among the supported ones; `nil` if it never
  /// asked for one.
  package var language: String?
  /// Its app and the app's version, as last reported.
  package var app: String?
  /// The app's name, as its phone shows it; up to 30 characters, `nil` if it was never reported.
  package var appName: String?
  /// The id of its newest installation that has one; `nil` before the first.
  package var installation: String?
  /// The number of its newest installation; 0: the enrolment.
  package var installationNumber: Int32
  /// The store app that it was set up for; `nil`: an app of ours.
  package var phoneApp: PhoneApp?
  /// Whether it is a page out of view, by its newest sign of life.
  package var isHidden: Bool
  /// When the employee arrived in a region of shifts, while that waits for a report of the
  /// permission; the phone's time. `nil`: nothing waits.
  package var arrivedAt: Instant?
  /// While an arrival waits, and in a shift that began by one.
  package var presence: RegionPresence

  package init(
    device: DeviceID, platform: Platform, osVersion: String? = nil, model: String? = nil,
    canReport: Bool, enrolledAt: Instant, revokedAt: Instant? = nil,
    newestReport: PermissionReport? = nil, lastContactAt: Instant? = nil, lastFixAt: Instant? = nil,
    language: String? = nil, app: String? = nil, appName: String? = nil,
    installation: String? = nil, installationNumber: Int32, phoneApp: PhoneApp? = nil,
    isHidden: Bool = false, arrivedAt: Instant? = nil,
    presence: RegionPresence = RegionPresence()
  ) {
    self.device = device
    self.platform = platform
    self.osVersion = osVersion
    self.model = model
    self.canReport = canReport
    self.enrolledAt = enrolledAt
    self.revokedAt = revokedAt
    self.newestReport = newestReport
    self.lastContactAt = lastContactAt
    self.lastFixAt = lastFixAt
    self.language = language
    self.app = app
    self.appName = appName
    self.installation = installation
    self.installationNumber = installationNumber
    self.phoneApp = phoneApp
    self.isHidden = isHidden
    self.arrivedAt = arrivedAt
    self.presence = presence
  }
}

extension DeviceRow {
  /// What it reported last, in any order.
  package var lastReports: [ReceivedReport] {
    let newest = newestReport.map {
      ReceivedReport($0, from: device.number, receivedAt: Instant(milliseconds: .max))
    }
    return earlierReports + [newest].compactMap(\.self)
  }

  /// Takes its next report.
  package mutating func take(_ report: PermissionReport) {
    earlierReports = lastReports
    newestReport = report
  }

  /// What a decision at `now` needs to know about the device.
  package func evidence(at now: Instant, under policy: Policy) -> Evidence {
    // An app that cannot report may still have told how it ended.
    if let newestReport, canReport || newestReport.state.authorization != .unknown {
      return .report(newestReport, platform).completed(by: lastReports, under: policy, at: now)
    }
    return canReport ? .noReport : .cannotReport(lastFixAt: lastFixAt)
  }
}

/// Another device of the employee that tracks the open shift.
package struct Tracker: Hashable, Sendable {
  /// The app from a store on it; `nil` for an app of ours, and when it is revoked.
  package var phoneApp: PhoneApp?
  /// Whether it is revoked, so that nothing tracks the shift any more.
  package var isRevoked: Bool

  package init(phoneApp: PhoneApp?, isRevoked: Bool) {
    (self.phoneApp, self.isRevoked) = (phoneApp, isRevoked)
  }
}
