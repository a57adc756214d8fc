import APIJSON
import CommandParsing
import InstallationOperations
import JSONText
import ManagerOperations
import ReadModels
import ShiftDomain

let sessionCommands = Group(
  "session", "login sessions", brief: "login sessions",
  Leaf(
    listCommand(
      "list active sessions, newest first",
      options: [.integer("account", "only this account's", in: numbers), limitOption]),
    .operations(listSessions)),
  Leaf(
    removeCommand(
      "revoke", "revoke a session", options: [byOption],
      arguments: [.text("session", "session id, as listed")]),
    .operations(revokeSession)))

let auditCommands = Group(
  "audit", "the audit log", brief: "the audit log",
  Leaf(
    listCommand(
      "list audit entries, newest first",
      options: [
        employeeOption("only entries about this employee"),
        .integer("account", "only what this account did", in: numbers),
        .text("actor", "only actors whose name contains this", placeholder: "NAME"),
        .texts("action", "only this action, such as `override_given`", placeholder: "ACTION"),
        .text("from", "only entries of this time or later", placeholder: "TIME"),
        .text("to", "only entries before this time", placeholder: "TIME"), sinceOption, limitOption,
      ]),
    .operations(listAudit)))

private func listSessions(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let account = call.optionalNumber("account").map { AccountID($0) }
  if let account { _ = try await operations.installation.account(account) }
  let sessions = try await operations.installation.sessions(of: account, limit: call.limit)
  return Listing(
    rows: sessions.map(\.fields),
    json: sessions.map { $0.json.adding(["account": JSONValue($0.account.rawValue)]) },
    whenEmpty: "No active sessions.")
}

private func revokeSession(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let text = try call.text("session")
  guard let id = Int64(text), id > 0 else {
    throw Complaint.usage("`\(text.showable)` is not a session: see `guardctl session list`")
  }
  try await operations.installation.endSession(SessionID(id), of: nil, by: call.principal)
  return Confirmation(
    text: ["Revoked session \(id)."],
    json: ["session": .string(text), "revoked": .bool(true)])
}

private func listAudit(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  var filter = AuditFilter(about: call.employee("employee"))
  filter.account = call.optionalNumber("account").map { AccountID($0) }
  filter.actor = call.parsed.string("actor")
  for code in call.parsed.strings("action") {
    guard let action = AuditAction(code: code) else {
      let known = AuditAction.allCases.map(\.code).joined(separator: ", ")
      throw Complaint.usage("`\(code.showable)` is not an action: it must be one of \(known)")
    }
    filter.actions.append(action)
  }
  let (from, since) = (try call.instant("from"), try await call.since(operations))
  guard from == nil || since == nil else {
    throw Complaint.usage("`--from` and `--since` exclude each other")
  }
  (filter.from, filter.to) = (from ?? since, try call.instant("to"))
  if let begin = filter.from, let to = filter.to, to <= begin {
    throw Complaint.usage("`--to` must be after `--\(from == nil ? "since" : "from")`")
  }
  return Listing(
    try await operations.installation.auditEntries(filter, limit: call.limit),
    whenEmpty: "No audit entries.")
}
