import CommandParsing
import JSONText
import Postgres
import ShiftStore

let backupCommands = Group(
  "backup", "backups of the database", brief: "backups",
  Leaf(
    Command(
      "record", "record that a backup is finished",
      arguments: [.text("method", "the program that made it, such as `pg_dump`")],
      footer: """
        `guardctl doctor` and the metric shiftguard_last_backup_timestamp_seconds know the \
        backups that are recorded. shiftguard-backup.service does so itself.
        """),
    .pool(recordBackup)))

private func recordBackup(_ call: Invocation, _ pool: Pool) async throws -> any Answer {
  let method = try call.text("method")
  guard (1...50).contains(method.unicodeScalars.count) else {
    throw Complaint.usage("`METHOD` must have 1 to 50 characters")
  }
  try await pool.transaction { (session) throws(PostgresError) in
    try ShiftStore.recordBackup(by: method, on: &session)
  }
  return Confirmation(
    text: ["Recorded a backup by \(method.showable)."], json: ["method": .string(method)])
}
