import CommandParsing
import ShiftDomain
import ShiftOperations

/// `guardctl session …`
let sessionCommands = Group(
  "session", "who is logged in",
  Leaf(
    listCommand(
      "list the sessions that have not ended, newest first",
      options: [.integer("account", "only this account's", in: numbers), limitOption]),
    .operations(listSessions)),
  Leaf(
    Command(
      "revoke", "end a session", options: [byOption],
      arguments: [.text("session", "its id, as listed")]),
    .operations(revokeSession))
).unlisted

/// `guardctl audit …`
let auditCommands = Group(
  "audit", "who looked at or did what",
  Leaf(
    listCommand(
      "list the log, newest first",
      options: [employeeOption("only what is about this employee"), limitOption]),
    .operations(listAudit))
).unlisted

private func listSessions(_ call: Invocation, _ operations: Operations) async throws -> any Answer {
  let account = call.optionalNumber("account").map { AccountID($0) }
  if let account { _ = try await operations.account(account) }
  return Listing(
    rows: try await operations.sessions(of: account, limit: call.limit).map(\.fields),
    whenEmpty: "Nobody is logged in.")
}

private func revokeSession(
  _ call: Invocation, _ operations: Operations
) async throws -> any Answer {
  let text = try call.text("session")
  guard let id = Int64(text), id > 0 else {
    throw Complaint.usage("`\(text.showable)` is no session: see `guardctl session list`")
  }
  try await operations.endSession(SessionID(id), of: nil, by: call.viewer)
  return Told(
    text: ["Session \(id) has ended."],
    json: ["session": .string(text), "revoked": .bool(true)])
}

private func listAudit(_ call: Invocation, _ operations: Operations) async throws -> any Answer {
  Listing(
    rows: try await operations.auditEntries(
      about: call.employee("employee"), limit: call.limit
    ).map(\.fields),
    whenEmpty: "Nobody looked at or did anything that is logged.")
}
