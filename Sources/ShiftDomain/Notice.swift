/// What a message is about. Raw values are stored; append-only.
public enum NoticeTopic: UInt8, Coded {
  /// An interruption of tracking; the subject is an incident.
  case incident = 0
  /// The permission went to and fro three times in ten minutes; the subject is an incident.
  case unstable = 1
  /// The shift has lasted long: was clocking out forgotten? The subject is a shift.
  case clockOutReminder = 2
  /// The shift ended by itself at the policy's limit; the subject is a shift.
  case endedAtLimit = 3
  /// The break has lasted long; the subject is a shift.
  case longBreak = 4
  /// A clock-in was refused; the subject is an attempt.
  case clockInBlocked = 5
  /// A clock-in or clock-out made offline needs a decision; the subject is an attempt.
  case attemptForReview = 6
  /// A manager changed the shift's start or end; the subject is a shift.
  case shiftCorrected = 7
  /// A manager opened the shift; the subject is a shift.
  case shiftOpened = 8
  /// An interruption that was told is over; the subject is an incident, and the kind is the worst
  /// that is left. Without a kind tracking goes on.
  case restored = 9
  /// Somebody tries whether messages arrive; the subject is the number of the test.
  case test = 10

  /// Its word in JSON and SQL.
  public var code: String {
    switch self {
    case .incident: "incident"
    case .unstable: "unstable"
    case .clockOutReminder: "clock_out_reminder"
    case .endedAtLimit: "ended_at_limit"
    case .longBreak: "long_break"
    case .clockInBlocked: "clock_in_blocked"
    case .attemptForReview: "attempt_for_review"
    case .shiftCorrected: "shift_corrected"
    case .shiftOpened: "shift_opened"
    case .restored: "restored"
    case .test: "test"
    }
  }

  /// Who is told. A test says itself whom it is for: see `Notice.testedRung`.
  public var audience: Audience {
    switch self {
    case .clockInBlocked, .attemptForReview: .managers
    case .incident, .unstable, .clockOutReminder, .endedAtLimit, .longBreak, .shiftCorrected,
      .shiftOpened, .restored, .test:
      .employee
    }
  }

  /// Whether managers may come to be told: it is for them, climbs to them while it lasts, says that
  /// what they were told is over, or tries whether they would be.
  public var reachesManagers: Bool {
    audience == .managers || self == .incident || self == .restored || self == .test
  }
}

/// Whom a message is for.
public enum Audience: UInt8, Coded {
  /// The employee it is about.
  case employee = 0
  /// The managers of the employee's team.
  case managers = 1

  /// Its word in JSON and SQL.
  public var code: String {
    switch self {
    case .employee: "employee"
    case .managers: "managers"
    }
  }
}

/// A message: topic, subject and ordinal are its key, so that it is queued once.
public struct Notice: Hashable, Sendable {
  /// What it is about.
  public var topic: NoticeTopic
  /// The number of what it is about, within the employee: of an incident, a shift, an attempt.
  public var subject: Int32
  /// Its place among the messages of that topic and subject, from 1.
  public var ordinal: Int16
  /// What impaired tracking at the time of queueing; `nil` when nothing did.
  public var kind: IncidentKind?
  /// When it may be sent. Server time.
  public var dueAt: Instant
  /// Whether it cannot wait: tracking is lost, or may not go on under the policy.
  public var isUrgent: Bool

  /// A message.
  public init(
    _ topic: NoticeTopic, subject: Int32, ordinal: Int16 = 1, kind: IncidentKind? = nil,
    dueAt: Instant, isUrgent: Bool = false
  ) {
    self.topic = topic
    self.subject = subject
    self.ordinal = ordinal
    self.kind = kind
    self.dueAt = dueAt
    self.isUrgent = isUrgent
  }
}

extension Notice {
  /// What it is about for those who read it: that an alarm is over while something is left is an
  /// alarm about what is left.
  public var presentedTopic: NoticeTopic {
    topic == .restored && kind != nil ? .incident : topic
  }

  /// The test of this number, of one rung alone: the ordinal names it.
  public static func test(_ number: Int32, of rung: Rung, dueAt: Instant) -> Notice {
    Notice(.test, subject: number, ordinal: Int16(rung.rawValue) + 1, dueAt: dueAt)
  }

  /// Of a test, the rung that it tries; `nil` for all other messages.
  public var testedRung: Rung? {
    topic == .test ? UInt8(exactly: Int(ordinal) - 1).flatMap { Rung(rawValue: $0) } : nil
  }
}
