import APIJSON
import CommandParsing
import JSONText
import ManagerOperations
import OperationCore
import ReadModels
import ReviewOperations
import ShiftDomain

let overrideCommands = Group(
  "override", "permission for one clock-in in spite of findings", brief: "allow one clock-in",
  Leaf(
    Command(
      "give", "allow an employee one clock-in within 12 hours",
      options: [
        .texts("finding", "finding to override"), reasonOption(), byOption,
      ],
      arguments: [employeeArgument],
      footer: """
        Only the newest override counts, so name every finding: `guardctl check` lists them. \
        Coverage still shows the true cause.
        """),
    .operations(giveOverride)),
  Leaf(
    listCommand(
      "list overrides, newest first",
      options: [onlyTeamOption, sinceOption, limitOption], arguments: [onlyEmployeeArgument]),
    .operations(listOverrides)),
  Leaf(
    removeCommand(
      "withdraw", "withdraw an unused override", options: [byOption],
      arguments: [.text("override", "employee and override, such as `7/1`")]),
    .operations(withdrawOverride)))

private func giveOverride(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let employee = EmployeeID(try call.number("employee"))
  var findings: FindingSet = []
  for code in call.parsed.strings("finding") { findings.insert(try call.finding(code)) }
  guard !findings.isEmpty else {
    throw Complaint.usage("name a finding, such as `--finding denied`")
  }
  let (row, isNew) = try await operations.reviews.giveOverride(
    to: employee, findings, reason: call.text("reason"), by: call.principal
  ).get()
  return Made(
    value: row.text,
    explanation: [
      isNew
        ? "Override \(row.text) allows one clock-in until \(row.expiresAt.text)."
        : "Override \(row.text) already allows this: nothing was changed.",
      "To withdraw it: `guardctl override withdraw \(row.text)`",
    ], object: row.json.adding(["new": .bool(isNew)]))
}

private func listOverrides(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let rows = try await operations.reviews.overrides(
    of: call.employee("employee"),
    in: TeamScope().narrowed(to: try await call.onlyTeam(operations)),
    since: call.since(operations), limit: call.limit)
  return Listing(rows, whenEmpty: "No overrides.")
}

private func withdrawOverride(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let (employee, number) = try call.pair("override")
  let row = try await operations.reviews.withdrawOverride(
    number, of: employee, by: call.principal
  ).get()
  return Confirmation(text: ["Withdrew override \(row.text)."], json: .object(row.json))
}
