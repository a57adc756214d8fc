import CommandParsing
import Foundation
import InstallationOperations
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
        environment: "SHIFTGUARD_MIGRATIONS"),
      .text(
        "grant-to", "role of guardd, which gets the rights that it needs and no others",
        environment: "SHIFTGUARD_GRANT_TO", placeholder: "ROLE"),
    ],
    footer: """
      By default guardd connects as the role that owns the tables. With `--grant-to`, another role \
      may read and write them but not change the schema. Once given, its rights are renewed with \
      every migration.
      """),
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
  let service = call.parsed.string("grant-to").flatMap { $0.isEmpty ? nil : $0 }
  let migrator = try Migrator(directory: directory)
  let applied: [String]
  do {
    applied = try await migrator.migrate(on: pool, grantingTo: service)
  } catch let error as PostgresError {
    throw refusal(for: service, error) ?? error
  }
  let (version, roles) = try await pool.readSnapshot { (session) throws(PostgresError) in
    (try schemaVersion(on: &session), try serviceRoles(on: &session))
  }
  return Confirmation(
    text: applied.map { "Applied \($0)." } + [
      applied.isEmpty
        ? "The schema is up to date (version \(version))." : "The schema is at version \(version)."
    ] + roles.map { "guardd may connect as \($0)." },
    json: [
      "schemaVersion": .integer(Int64(version)),
      "applied": .array(applied.map(JSONValue.string)),
      "grantedTo": .array(roles.map(JSONValue.string)),
    ])
}

/// What keeps a role from migrating, or `service` from getting its rights; `nil`: something else.
private func refusal(for service: String?, _ error: PostgresError) -> Complaint? {
  guard case .broken(let state?, let detail) = error else { return nil }
  switch (state.rawValue, service) {
  case ("42704", let service?):
    return .notFound("role `\(service)` does not exist: create it with `createuser`")
  // As `grant_to_service` says by itself.
  case ("0A000", _): return Complaint(status: .conflict, text: detail)
  case ("42501", _):
    return Complaint(
      status: .conflict, text: "\(detail): migrate as the role that owns the tables")
  default: return nil
  }
}

private func status(_ call: Invocation, _ operations: ManagerOperations) async throws -> any Answer
{
  StatusAnswer(status: try await operations.installation.status())
}

private func completion(_ call: Invocation) throws -> any Answer {
  Script(text: printedText(try call.text("shell"), of: commandTree, sections: []))
}
