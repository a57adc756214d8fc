import GuardRules
import ShiftDomain

// Words for managers and operators, on pages and in guardctl. Short, and never blaming: a phone is
// silent, nobody hides. They stand within a sentence or after a colon.

extension Finding {
  /// What is wrong: `location access denied`.
  package var label: String {
    switch self {
    case .restricted: "location restricted by an administrator"
    case .servicesOff: "location switched off"
    case .denied: "location access denied"
    case .notDetermined: "location not allowed yet"
    case .unreadable: "permission unreadable"
    case .noReport: "no permission report yet"
    case .staleReport: "permission check out of date"
    case .cannotReport: "app cannot report its permission"
    case .cannotReportNoFix: "app cannot report its permission, no recent position"
    case .accuracyReduced: "approximate positions only"
    case .whenInUse: "location only while the app is open"
    case .servicesUnknown: "location switch unknown"
    case .alwaysUnproven: "background permission not proven"
    case .batteryOptimised: "battery optimisation on"
    case .backgroundRefreshOff: "background refresh off"
    case .powerSave: "power saving on"
    case .notificationsOff: "notifications off"
    case .clockWrong: "clock is wrong"
    case .mockLocation: "mock location"
    case .siteUnknown: "not known to be at a site"
    case .offSite: "off site"
    case .notPlanned: "no planned shift"
    case .tooEarly: "too early for the planned shift"
    }
  }
}

extension IncidentKind {
  /// What is wrong with the phone.
  package var label: String {
    switch self {
    case .restricted: Finding.restricted.label
    case .denied: Finding.denied.label
    case .notDetermined: Finding.notDetermined.label
    case .whenInUse: Finding.whenInUse.label
    case .servicesOff: Finding.servicesOff.label
    case .accuracyReduced: Finding.accuracyReduced.label
    case .noContact: "no contact"
    case .noFix: "no position"
    case .appTerminated: "app was closed"
    case .mockLocation: Finding.mockLocation.label
    }
  }
}

extension CoverageReason {
  /// Why time was tracked, or was not.
  package var label: String {
    switch self {
    case .tracked: "tracked"
    case .onBreak: "break"
    case .restricted: Finding.restricted.label
    case .servicesOff: Finding.servicesOff.label
    case .denied: Finding.denied.label
    case .notDetermined: Finding.notDetermined.label
    case .appTerminated: IncidentKind.appTerminated.label
    case .serviceUnavailable: "service outage"
    case .waitingFirstFix: "waiting for the first position"
    case .resuming: "resuming"
    case .noFix: IncidentKind.noFix.label
    case .noContact: IncidentKind.noContact.label
    case .mockLocation: IncidentKind.mockLocation.label
    case .lowAccuracy: "position too inaccurate"
    case .pageHidden: "page hidden"
    case .notAsked: "phone not asked to track"
    }
  }
}

extension String {
  /// The text with a capital at the start, to stand alone.
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension Channel {
  package var name: String {
    switch self {
    case .apns: "iPhone (APNs)"
    case .fcm: "Android (FCM)"
    case .webPush: "Browser (Web Push)"
    case .email: "E-mail"
    case .webhook: "Webhook"
    case .chat: "Chat webhook"
    }
  }
}

extension EscalationStep {
  /// How a notification is delivered, after “Delivered”.
  package var label: String {
    switch self {
    case .inApp: "in the open app"
    case .push: "by push"
    case .email: "by e-mail"
    case .managers: "to the managers"
    }
  }
}

extension NotificationTopic {
  /// What a notification is about; `kind`: what impaired tracking.
  package func label(_ kind: IncidentKind?) -> String {
    switch self {
    case .incident: kind?.label.capitalizedFirst ?? "Tracking interrupted"
    case .unstable: "Location keeps going off and on"
    case .restored: kind.map { "An interruption is over, left: \($0.label)" } ?? "Tracking resumed"
    case .clockOutReminder: "Clock-out reminder"
    case .endedAtLimit: "Shift ended automatically"
    case .longBreak: "Long break"
    case .clockInBlocked: "Clock-in blocked"
    case .clockActionForReview: "Offline clock action to review"
    case .shiftCorrected: "Shift corrected"
    case .shiftOpened: "Shift opened"
    case .shiftAdded: "Shift added"
    case .timesAccepted: "Times accepted"
    case .test: "Test notification"
    case .late: "Late"
    case .noShow: "No-show"
    case .weeklyDigest: "Weekly digest"
    case .arrivalBlocked: "Clock-in by arrival blocked"
    case .clockInAllowed: "Clock-in allowed by override"
    case .appTookOver: "App took over from the page"
    case .pageHidden: "Page out of view"
    case .away: "Away from site"
    case .newer: "A notification of a newer version"
    }
  }
}

extension ContactTopic {
  package var label: String {
    switch self {
    case .interruptions: "Interruptions of tracking"
    case .reviews: "Blocked clock-ins and clock actions to review"
    case .attendance: "Late employees and no-shows"
    case .away: "Employees away from every site"
    case .automaticClockOuts: "Shifts that ended automatically"
    case .weeklyDigest: "Weekly digest, on Mondays at 08:00"
    }
  }
}

extension NotificationEnding {
  /// Why a notification left the outbox.
  package var label: String {
    switch self {
    case .delivered: "delivered"
    case .restored: "not needed: the interruption had ended"
    case .shiftEnded: "not needed: the shift had ended"
    case .superseded: "replaced by a newer notification"
    case .resolved: "not needed: already resolved"
    case .notNeeded: "not needed: nothing that was told is over"
    case .expired: "expired"
    case .unreachable: "not delivered: every channel rejected it"
    case .failed: "not delivered: an internal error occurred repeatedly"
    case .breakStarted: "not needed: a break had begun"
    case .newer: "finished, for a reason that only a newer version knows"
    }
  }
}
