public import GuardRules
public import ShiftDomain
public import ShiftStore

/// A shift's coverage.
public struct ShiftCoverage: Hashable, Sendable {
  /// The shift.
  public var shift: ShiftID
  /// When it began.
  public var startedAt: Instant
  /// When it ended; `nil` while it is open.
  public var endedAt: Instant?
  /// The end of what is covered here: the shift's end, or now.
  public var asOf: Instant
  /// Sorted, gapless, summing to the span from `startedAt` to `asOf` exactly.
  public var segments: [CoverageSegment]
  /// Tracked per thousand of the time that counts; `nil` with nothing intended.
  public var trackingPermille: Int?

  /// Whether the shift is still open, so that this may yet change.
  public var isProvisional: Bool { endedAt == nil }
}

/// What `guardctl check` tells of one employee.
public struct EmployeeCheck: Hashable, Sendable {
  /// Who.
  public var employee: EmployeeID
  /// Their name.
  public var name: String
  /// Their team's name.
  public var teamName: String
  /// When this was computed.
  public var asOf: Instant
  /// Whether they can be tracked now, which is another matter than whether they may clock in.
  public var trackingState: TrackingState
  /// The device judged and what is known of it; `nil` when none is enrolled.
  public var snapshot: Snapshot?
  /// What the guard would answer; `.noReport` blocks under most policies if no device is enrolled.
  public var decision: Decision
  /// When the judged device was last heard of.
  public var lastContactAt: Instant?
}

/// A row of a listing.
public typealias TeamRow = ShiftStore.TeamRow

/// A row of a listing.
public typealias PolicyRow = ShiftStore.PolicyRow

/// What became of the wish to put a policy in force.
public enum PolicyOutcome: Hashable, Sendable {
  /// It is this new version.
  case made(PolicyRow)
  /// This version, in force already, says just that; perhaps because the same request was sent
  /// before and its answer was lost.
  case unchanged(PolicyRow)
  /// In force is no longer what the caller read, but this.
  case changedMeanwhile(PolicyRow)

  /// The version in force.
  public var row: PolicyRow {
    switch self {
    case .made(let row), .unchanged(let row), .changedMeanwhile(let row): row
    }
  }
}

extension PolicyRow {
  /// Tells this version from any other: what `If-Match` compares with the one in force.
  public var tag: String { String(version) }
}

/// A row of a listing.
public struct EmployeeRow: Hashable, Sendable {
  /// Who.
  public var employee: EmployeeID
  /// Their name.
  public var name: String
  /// Their team.
  public var team: TeamID
  /// Their team's name.
  public var teamName: String
  /// The open shift.
  public var openShift: ShiftID?
}

/// A row of a listing.
public struct DeviceRow: Hashable, Sendable {
  /// The device.
  public var device: DeviceID
  /// Its system.
  public var platform: Platform
  /// Its system's version.
  public var osVersion: String?
  /// Its maker and model.
  public var model: String?
  /// Its app and the app's version, as it reported them last.
  public var app: String?
  /// When it was enrolled.
  public var enrolledAt: Instant
  /// When it was revoked; `nil` while it may speak.
  public var revokedAt: Instant?
  /// When it was last heard of.
  public var lastContactAt: Instant?
}

/// A row of a listing.
public struct ShiftRow: Hashable, Sendable {
  /// The shift.
  public var shift: ShiftID
  /// The employee's name.
  public var name: String
  /// When it began.
  public var startedAt: Instant
  /// When it ended; `nil` while it is open.
  public var endedAt: Instant?
  /// The tracking device's number.
  public var device: Int16
  /// The verdict it began under.
  public var verdict: Verdict
  /// Who or what ended it; `nil` while open, and for shifts that ended before this was kept.
  public var ending: ShiftEnding?
  /// Whether somebody is to look at it: it ended by itself.
  public var needsReview = false
}

/// A row of a listing.
public typealias IncidentRow = ShiftStore.IncidentRow

/// A row of a listing: a message that waits in the outbox.
public struct NotificationRow: Hashable, Sendable {
  /// Whom it is about: for the employee or, by its topic, for the managers of their team.
  public var employee: EmployeeID
  /// What it is about.
  public var topic: NoticeTopic
  /// The number, within the employee, of the incident, shift or attempt it is about.
  public var subject: Int32
  /// Its place among the messages of that topic and subject, from 1.
  public var ordinal: Int16
  /// What impaired tracking when it was queued; `nil` when nothing did.
  public var kind: IncidentKind?
  /// Whether it cannot wait.
  public var isUrgent: Bool
  /// When it was queued.
  public var queuedAt: Instant
  /// When it may be sent.
  public var dueAt: Instant
  /// How often it was tried.
  public var attempts: Int16
  /// When somebody looks at it next; `nil` once it has left the outbox.
  public var nextAt: Instant?
  /// When it left the outbox; `nil` while it waits.
  public var finishedAt: Instant?
  /// Why; `nil` while it waits.
  public var ending: NoticeEnding?
  /// What is the matter with a dead letter.
  public var reason: String?
}

/// A code to enrol one phone with, shown this once.
public struct NewEnrolmentCode: Hashable, Sendable {
  /// The employee's number and four groups of four characters, with hyphens between; 80 random
  /// bits.
  public var code: String
  /// Until when it may be used.
  public var expiresAt: Instant

  /// Where the page for employees is, below the server's own address, with the code in the
  /// fragment, which no server and no log sees.
  public var link: String { "/app#\(code)" }
}

/// An access token, shown this once.
public struct NewAccessToken: Hashable, Sendable {
  /// `sga_<number>_<secret>`.
  public var token: String
  /// Its number, by which it is listed and revoked.
  public var number: Int32
  /// Until when it may be used.
  public var expiresAt: Instant
}

/// A row of a listing.
public struct AccessTokenRow: Hashable, Sendable {
  /// Its number.
  public var number: Int32
  /// What it is for.
  public var name: String
  /// What its holder may do.
  public var role: AccessRole
  /// What a manager's may see.
  public var teams: [TeamID: TeamRights]
  /// When it was made.
  public var createdAt: Instant
  /// Until when it may be used.
  public var expiresAt: Instant
  /// When it was revoked; `nil` while it may be used.
  public var revokedAt: Instant?
}

/// The installation at a glance.
public struct InstallationStatus: Hashable, Sendable {
  /// The schema's version in the database; 0 before the first migration.
  public var schemaVersion: Int32
  /// The schema's version that this program wants.
  public var schemaWanted: Int32
  /// The server's own version, such as `15.18`.
  public var postgresVersion: String
  /// How many teams, employees and devices there are.
  public var teams: Int, employees: Int, devices: Int
  /// How many shifts and incidents are open.
  public var openShifts: Int, openIncidents: Int
  /// How many messages wait, and since when the oldest is due.
  public var notificationsWaiting: Int
  /// When the oldest waiting message was queued; `nil` with none.
  public var oldestNotificationAt: Instant?
}
