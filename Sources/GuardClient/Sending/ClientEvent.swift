public import ShiftDomain

/// What the app should know, in the order in which it happened.
public enum ClientEvent: Hashable, Sendable {
  /// An answer described the state: show its banner, and track as it says.
  case status(GuardStatus)
  /// An answer about pings said how to track.
  case tracking(TrackingOrder)
  /// A notification arrived while the app is open.
  case notification(ShownNotification)
  /// The permission changed; `isDowngrade` says that something got worse.
  case permission(PermissionState, isDowngrade: Bool)
  /// The clock-in that is under way has another step, because the permission changed.
  case clockInStep(ClockInStep)
  /// What became of the clock action with this id.
  case clockAction(id: String, ClockActionKind, ClockActionResult)
  /// The server refused a ping for good; `reason` is a code of the API. It was removed.
  case pingRefused(recordedAt: Instant, reason: String)
  /// The server could not read a report, which was removed.
  case reportRefused(detail: String?)
  /// The disk has damaged a record of the queue, or this version of the app cannot read it. It was
  /// removed.
  case recordUnreadable
  /// The token is not valid any more. Nothing is sent until the app is enrolled again.
  case unauthorized
  /// The server is not reached, or asks for patience; tried again after this time.
  case waiting(TimeSpan)
  /// The queue could not be written or read.
  case diskFailed(DiskQueueError)
}
