import CommandParsing
import ManagerOperations
import ShiftDomain

let sessionCommands = Group(
  "session", "login sessions",
  Leaf(
    listCommand(
      "list active sessions, newest first",
      options: [.integer("account", "only this account's", in: numbers), limitOption]),
    .operations(listSessions)),
  Leaf(
    Command(
      "revoke", "revoke a session", options: [byOption],
      arguments: [.text("session", "session id, as listed")]),
    .operations(revokeSession))
).unlisted

let auditCommands = Group(
  "audit", "the audit log",
  Leaf(
    listCommand(
      "list audit entries, newest first",
      options: [employeeOption("only entries about this employee"), limitOption]),
    .operations(listAudit))
).unlisted

private func listSessions(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let account = call.optionalNumber("account").map { AccountID($0) }
  if let account { _ = try await operations.account(account) }
  return Listing(
    rows: try await operations.sessions(of: account, limit: call.limit).map(\.fields),
    whenEmpty: "No active sessions.")
}

private func revokeSession(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let text = try call.text("session")
  guard let id = Int64(text), id > 0 else {
    throw Complaint.usage("`\(text.showable)` is not a session: see `guardctl session list`")
  }
  try await operations.endSession(SessionID(id), of: nil, by: call.principal)
  return Confirmation(
    text: ["Revoked session \(id)."],
    json: ["session": .string(text), "revoked": .bool(true)])
}

private func listAudit(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  Listing(
    rows: try await operations.auditEntries(
      about: call.employee("employee"), limit: call.limit
    ).map(\.fields),
    whenEmpty: "No audit entries.")
}
