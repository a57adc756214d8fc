public import GuardRules
import ShiftDomain

/// Location permission on an iPhone: what is true, what CoreLocation says of it, and how either
/// changes. The transitions are Apple's, as its documentation and headers give them.
public struct IPhone: Hashable, Sendable {
  /// What the employee granted.
  public enum Grant: UInt8, CaseIterable, Sendable {
    /// Never asked, or *Ask Next Time Or When I Share*.
    case notDetermined
    /// *Never*, or *Don't Allow*.
    case denied
    /// An unexpired *Allow Once*; the app cannot tell it from while using.
    case once
    /// *While Using the App*.
    case whenInUse
    /// The app is told *Always*; Settings show *While Using* until the second prompt is answered.
    case provisional
    /// *Always*.
    case always
  }

  /// A dialog of the system, waiting to be answered.
  public enum Dialog: UInt8, CaseIterable, Sendable {
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

  /// What was granted, hidden while the services are off or an administrator forbids it.
  public internal(set) var grant: Grant
  /// What waits for an answer.
  public internal(set) var dialog: Dialog?
  /// What the app does.
  public internal(set) var app = AppLife.inFront
  /// Whether an administrator forbids location.
  public internal(set) var isRestricted = false
  /// The phone's own location switch.
  public internal(set) var servicesOn = true
  /// *Precise Location*.
  public internal(set) var isPrecise = true
  /// Full accuracy until the app is left.
  public internal(set) var isPreciseForNow = false
  /// `requestAlwaysAuthorization` from while using is answered once and ignored ever after.
  public internal(set) var hasAskedAlways = false
  /// Whether a position came in the background since *Always* was granted.
  public internal(set) var hasBackgroundFix = false

  /// A phone with the app just installed, or with `grant`.
  public init(grant: Grant = .notDetermined) { self.grant = grant }

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

  /// What the app reads and sends.
  public var raw: CoreLocationValues {
    CoreLocationValues(
      authorizationStatus: .told(status), accuracyAuthorization: .told(hasFullAccuracy ? 0 : 1),
      locationServicesEnabled: .told(servicesOn))
  }

  /// What must be made of it. While the services are off, the app is told that it is denied.
  public var sight: Sight {
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
    return Sight(
      authorization: authorization, services: servicesOn ? .on : .off,
      accuracy: isGranted ? hasFullAccuracy ? .full : .reduced : .unknown)
  }
}
