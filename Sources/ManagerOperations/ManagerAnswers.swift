import GuardRules
import OperationCore
import ShiftDomain
import ShiftStore

/// The answer of `guardctl check` for one employee.
package struct EmployeeCheck: Hashable, Sendable {
  /// The employee.
  package var employee: EmployeeID
  /// Their name.
  package var name: String
  /// Their team's name.
  package var teamName: String
  /// When this was computed.
  package var asOf: Instant
  /// Whether they can be tracked now, as opposed to whether they may clock in.
  package var trackingState: TrackingState
  /// The device that was checked; `nil` when none is enrolled.
  package var snapshot: Snapshot?
  /// The decision; `.noReport` blocks under most policies if no device is enrolled.
  package var decision: Decision
  /// The last contact from this device.
  package var lastContactAt: Instant?
}

/// A team in a list.
package typealias TeamRow = ShiftStore.TeamRow

/// A policy version in a list.
package typealias PolicyRow = ShiftStore.PolicyRow

package enum PolicyOutcome: Hashable, Sendable {
  case made(PolicyRow)
  /// The version in force is identical, possibly because the same request was sent before and its
  /// answer was lost.
  case unchanged(PolicyRow)
  /// This is the version in force.
  case changedMeanwhile(PolicyRow)

  /// The version in force.
  package func get() throws(Refusal) -> (row: PolicyRow, isNew: Bool) {
    switch self {
    case .made(let row): (row, true)
    case .unchanged(let row): (row, false)
    case .changedMeanwhile(let row): throw .changed("policy", .policy(row))
    }
  }
}

extension PolicyRow {
  /// Identifies this version, for `If-Match`.
  package var tag: String { String(version) }
}

/// A device in a list.
package struct DeviceRow: Hashable, Sendable {
  /// The device.
  package var device: DeviceID
  /// Its system.
  package var platform: Platform
  /// Its system's version.
  package var osVersion: String?
  /// Its maker and model.
  package var model: String?
  /// Its app and the app's version, as last reported.
  package var app: String?
  /// When it was enrolled.
  package var enrolledAt: Instant
  /// When it was revoked; `nil` while it is allowed.
  package var revokedAt: Instant?
  /// Its last contact.
  package var lastContactAt: Instant?
}

/// A pending notification in a list.
package struct NotificationRow: Hashable, Sendable {
  /// The employee it is about: it goes to them or, by its topic, to the managers of their team.
  package var employee: EmployeeID
  /// Its topic.
  package var topic: NotificationTopic
  /// The number, within the employee, of the incident, shift or clock action it is about.
  package var subject: Int32
  /// Its ordinal among the notifications of that topic and subject, from 1.
  package var ordinal: Int16
  /// What impaired tracking when it was queued; `nil` if nothing did.
  package var kind: IncidentKind?
  /// Whether it is urgent.
  package var isUrgent: Bool
  /// When it was queued.
  package var queuedAt: Instant
  /// When it may be sent.
  package var dueAt: Instant
  /// The number of delivery attempts.
  package var attempts: Int16
  /// When it is processed next; `nil` once it has left the outbox.
  package var nextAt: Instant?
  /// When it left the outbox; `nil` while it is pending.
  package var finishedAt: Instant?
  /// Why it left; `nil` while it is pending.
  package var ending: NotificationEnding?
  /// Why a dead letter could not be delivered.
  package var reason: String?
}

/// A code that enrols one phone, shown only here.
package struct NewEnrolmentCode: Hashable, Sendable {
  /// The employee's number and four groups of four characters, separated by hyphens; 80 random
  /// bits.
  package var code: String
  /// When it expires.
  package var expiresAt: Instant

  /// The path of the page for employees on this server, with the code in the fragment, which no
  /// server and no log sees.
  package var link: String { "/app#\(code)" }

  package init(code: String, expiresAt: Instant) { (self.code, self.expiresAt) = (code, expiresAt) }
}

/// An API token, shown only here.
package struct NewAPIToken: Hashable, Sendable {
  /// `sga_<number>_<secret>`.
  package var token: String
  /// Its number, by which it is listed and revoked.
  package var number: Int32
  /// When it expires.
  package var expiresAt: Instant
}

/// An API token in a list.
package struct APITokenRow: Hashable, Sendable {
  /// Its number.
  package var number: Int32
  /// Its purpose.
  package var name: String
  /// Its role.
  package var role: AccessRole
  /// The rights of a manager's token.
  package var teams: [TeamID: TeamRights]
  /// When it was made.
  package var createdAt: Instant
  /// When it expires.
  package var expiresAt: Instant
  /// When it was revoked; `nil` while it is valid.
  package var revokedAt: Instant?
}

/// An overview of the installation.
package struct InstallationStatus: Hashable, Sendable {
  /// The schema's version in the database; 0 before the first migration.
  package var schemaVersion: Int32
  /// The schema's version that this program needs.
  package var schemaWanted: Int32
  /// The server's own version, such as `15.18`.
  package var postgresVersion: String
  /// The number of teams, employees and devices.
  package var teams: Int, employees: Int, devices: Int
  /// The number of open shifts and incidents.
  package var openShifts: Int, openIncidents: Int
  /// The number of pending notifications.
  package var notificationsWaiting: Int
  /// When the oldest pending notification was queued; `nil` if none is pending.
  package var oldestNotificationAt: Instant?
}
