/// The topic of a notification. Raw values are stored; append-only.
public enum NotificationTopic: UInt8, Coded {
  /// An interruption of tracking; the subject is an incident.
  case incident = 0
  /// The permission changed back and forth three times in ten minutes; the subject is an incident.
  case unstable = 1
  /// The shift has lasted long, and clocking out may have been forgotten; the subject is a shift.
  case clockOutReminder = 2
  /// The shift ended automatically at the policy's limit; the subject is a shift.
  case endedAtLimit = 3
  /// The break has lasted long; the subject is a shift.
  case longBreak = 4
  /// A clock-in was blocked; the subject is a clock action.
  case clockInBlocked = 5
  /// An offline clock action needs a review; the subject is a clock action.
  case clockActionForReview = 6
  /// A manager changed the shift's start or end; the subject is a shift.
  case shiftCorrected = 7
  /// A manager or a plan opened the shift; the subject is a shift. Its ordinal says how.
  case shiftOpened = 8
  /// A notified interruption has ended; the subject is an incident, and the kind is the worst that
  /// is left. Without a kind, tracking has resumed.
  case restored = 9
  /// A test notification; the subject is the number of the test.
  case test = 10
  /// The employee of a planned shift has not clocked in for a while; the subject is its start.
  case late = 11
  /// The employee of a planned shift has not come; the subject is its start.
  case noShow = 12
  /// The summary of a team's week for one contact, whose number is the ordinal; the subject is the
  /// week, as days from 1970-01-01 to its Monday. Of a copy that somebody asked for the ordinal is
  /// negative, and the subject its number.
  case weeklyDigest = 13
  /// A manager kept the times that the employee objected to; the subject is a shift.
  case timesAccepted = 14
  /// A clock-in by arriving in a region was blocked, which no dialog says; the subject is a clock
  /// action, and the ordinal its device.
  case arrivalBlocked = 15
  /// A manager allowed a clock-in in spite of what blocks it; the subject is an override.
  case clockInAllowed = 16
  /// An app from a store tracks a shift that began on the page; the subject is a shift, and the
  /// ordinal the app's device.
  case appTookOver = 17
  /// The page that tracks has been out of view for long; the subject is a shift.
  case pageHidden = 18
  /// The employee has been away from all sites; the subject is a shift, and the ordinal the number
  /// of the time away.
  case away = 19
  /// A manager added a shift that was over; the subject is a shift.
  case shiftAdded = 20
  /// A topic that this version does not know; only newer versions deliver it.
  case newer = 255

  public static let allCases = knownCases
  public static let standIn: NotificationTopic? = .newer

  public var code: String {
    switch self {
    case .incident: "incident"
    case .unstable: "unstable"
    case .clockOutReminder: "clock_out_reminder"
    case .endedAtLimit: "ended_at_limit"
    case .longBreak: "long_break"
    case .clockInBlocked: "clock_in_blocked"
    case .clockActionForReview: "clock_action_for_review"
    case .shiftCorrected: "shift_corrected"
    case .shiftOpened: "shift_opened"
    case .restored: "restored"
    case .test: "test"
    case .late: "late"
    case .noShow: "no_show"
    case .weeklyDigest: "weekly_digest"
    case .timesAccepted: "times_accepted"
    case .arrivalBlocked: "arrival_blocked"
    case .clockInAllowed: "clock_in_allowed"
    case .appTookOver: "app_took_over"
    case .pageHidden: "page_hidden"
    case .away: "away"
    case .shiftAdded: "shift_added"
    case .newer: "newer_version"
    }
  }

  /// The kind of object that the subject number identifies, for programs.
  public var subjectName: String {
    switch self {
    case .incident, .unstable, .restored: "incident"
    case .clockOutReminder, .endedAtLimit, .longBreak, .shiftCorrected, .shiftOpened,
      .timesAccepted, .appTookOver, .pageHidden, .away, .shiftAdded:
      "shift"
    case .clockInBlocked, .clockActionForReview, .arrivalBlocked: "clockAction"
    case .clockInAllowed: "override"
    case .test: "test"
    case .late, .noShow: "plannedStart"
    case .weeklyDigest: "week"
    case .newer: "subject"
    }
  }

