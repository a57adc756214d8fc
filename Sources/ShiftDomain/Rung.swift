/// One rung of the ladder that a message climbs until somebody knows. Raw values are stored;
/// append-only.
public enum Rung: UInt8, Coded {
  /// The open app.
  case inApp = 0
  /// A push to the phone.
  case push = 1
  /// An e-mail to the employee.
  case email = 2
  /// The managers of the employee's team, by e-mail and webhook.
  case managers = 3

  /// Its word in JSON and SQL.
  public var code: String {
    switch self {
    case .inApp: "in_app"
    case .push: "push"
    case .email: "email"
    case .managers: "managers"
    }
  }
}

/// A transport out of the house. Raw values are stored; append-only.
public enum Channel: UInt8, Coded {
  /// Apple's push service.
  case apns = 0
  /// Google's push service.
  case fcm = 1
  /// A browser's push service.
  case webPush = 2
  /// SMTP.
  case email = 3
  /// An HTTP request to a team's own program.
  case webhook = 4

  /// Its word in JSON and SQL.
  public var code: String {
    switch self {
    case .apns: "apns"
    case .fcm: "fcm"
    case .webPush: "web_push"
    case .email: "email"
    case .webhook: "webhook"
    }
  }
}

/// Why a message left the outbox. Raw values are stored; append-only.
public enum NoticeEnding: UInt8, Coded {
  /// Somebody was told, and there is nobody left to tell.
  case told = 0
  /// What it was about is over.
  case restored = 1
  /// The shift it was about is over.
  case shiftEnded = 2
  /// A newer message says more.
  case superseded = 3
  /// What it asked for was done.
  case settled = 4
  /// It takes an alarm back that nobody had.
  case nobodyAlarmed = 5
  /// It had become too old.
  case expired = 6
  /// There was no way to reach anybody: a dead letter.
  case unreachable = 7
  /// It could not be worked at, again and again: a dead letter.
  case failed = 8

  /// Its word in JSON and SQL.
  public var code: String {
    switch self {
    case .told: "told"
    case .restored: "restored"
    case .shiftEnded: "shift_ended"
    case .superseded: "superseded"
    case .settled: "settled"
    case .nobodyAlarmed: "nobody_alarmed"
    case .expired: "expired"
    case .unreachable: "unreachable"
    case .failed: "failed"
    }
  }

  /// Whether it should have been told and was not: an operator is to look at it.
  public var isDeadLetter: Bool {
    switch self {
    case .unreachable, .failed: true
    case .told, .restored, .shiftEnded, .superseded, .settled, .nobodyAlarmed, .expired: false
    }
  }
}

/// What became of one try to tell. Raw values are stored; append-only. Nothing stored: not known,
/// since the instance that tried ended.
public enum TryOutcome: UInt8, Coded {
  /// The provider took it.
  case accepted = 0
  /// Not now.
  case retry = 1
  /// The provider may have taken it.
  case unknown = 2
  /// Nobody is at the address any more.
  case addressGone = 3
  /// Never, for this message to this address.
  case refused = 4
  /// Our settings are at fault.
  case misconfigured = 5
  /// Told in another message to the same managers.
  case covered = 6

  /// Its word in JSON and SQL.
  public var code: String {
    switch self {
    case .accepted: "accepted"
    case .retry: "retry"
    case .unknown: "unknown"
    case .addressGone: "address_gone"
    case .refused: "refused"
    case .misconfigured: "misconfigured"
    case .covered: "covered"
    }
  }
}
