/// The independent ways in which tracking can be impaired. At most one incident is open for each.
public enum Dimension: UInt8, Coded {
  case authorization = 0
  case services = 1
  case accuracy = 2
  case contact = 3
  /// The phone has contact but no position.
  case fix = 4
  case app = 5
  case mock = 6

  public var code: String {
    switch self {
    case .authorization: "authorization"
    case .services: "services"
    case .accuracy: "accuracy"
    case .contact: "contact"
    case .fix: "fix"
    case .app: "app"
    case .mock: "mock"
    }
  }
}

/// The kind of an incident. Raw values are stored; append-only.
public enum IncidentKind: UInt8, Coded {
  /// Location is forbidden by an administrator.
  case restricted = 0
  case denied = 1
  /// The app has not asked, or *Allow Once* has expired.
  case notDetermined = 2
  case whenInUse = 3
  case servicesOff = 4
  case accuracyReduced = 5
  /// No contact for too long. Never treated as a denied permission.
  case noContact = 6
  /// The phone has contact but sends no position.
  case noFix = 7
  case appTerminated = 8
  case mockLocation = 9

  public var code: String {
    switch self {
    case .restricted: "restricted"
    case .denied: "denied"
    case .notDetermined: "not_determined"
    case .whenInUse: "when_in_use"
    case .servicesOff: "services_off"
    case .accuracyReduced: "accuracy_reduced"
    case .noContact: "no_contact"
    case .noFix: "no_fix"
    case .appTerminated: "app_terminated"
    case .mockLocation: "mock_location"
    }
  }
}

public struct IncidentKindSet: OptionSet, Hashable, Sendable {
  /// One bit per kind, at the kind's raw value. Stored; append-only.
  public let rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public init(_ kind: IncidentKind) { rawValue = 1 << UInt16(kind.rawValue) }
}

public enum IncidentOrigin: UInt8, Coded {
  /// The shift began with it: recorded, nobody is notified.
  case atClockIn = 0
  case midShift = 1

  public var code: String {
    switch self {
    case .atClockIn: "at_clock_in"
    case .midShift: "mid_shift"
    }
  }
}

public enum IncidentEvidence: UInt8, Coded {
  case reported = 0
  /// Inferred from later reports of the phone, or from its silence.
  case inferred = 1

  public var code: String {
    switch self {
    case .reported: "reported"
    case .inferred: "inferred"
    }
  }
}

public enum IncidentClosing: UInt8, Coded {
  /// Its dimension is clear again.
  case restored = 0
  /// It was restored before anybody was notified.
  case flicker = 1
  case shiftEnded = 2
  case deviceChanged = 3
  /// A break began, in which silence is not an incident.
  case breakStarted = 4
  /// Its dimension has another kind: the next incident of its episode began at that instant.
  case changed = 5
  /// A silence ended.
  case resumed = 6
  /// Something late left it no time. It is kept for the audit only.
  case withdrawn = 7

  public var code: String {
    switch self {
    case .restored: "restored"
    case .flicker: "flicker"
    case .shiftEnded: "shift_ended"
    case .deviceChanged: "device_changed"
    case .breakStarted: "break_started"
    case .changed: "changed"
    case .resumed: "resumed"
    case .withdrawn: "withdrawn"
    }
  }
}
