import GuardRules
import ShiftDomain

// Words for operators. Texts for employees come from Guidance.

extension Coded {
  /// The code as words: `no_contact` is `no contact`.
  var words: String { code.replacing("_", with: " ") }
}

extension Platform {
  var name: String {
    switch self {
    case .unknown: "unknown system"
    case .ios: "iOS"
    case .android: "Android"
    case .web: "web page"
    }
  }
}

extension Finding {
  /// The problem, after a colon.
  var phrase: String {
    switch self {
    case .restricted: "location is restricted by an administrator"
    case .servicesOff: "location services are off"
    case .denied: "location permission is denied"
    case .notDetermined: "location permission was never granted"
    case .unreadable: "the phone's report is unreadable"
    case .noReport: "the phone never reported its permission"
    case .staleReport: "the phone's last report is too old"
    case .cannotReport: "the app cannot report its permission"
    case .cannotReportNoFix: "the app sent no recent position"
    case .accuracyReduced: "positions are only approximate"
    case .whenInUse: "location is granted only while the app is in use"
    case .servicesUnknown: "location services may be off"
    case .alwaysUnproven: "background location is not proven yet"
    case .batteryOptimised: "battery optimisation may stop tracking"
    case .backgroundRefreshOff: "background refresh is off"
    case .powerSave: "power saving is on"
    case .notificationsOff: "notifications are off"
    case .clockWrong: "the phone's clock is wrong"
    }
  }
}

extension CoverageReason {
  /// Why there is no position, after a colon.
  var phrase: String {
    switch self {
    case .restricted: Finding.restricted.phrase
    case .servicesOff: Finding.servicesOff.phrase
    case .denied: Finding.denied.phrase
    case .notDetermined: Finding.notDetermined.phrase
    case .appTerminated: "the app was terminated"
    case .serviceUnavailable: "this service was unavailable"
    case .waitingFirstFix: "waiting for the first position"
    case .resuming: "waiting for a position after an interruption"
    case .noFix: "the phone sends no position"
    case .noContact: "no contact with the phone"
    case .mockLocation: "another app fakes positions"
    case .lowAccuracy: "positions are less accurate than the policy allows"
    case .pageHidden: "the page is not visible"
    case .notAsked: "no phone was asked to track"
    case .tracked, .onBreak: words
    }
  }
}

extension PermissionState {
  /// The state in a few words: `denied, services on`.
  var words: String {
    var parts = [authorization.words]
    if accuracy == .reduced { parts.append("approximate positions") }
    if services != .unknown { parts.append("location services \(services.code)") }
    return parts.joined(separator: ", ")
  }
}

extension DeviceID {
  /// `7/2`: the second device of employee 7.
  var text: String { "\(employee.rawValue)/\(number)" }
}

extension ShiftID {
  /// `7/12`: the twelfth shift of employee 7.
  var text: String { "\(employee.rawValue)/\(number)" }
}

extension IncidentID {
  /// `7/3`: the third incident of employee 7.
  var text: String { "\(employee.rawValue)/\(number)" }
}
