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
