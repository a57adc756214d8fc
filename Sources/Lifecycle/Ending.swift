/// Why a group of services stopped, and whether all of them did.
public struct Ending: Sendable, Equatable {
  public enum Reason: Sendable, Equatable {
    /// The process got this signal, such as `SIGTERM` (15).
    case signal(Int32)
    /// The service of this name returned without being asked to stop.
    case returned(service: String)
    /// The service of this name threw; `detail` is its error's description.
    case failed(service: String, detail: String)
    case cancelled
  }

  public var reason: Reason
  /// Services that did not stop within the deadline and still run: the process should end.
  public var leftBehind: [String]

  public init(reason: Reason, leftBehind: [String]) {
    self.reason = reason
    self.leftBehind = leftBehind
  }

  /// Whether the stop was requested and every service stopped.
  public var isClean: Bool {
    switch reason {
    case .signal, .cancelled: leftBehind.isEmpty
    case .returned, .failed: false
    }
  }
}

/// What a group of services reports while it runs, for the log.
public enum LifecycleEvent: Sendable, Equatable {
  case started(service: String)
  /// The group begins to stop.
  case stopping(Ending.Reason)
  case stopped(service: String)
  /// The service of this name did not stop within the deadline.
  case leftBehind(service: String)
}