  public var audience: Audience {
    switch self {
    case .clockInBlocked, .clockActionForReview, .late, .noShow, .weeklyDigest: .managers
    case .incident, .unstable, .clockOutReminder, .endedAtLimit, .longBreak, .shiftCorrected,
      .shiftOpened, .restored, .test, .timesAccepted, .arrivalBlocked, .clockInAllowed,
      .appTookOver, .pageHidden, .away, .shiftAdded, .newer:
      .employee
    }
  }

  /// Whether it is never combined with others to the managers, and goes to them at once.
  public var isAlone: Bool { self == .test || self == .weeklyDigest }

  /// Whether managers may be notified.
  public var reachesManagers: Bool { contactTopic != nil || self == .test }
}

public enum Audience: UInt8, Coded {
  case employee = 0
  case managers = 1

  public var code: String {
    switch self {
    case .employee: "employee"
    case .managers: "managers"
    }
  }
}

/// A notification: topic, subject and ordinal are its key, so that it is queued once.
public struct ShiftNotification: Hashable, Sendable {
  public var topic: NotificationTopic
  /// The number of its subject within the employee: of an incident, a shift, a clock action or an
  /// override.
  public var subject: Int32
  /// Its ordinal among the notifications of that topic and subject, from 1.
  public var ordinal: Int16
  /// What impaired tracking at the time of queueing; `nil` if nothing did.
  public var kind: IncidentKind?
  /// When it may be sent. Server time.
  public var dueAt: Instant
  /// Whether it is urgent: tracking is lost, or must not continue under the policy.
  public var isUrgent: Bool

