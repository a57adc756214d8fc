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
  /// The end of this coverage: the shift's end, or now.
  public var asOf: Instant
  /// Sorted, without gaps; their sum is exactly the span from `startedAt` to `asOf`.
  public var segments: [CoverageSegment]
  /// Tracked per thousand of the time that counts; `nil` if no time counts.
  public var trackingPermille: Int?

  /// Whether the shift is still open, so that this may still change.
  public var isProvisional: Bool { endedAt == nil }
}

/// The answer of `guardctl check` for one employee.
public struct EmployeeCheck: Hashable, Sendable {
  /// The employee.
  public var employee: EmployeeID
  /// Their name.
  public var name: String
  /// Their team's name.
  public var teamName: String
  /// When this was computed.
  public var asOf: Instant
  /// Whether they can be tracked now, as opposed to whether they may clock in.
  public var trackingState: TrackingState
  /// The device that was checked; `nil` when none is enrolled.
  public var snapshot: Snapshot?
  /// The decision; `.noReport` blocks under most policies if no device is enrolled.
  public var decision: Decision
  /// The last contact from this device.
  public var lastContactAt: Instant?
}

/// A team in a list.
public typealias TeamRow = ShiftStore.TeamRow

/// A policy version in a list.
public typealias PolicyRow = ShiftStore.PolicyRow

/// The outcome of a policy change.
public enum PolicyOutcome: Hashable, Sendable {
  /// The new version.
  case made(PolicyRow)
  /// The version in force is identical, possibly because the same request was sent before and its
  /// answer was lost.
  case unchanged(PolicyRow)
  /// The version in force has changed since the caller read it; this is the current one.
  case changedMeanwhile(PolicyRow)

  /// The version in force.
  public var row: PolicyRow {
    switch self {
    case .made(let row), .unchanged(let row), .changedMeanwhile(let row): row
    }
  }
}

extension PolicyRow {
  /// Identifies this version, for `If-Match`.
  public var tag: String { String(version) }
}

/// An employee in a list.
public struct EmployeeRow: Hashable, Sendable {
  /// The employee.
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

/// A device in a list.
public struct DeviceRow: Hashable, Sendable {
  /// The device.
  public var device: DeviceID
  /// Its system.
  public var platform: Platform
  /// Its system's version.
  public var osVersion: String?
  /// Its maker and model.
  public var model: String?
  /// Its app and the app's version, as last reported.
  public var app: String?
  /// When it was enrolled.
  public var enrolledAt: Instant
  /// When it was revoked; `nil` while it is allowed.
  public var revokedAt: Instant?
  /// Its last contact.
  public var lastContactAt: Instant?
}

/// A shift in a list.
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
  /// Who or what ended it; `nil` while open, and for shifts that ended before this was stored.
  public var ending: ShiftEnding?
  /// Whether it needs review, because it ended automatically.
  public var needsReview = false
}

/// An incident in a list.
public typealias IncidentRow = ShiftStore.IncidentRow

/// A pending notification in a list.
public struct NotificationRow: Hashable, Sendable {
  /// The employee it is about: it goes to them or, by its topic, to the managers of their team.
  public var employee: EmployeeID
  /// Its topic.
  public var topic: NotificationTopic
  /// The number, within the employee, of the incident, shift or clock action it is about.
  public var subject: Int32
  /// Its ordinal among the notifications of that topic and subject, from 1.
  public var ordinal: Int16
  /// What impaired tracking when it was queued; `nil` if nothing did.
  public var kind: IncidentKind?
  /// Whether it is urgent.
  public var isUrgent: Bool
  /// When it was queued.
  public var queuedAt: Instant
  /// When it may be sent.
  public var dueAt: Instant
  /// The number of delivery attempts.
  public var attempts: Int16
  /// When it is processed next; `nil` once it has left the outbox.
  public var nextAt: Instant?
  /// When it left the outbox; `nil` while it is pending.
  public var finishedAt: Instant?
  /// Why it left; `nil` while it is pending.
  public var ending: NotificationEnding?
  /// Why a dead letter could not be delivered.
  public var reason: String?
}

/// A code that enrols one phone, shown only here.
public struct NewEnrolmentCode: Hashable, Sendable {
  /// The employee's number and four groups of four characters, separated by hyphens; 80 random
  /// bits.
  public var code: String
  /// When it expires.
  public var expiresAt: Instant

  /// The path of the page for employees on this server, with the code in the fragment, which no
  /// server and no log sees.
  public var link: String { "/app#\(code)" }
}

/// An API token, shown only here.
public struct NewAPIToken: Hashable, Sendable {
  /// `sga_<number>_<secret>`.
  public var token: String
  /// Its number, by which it is listed and revoked.
  public var number: Int32
  /// When it expires.
  public var expiresAt: Instant
}

/// An API token in a list.
public struct APITokenRow: Hashable, Sendable {
  /// Its number.
  public var number: Int32
  /// Its purpose.
  public var name: String
  /// Its role.
  public var role: AccessRole
  /// The rights of a manager's token.
  public var teams: [TeamID: TeamRights]
  /// When it was made.
  public var createdAt: Instant
  /// When it expires.
  public var expiresAt: Instant
  /// When it was revoked; `nil` while it is valid.
  public var revokedAt: Instant?
}

/// An overview of the installation.
public struct InstallationStatus: Hashable, Sendable {
  /// The schema's version in the database; 0 before the first migration.
  public var schemaVersion: Int32
  /// The schema's version that this program needs.
  public var schemaWanted: Int32
  /// The server's own version, such as `15.18`.
  public var postgresVersion: String
  /// The number of teams, employees and devices.
  public var teams: Int, employees: Int, devices: Int
  /// The number of open shifts and incidents.
  public var openShifts: Int, openIncidents: Int
  /// The number of pending notifications.
  public var notificationsWaiting: Int
  /// When the oldest pending notification was queued; `nil` if none is pending.
  public var oldestNotificationAt: Instant?
}
