public import ShiftDomain

/// What is true of a phone's permission and can be known from outside, in our words. A phone says
/// it of itself, never through the rules' reading of raw values, which is thereby tested too.
public struct Sight: Hashable, Sendable {
  /// What the system lets the app do.
  public var authorization: Authorization
  /// The device's own location switch.
  public var services: Switch
  /// How exact positions may be; `unknown` without a grant for it to apply to.
  public var accuracy: LocationAccuracy
  /// Whether another app makes positions up; `unknown` where no app can tell.
  public var mock: Switch

  /// A sight.
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

/// What becomes of an action on a phone.
public enum Heard: Hashable, Sendable {
  /// The system ignores it, or it cannot happen now: nothing changed.
  case impossible
  /// It happened, and the system tells the app nothing.
  case nothing
  /// The app is told at once.
  case atOnce
  /// The app sleeps in the background: it may be told at once, or when it next comes to the front.
  case perhaps
  /// The process is gone: the app learns of it at its next start.
  case atNextStart
}

/// What the app does on a phone.
public enum AppLife: UInt8, Sendable {
  /// On the screen.
  case inFront
  /// Running, or asleep, behind something else.
  case inBackground
  /// Without a process.
  case ended
}
