import CommandParsing
import Foundation
import JSONText
import ManagerOperations
import Postgres
import ShiftDomain
import ShiftStore

let migrateCommand = Leaf(
  Command(
    "migrate", "migrate the database to the newest schema",
    options: [
      .path(
        "migrations", "folder of the .sql files, if not found automatically",
        environment: "SHIFTGUARD_MIGRATIONS")
    ]),
  .pool(migrate))

let statusCommand = Leaf(
  Command("status", "the installation at a glance"), .operations(status))

let completionCommand = Leaf(
  Command(
    "completion", "print a completion script for your shell",
    arguments: [.choice("shell", "the shell, or `man`", among: printableTexts)],
    footer: "`man` prints the manual page."),
  .offline(completion))

private func migrate(_ call: Invocation, _ pool: Pool) async throws -> any Answer {
  guard
    let directory = call.parsed.string("migrations")
      ?? Migrator.findDirectory(from: call.executable)
  else {
    throw Complaint.usage("no migrations found: give their folder with `--migrations DIR`")
  }
  let applied = try await Migrator(directory: directory).migrate(on: pool)
  let version = try await pool.read { (session) throws(PostgresError) in
    try schemaVersion(on: &session)
  }
  return Confirmation(
    text: applied.map { "Applied \($0)." } + [
      applied.isEmpty
        ? "The schema is up to date (version \(version))." : "The schema is at version \(version)."
    ],
    json: [
      "schemaVersion": .integer(Int64(version)),
      "applied": .array(applied.map(JSONValue.string)),
    ])
}

private func status(_ call: Invocation, _ operations: ManagerOperations) async throws -> any Answer
{
  StatusAnswer(status: try await operations.status())
}

private func completion(_ call: Invocation) throws -> any Answer {
  Script(text: printedText(try call.text("shell"), of: commandTree, sections: []))
}
