import GuardRules
import ShiftDomain

// What the office calls things. Short, and never blaming: a phone is silent, nobody hides.

extension IncidentKind {
  /// What is the matter with the phone.
  var name: HTML {
    switch self {
    case .restricted: "Location forbidden by an administrator"
    case .denied: "Location access denied"
    case .notDetermined: "Location never allowed"
    case .whenInUse: "Location only while the app is open"
    case .servicesOff: "Location switched off"
    case .accuracyReduced: "Approximate positions only"
    case .noContact: "No contact"
    case .noFix: "No position"
    case .appTerminated: "App was closed"
    case .mockLocation: "Made-up positions"
    }
  }
}

extension Finding {
  /// What stands in the way.
  var name: HTML {
    switch self {
    case .restricted: "location forbidden by an administrator"
    case .servicesOff: "location switched off"
    case .denied: "location access denied"
    case .notDetermined: "location never allowed"
    case .unreadable: "permission unreadable"
    case .noReport: "no permission report yet"
    case .staleReport: "permission last told too long ago"
    case .cannotReport: "app cannot tell its permission"
    case .cannotReportNoFix: "app cannot tell its permission, no recent position"
    case .accuracyReduced: "approximate positions only"
    case .whenInUse: "location only while the app is open"
    case .servicesUnknown: "location switch unknown"
    case .alwaysUnproven: "permission not proven in the background"
    case .batteryOptimised: "battery optimisation on"
    case .backgroundRefreshOff: "background refresh off"
    case .powerSave: "power saving on"
    case .notificationsOff: "notifications off"
    case .clockWrong: "clock is wrong"
    }
  }
}

extension CoverageReason {
  /// Why it was tracked or not.
  var name: HTML {
    switch self {
    case .tracked: "Tracked"
    case .onBreak: "Break"
    case .restricted: "Location forbidden by an administrator"
    case .servicesOff: "Location switched off"
    case .denied: "Location access denied"
    case .notDetermined: "Location never allowed"
    case .appTerminated: "App was closed"
    case .serviceUnavailable: "Our own outage"
    case .waitingFirstFix: "Waiting for the first position"
    case .resuming: "Resuming"
    case .noFix: "No position"
    case .noContact: "No contact"
    case .mockLocation: "Made-up position"
    case .lowAccuracy: "Position too inaccurate"
    case .pageHidden: "Page out of view"
    case .notAsked: "Phone not asked to track"
    }
  }
}

extension [HTML] {
  /// One after another, with `separator` between.
  func joined(by separator: HTML) -> HTML {
    var joined = HTML()
    for (index, piece) in enumerated() {
      if index > 0 { joined.append(separator) }
      joined.append(piece)
    }
    return joined
  }
}
