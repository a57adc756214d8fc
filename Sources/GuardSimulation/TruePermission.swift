public import ShiftDomain

/// The true state of a phone's permission, as far as it is visible from outside. The simulated
/// phone provides it itself, not through the rules' reading of raw values, which is tested too.
public struct TruePermission: Hashable, Sendable {
  /// The permission that the system gives the app.
  public var authorization: Authorization
  /// The device's own location switch.
  public var services: Switch
  /// The accuracy of positions; `unknown` without a grant.
  public var accuracy: LocationAccuracy
  /// Whether another app fakes positions; `unknown` where apps cannot know.
  public var mock: Switch

  /// Creates a state.
  public init(
    authorization: Authorization, services: Switch, accuracy: LocationAccuracy,
    mock: Switch = .unknown
  ) {
    self.authorization = authorization
    self.services = services
    self.accuracy = accuracy
    self.mock = mock
  }
}

/// Whether and when the app learns of an action on the phone.
public enum AppAwareness: Hashable, Sendable {
  /// The system ignores the action, or it is impossible now: nothing changed.
  case impossible
  /// The action happened, and the app is not informed.
  case nothing
  /// The app is informed at once.
  case atOnce
  /// The app is in the background: it is informed at once, or when it comes to the front.
  case perhaps
  /// The process has ended: the app is informed at its next start.
  case atNextStart
}

/// The state of the app on a phone.
public enum AppLife: UInt8, Sendable {
  /// On the screen.
  case inFront
  /// Running or suspended in the background.
  case inBackground
  /// Without a process.
  case ended
}
