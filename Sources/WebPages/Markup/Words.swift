import GuardRules
import ShiftDomain

// The words of the pages. Short, and never blaming: a phone is silent, nobody hides.

extension IncidentKind {
  /// What is wrong with the phone.
  var name: HTML {
    switch self {
    case .restricted: "Location restricted by an administrator"
    case .denied: "Location access denied"
    case .notDetermined: "Location not allowed yet"
    case .whenInUse: "Location only while the app is open"
    case .servicesOff: "Location switched off"
    case .accuracyReduced: "Approximate positions only"
    case .noContact: "No contact"
    case .noFix: "No position"
    case .appTerminated: "App was closed"
    case .mockLocation: "Mock location"
    }
  }
}

extension Finding {
  /// What is wrong; stands within a sentence.
  var name: HTML {
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
    }
  }
}

extension CoverageReason {
  /// Why the time was tracked or not.
  var name: HTML {
    switch self {
    case .tracked: "Tracked"
    case .onBreak: "Break"
    case .restricted: "Location restricted by an administrator"
    case .servicesOff: "Location switched off"
    case .denied: "Location access denied"
    case .notDetermined: "Location not allowed yet"
    case .appTerminated: "App was closed"
    case .serviceUnavailable: "Service outage"
    case .waitingFirstFix: "Waiting for the first position"
    case .resuming: "Resuming"
    case .noFix: "No position"
    case .noContact: "No contact"
    case .mockLocation: "Mock location"
    case .lowAccuracy: "Position too inaccurate"
    case .pageHidden: "Page hidden"
    case .notAsked: "Phone not asked to track"
    }
  }
}

extension [HTML] {
  func joined(by separator: HTML) -> HTML {
    var joined = HTML()
    for (index, piece) in enumerated() {
      if index > 0 { joined.append(separator) }
      joined.append(piece)
    }
    return joined
  }
}
