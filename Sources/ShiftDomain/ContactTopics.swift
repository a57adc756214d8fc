/// What a contact of a team chooses to be notified of. Raw values are bits as stored; append-only.
public enum ContactTopic: UInt8, Coded {
  case interruptions = 0
  /// Blocked clock-ins, and clock actions that need a review.
  case reviews = 1
  /// Late employees and no-shows.
  case attendance = 2
  case away = 3
  /// Shifts that ended at the policy's limit.
  case automaticClockOuts = 4
  case weeklyDigest = 5

  public var code: String {
    switch self {
    case .interruptions: "interruptions"
    case .reviews: "reviews"
    case .attendance: "attendance"
    case .away: "away"
    case .automaticClockOuts: "automatic_clock_outs"
    case .weeklyDigest: "weekly_digest"
    }
  }
}

extension NotificationTopic {
  /// What a contact must have chosen to get it; `nil`: no choice of a contact brings it.
  public var contactTopic: ContactTopic? {
    switch self {
    case .incident, .restored: .interruptions
    case .clockInBlocked, .clockActionForReview: .reviews
    case .late, .noShow: .attendance
    case .away: .away
    case .endedAtLimit: .automaticClockOuts
    case .weeklyDigest: .weeklyDigest
    case .unstable, .clockOutReminder, .longBreak, .shiftCorrected, .shiftOpened, .test,
      .timesAccepted, .arrivalBlocked, .clockInAllowed, .appTookOver, .pageHidden, .shiftAdded,
      .newer:
      nil
    }
  }
}

public struct ContactTopics: OptionSet, Hashable, Sendable {
  public let rawValue: Int16

  public init(rawValue: Int16) { self.rawValue = rawValue }

  public init(_ topic: ContactTopic) { self.init(rawValue: 1 << Int16(topic.rawValue)) }

  /// What a new contact gets.
  public static let standard: ContactTopics = [
    ContactTopics(.interruptions), ContactTopics(.reviews), ContactTopics(.attendance),
  ]

  public static let weeklyDigest = ContactTopics(.weeklyDigest)

  /// In the order of their raw values.
  public var topics: [ContactTopic] {
    ContactTopic.allCases.filter { contains(ContactTopics($0)) }
  }
}

/// The part of each local day in which a contact is not notified. It may go over midnight.
public struct QuietHours: Hashable, Sendable {
  /// Minutes of the local day, 0…1,439, half-open and never equal.
  public let from: Int16
  public let until: Int16
  /// Whether urgent notifications do not wait for its end.
  public let letsUrgentPass: Bool

  public init?(from: Int16, until: Int16, letsUrgentPass: Bool = false) {
    guard (0..<1_440).contains(from), (0..<1_440).contains(until), from != until else {
      return nil
    }
    (self.from, self.until, self.letsUrgentPass) = (from, until, letsUrgentPass)
  }
}

/// Where a contact by e-mail is notified that is an account. Raw values are bits as stored;
/// append-only.
public enum ContactWay: UInt8, Coded {
  case email = 0
  /// The browsers in which the account has switched alerts on.
  case browser = 1

  public var code: String {
    switch self {
    case .email: "email"
    case .browser: "browser"
    }
  }
}

public struct ContactWays: OptionSet, Hashable, Sendable {
  public let rawValue: Int16

  public init(rawValue: Int16) { self.rawValue = rawValue }

  public init(_ way: ContactWay) { self.init(rawValue: 1 << Int16(way.rawValue)) }

  public static let all: ContactWays = [ContactWays(.email), ContactWays(.browser)]

  /// In the order of their raw values.
  public var ways: [ContactWay] { ContactWay.allCases.filter { contains(ContactWays($0)) } }
}
