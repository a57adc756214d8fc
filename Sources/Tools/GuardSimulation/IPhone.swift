import GuardRules
import ShiftDomain

/// Location permission on an iPhone: the true state, CoreLocation's values, and how both change.
/// The transitions are from Apple's documentation and headers.
package struct IPhone: Hashable, Sendable {
  /// What the employee granted.
  package enum Grant: UInt8, CaseIterable, Sendable {
    /// Never asked, or *Ask Next Time Or When I Share*.
    case notDetermined
    /// *Never*, or *Don't Allow*.
    case denied
    /// An unexpired *Allow Once*; the app cannot distinguish it from while using.
    case once
    /// *While Using the App*.
    case whenInUse
    /// The app sees *Always*; Settings show *While Using* until the second prompt is answered.
    case provisional
    /// *Always*.
    case always
  }

  /// An open dialog of the system.
  package enum Dialog: UInt8, CaseIterable, Sendable {
    /// Of `requestWhenInUseAuthorization`.
    case whenInUse
    /// The first of `requestAlwaysAuthorization` from not determined.
    case always
    /// Of `requestAlwaysAuthorization` from while using.
    case upgrade
    /// The second of `requestAlwaysAuthorization`, shown later.
    case deferred
    /// The system's own reminder of *Always*.
    case reminder
  }

  /// The current grant, hidden while the services are off or location is restricted.
  package internal(set) var grant: Grant
  /// The open dialog.
  package internal(set) var dialog: Dialog?
  /// The state of the app.
  package internal(set) var app = AppLife.inFront
  /// Whether an administrator forbids location.
  package internal(set) var isRestricted = false
  /// The phone's own location switch.
  package internal(set) var servicesOn = true
  /// *Precise Location*.
  package internal(set) var isPrecise = true
  /// Whether full accuracy is allowed until the app is left.
  package internal(set) var isPreciseForNow = false
  /// Whether `requestAlwaysAuthorization` from while using was answered; then it is ignored.
  package internal(set) var hasAskedAlways = false
  /// Whether a background position was received since *Always* was granted.
  package internal(set) var hasBackgroundFix = false

  /// A phone with the app just installed, or with `grant`.
  package init(grant: Grant = .notDetermined) { self.grant = grant }

  /// `CLAuthorizationStatus`.
  var status: Int64 {
    if isRestricted { return 1 }
    if !servicesOn { return 2 }
    return switch grant {
    case .notDetermined: 0
    case .denied: 2
    case .provisional, .always: 3
    case .once, .whenInUse: 4
    }
  }

  var hasFullAccuracy: Bool { isPrecise || isPreciseForNow }

  /// The raw values that the app reads and sends.
  package var raw: CoreLocationValues {
    CoreLocationValues(
      authorizationStatus: .given(status), accuracyAuthorization: .given(hasFullAccuracy ? 0 : 1),
      locationServicesEnabled: .given(servicesOn))
  }

  /// The expected reading. While the services are off, the app sees that it is denied.
  package var truePermission: TruePermission {
    var authorization = Authorization.denied
    if isRestricted {
      authorization = .restricted
    } else if servicesOn {
      switch grant {
      case .notDetermined: authorization = .notDetermined
      case .denied: authorization = .denied
      case .once, .whenInUse: authorization = .whenInUse
      case .provisional, .always: authorization = .always
      }
    }
    let isGranted = authorization == .whenInUse || authorization == .always
    return TruePermission(
      authorization: authorization, services: servicesOn ? .on : .off,
      accuracy: isGranted ? hasFullAccuracy ? .full : .reduced : .unknown)
  }
}
