/// Whether and when the app learns of an action on the phone.
package enum AppAwareness: Hashable, Sendable {
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
package enum AppLife: UInt8, Sendable {
  /// On the screen.
  case inFront
  /// Running or suspended in the background.
  case inBackground
  /// Without a process.
  case ended
}