  public init(
    _ topic: NotificationTopic, subject: Int32, ordinal: Int16 = 1, kind: IncidentKind? = nil,
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

extension ShiftNotification {
  /// For readers: if what is left when an alarm ends prevents tracking, it is an alarm about that.
  public var presentedTopic: NotificationTopic {
    guard topic == .restored, let kind else { return topic }
    return kind == .whenInUse || kind == .accuracyReduced ? .restored : .incident
  }

  /// The test with this number, for one escalation step, which is in the ordinal.
  public static func test(_ number: Int32, of step: EscalationStep, dueAt: Instant)
    -> ShiftNotification
  {
    ShiftNotification(.test, subject: number, ordinal: Int16(step.rawValue) + 1, dueAt: dueAt)
  }

  /// The test with this number, for one contact of the team, which is in the ordinal.
  public static func test(_ number: Int32, ofContact contact: Int16, dueAt: Instant)
    -> ShiftNotification
  {
    ShiftNotification(.test, subject: number, ordinal: contact &+ stepsMax, dueAt: dueAt)
  }

  /// The test with this number, for one device of the employee: its number is the negative
  /// ordinal.
  public static func test(_ number: Int32, ofDevice device: Int16, dueAt: Instant)
    -> ShiftNotification
  {
    ShiftNotification(.test, subject: number, ordinal: -device, dueAt: dueAt)
  }

  /// Ordinals of tests up to this one stand for steps, those above for contacts.
  private static let stepsMax: Int16 = 4

  /// A manager's reminder about an interruption; its number within the incident is in the ordinal.
  public static func reminder(
    _ number: Int16, of incident: Int32, kind: IncidentKind, dueAt: Instant, isUrgent: Bool
  ) -> ShiftNotification {
    ShiftNotification(
      .incident, subject: incident, ordinal: remindersStart + number, kind: kind, dueAt: dueAt,
      isUrgent: isUrgent)
  }

  /// The ordinals above are of reminders, so many that no incident is notified about as often.
  private static let remindersStart: Int16 = 30_000

  /// Whether a manager asked for it.
  public var isReminder: Bool { topic == .incident && ordinal > Self.remindersStart }

  /// The summary of `week`, days from 1970-01-01 to its Monday, for one contact of the team.
  public static func digest(of week: Int32, toContact contact: Int16, dueAt: Instant)
    -> ShiftNotification
  {
    ShiftNotification(.weeklyDigest, subject: week, ordinal: contact, dueAt: dueAt)
  }

  /// The copy with this number of the newest summary, for the contact that asked for it.
  public static func digestCopy(_ number: Int32, toContact contact: Int16, dueAt: Instant)
    -> ShiftNotification
  {
    ShiftNotification(.weeklyDigest, subject: number, ordinal: -contact, dueAt: dueAt)
  }

  /// Whether somebody asked for this summary, whatever its contact has chosen.
  public var isDigestCopy: Bool { topic == .weeklyDigest && ordinal < 0 }

  /// A shift was opened for the employee: by `opening`, which is in the ordinal. `.employee`: a
  /// manager accepted their clock-in attempt.
  public static func opened(_ shift: Int32, by opening: ShiftOpening, dueAt: Instant)
    -> ShiftNotification
  {
    ShiftNotification(
      .shiftOpened, subject: shift, ordinal: Int16(opening.rawValue) + 1, dueAt: dueAt)
  }

  /// Who opened the shift that it is about; `nil` for all other notifications.
  public var opening: ShiftOpening? {
    guard topic == .shiftOpened else { return nil }
    return UInt8(exactly: Int(ordinal) - 1).flatMap { ShiftOpening(rawValue: $0) }
  }

  /// The clock-in with this number, by arriving, was blocked on `device`.
  /// - Parameter kind: What impairs tracking; `nil`: that is not known.
  public static func arrivalBlocked(
    _ action: Int32, on device: Int16, kind: IncidentKind?, dueAt: Instant
  ) -> ShiftNotification {
    ShiftNotification(
      .arrivalBlocked, subject: action, ordinal: device, kind: kind, dueAt: dueAt,
      isUrgent: true)
  }

  /// The number of the device on which the arrival was blocked; `nil` for all other notifications.
  public var blockedDevice: Int16? { topic == .arrivalBlocked ? ordinal : nil }

  /// The employee has not clocked in for a planned shift: `topic` is `.late` or `.noShow`.
  public static func missed(_ topic: NotificationTopic, plannedStart: Instant, dueAt: Instant)
    -> ShiftNotification
  {
    let minutes = plannedStart.milliseconds / 60_000
    return ShiftNotification(topic, subject: Int32(clamping: minutes), dueAt: dueAt)
  }

  /// The minute in which the planned shift starts that it is about; `nil` for all others.
  public var plannedStart: Instant? {
    guard topic == .late || topic == .noShow else { return nil }
    return Instant(milliseconds: Int64(subject) * 60_000)
  }

  /// The escalation step of a test; `nil` for all other notifications.
  public var testedStep: EscalationStep? {
    guard topic == .test else { return nil }
    if testedContact != nil { return .managers }
    if testedDevice != nil { return .push }
    return UInt8(exactly: Int(ordinal) - 1).flatMap { EscalationStep(rawValue: $0) }
  }

  /// The number of the contact to which alone a test goes; `nil` for all other notifications.
  public var testedContact: Int16? {
    topic == .test && ordinal > Self.stepsMax ? ordinal - Self.stepsMax : nil
  }

  /// The number of the contact to which alone it goes; `nil` if it goes to others.
  public var onlyContact: Int16? {
    topic == .weeklyDigest ? Int16(clamping: abs(Int32(ordinal))) : testedContact
  }

  /// The number of the device to which alone a test goes; `nil` for all other notifications.
  public var testedDevice: Int16? {
    topic == .test && ordinal < 0 ? Int16(clamping: -Int32(ordinal)) : nil
  }
}
