import ShiftDomain

/// What the database knows about the health of an installation.
package struct InstallationHealth: Hashable, Sendable {
  package var postgresVersion: String
  package var schemaVersion: Int32
  /// The database's time when this was read.
  package var now: Instant
  /// The last heartbeat of each start of an instance within a day, newest first.
  package var beats: [Beat]
  /// The end of the last week that has a partition for positions; `nil`: no week has one.
  package var weeksUntil: Instant?
  package var databaseBytes: Int64
  /// Whether nothing can be stored: a standby, or by a setting.
  package var isReadOnly = false
  /// The folder of the database's files; `nil` if this role may not know it.
  package var folder: String?
  /// The newest backup that was recorded; `nil`: none.
  package var lastBackup: Backup?
  /// How the server archives its log for backups; `nil`: it does not.
  package var archive: Archive?
  package var hasPrivacyNotice = true
  /// Teams with employees whose managers hear of nothing, by number.
  package var teamsWithoutContact: [TeamID] = []

  package struct Beat: Hashable, Sendable {
    package var instance: Int64
    package var at: Instant
    /// What it was built from; `nil`: a version that did not say so.
    package var version: String?
    /// Whether it has stopped because it was asked to.
    package var isStopped: Bool

    package init(instance: Int64, at: Instant, version: String? = nil, isStopped: Bool = false) {
      (self.instance, self.at) = (instance, at)
      (self.version, self.isStopped) = (version, isStopped)
    }
  }

  package struct Backup: Hashable, Sendable {
    package var finishedAt: Instant
    /// The program that made it, such as `pg_dump`.
    package var method: String

    package init(finishedAt: Instant, method: String) {
      (self.finishedAt, self.method) = (finishedAt, method)
    }
  }

  package struct Archive: Hashable, Sendable {
    package var lastAt: Instant?
    package var failedAt: Instant?

    package init(lastAt: Instant?, failedAt: Instant?) {
      (self.lastAt, self.failedAt) = (lastAt, failedAt)
    }
  }

  package init(
    postgresVersion: String, schemaVersion: Int32, now: Instant, beats: [Beat] = [],
    weeksUntil: Instant? = nil, databaseBytes: Int64 = 0, folder: String? = nil,
    archive: Archive? = nil
  ) {
    self.postgresVersion = postgresVersion
    self.schemaVersion = schemaVersion
    self.now = now
    self.beats = beats
    self.weeksUntil = weeksUntil
    self.databaseBytes = databaseBytes
    self.folder = folder
    self.archive = archive
  }
}
