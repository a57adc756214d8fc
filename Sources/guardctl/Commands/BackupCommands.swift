import CommandParsing
import InstallationOperations
import JSONText
import ManagerOperations
import ReadModels

let backupCommands = Group(
  "backup", "backups of the database that were recorded", brief: "database backups",
  Leaf(
    listCommand("list recorded backups, newest first", options: [limitOption]),
    .operations(listBackups)),
  Leaf(
    Command(
      "record", "record that a backup is finished",
      arguments: [.text("method", "the program that made it, such as `pg_dump`")],
      footer: """
        `guardctl doctor` and the metric shiftguard_last_backup_timestamp_seconds know the \
        backups that are recorded. shiftguard-backup.service records its own.
        """),
    .operations(recordBackup)))

private func listBackups(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let backups = try await operations.installation.backups(limit: call.limit)
  return Listing(
    rows: backups.map { backup in
      [
        Field("finished", FieldValue(backup.finishedAt)), Field("method", .text(backup.method)),
      ]
    },
    json: backups.map { backup in
      ["finishedAt": JSONValue(backup.finishedAt), "method": .string(backup.method)]
    }, whenEmpty: "No backup is recorded.")
}

private func recordBackup(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let method = try call.text("method")
  try await operations.installation.recordBackup(by: method)
  return Confirmation(
    text: ["Recorded a backup by \(method.showable)."], json: ["method": .string(method)])
}
