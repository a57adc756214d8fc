import ShiftDomain

/// An overview of the installation.
package struct InstallationStatus: Hashable, Sendable {
  /// The schema's version in the database; 0 before the first migration.
  package var schemaVersion: Int32
  /// The schema's version that this program needs.
  package var schemaWanted: Int32
  /// The numbers of objects; `nil` unless the schema has the wanted version.
  package var counts: InstallationCounts?

  package init(schemaVersion: Int32, schemaWanted: Int32, counts: InstallationCounts?) {
    self.schemaVersion = schemaVersion
    self.schemaWanted = schemaWanted
    self.counts = counts
  }
}

/// The numbers of objects in the installation.
package struct InstallationCounts: Hashable, Sendable {
  /// The server's own version, such as `15.18`.
  package var postgresVersion: String
  /// Teams, employees and devices that are not revoked.
  package var teams: Int64, employees: Int64, devices: Int64
  /// Shifts and incidents without an end.
  package var openShifts: Int64, openIncidents: Int64
  /// Notifications in the outbox, and when the oldest was queued; `nil` if none is pending.
  package var notifications: Int64, oldestNotificationAt: Instant?

  package init(
    postgresVersion: String, teams: Int64, employees: Int64, devices: Int64, openShifts: Int64,
    openIncidents: Int64, notifications: Int64, oldestNotificationAt: Instant?
  ) {
    self.postgresVersion = postgresVersion
    (self.teams, self.employees, self.devices) = (teams, employees, devices)
    (self.openShifts, self.openIncidents) = (openShifts, openIncidents)
    self.notifications = notifications
    self.oldestNotificationAt = oldestNotificationAt
  }
}
