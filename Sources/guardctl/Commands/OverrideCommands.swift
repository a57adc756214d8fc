import CommandParsing
import ShiftDomain
import ShiftOperations

/// `guardctl override …`
let overrideCommands = Group(
  "override", "leave to begin one shift in spite of a finding",
  Leaf(
    Command(
      "give", "let an employee begin one shift within 12 hours",
      options: [
        .integer("employee", "whom", in: numbers, required: true),
        .texts("finding", "what to let pass; as often as needed"), reasonOption(), byOption,
      ],
      footer: """
        Only the newest one serves, so name every finding in it: `guardctl check` lists them. \
        Coverage still shows the true cause.
        """),
    .operations(giveOverride)),
  Leaf(
    listCommand(
      "list overrides, newest first",
      options: [employeeOption("only this employee's"), limitOption]),
    .operations(listOverrides)),
  Leaf(
    Command(
      "withdraw", "take one back that no shift began by",
      arguments: [.text("override", "employee and override, such as `7/1`")]),
    .operations(withdrawOverride)))

private func giveOverride(_ call: Invocation, _ operations: Operations) async throws -> any Answer {
  let employee = EmployeeID(try call.number("employee"))
  var findings: FindingSet = []
  for code in call.parsed.strings("finding") { findings.insert(try call.finding(code)) }
  guard !findings.isEmpty else {
    throw Complaint.usage("name a finding, such as `--finding denied`")
  }
  let outcome = try await operations.giveOverride(
    to: employee, findings, reason: call.text("reason"), by: call.officer)
  switch outcome {
  case .given(let row): return made(row, isNew: true)
  case .unchanged(let row): return made(row, isNew: false)
  case .changedMeanwhile: throw Complaint.conflict("somebody else gave one")
  case .ownLeave: throw Complaint.ownLeave
  }
}

private func made(_ row: OverrideRow, isNew: Bool) -> any Answer {
  Made(
    value: row.text,
    explanation: [
      isNew
        ? "Override \(row.text) serves one clock-in until \(row.expiresAt.text)."
        : "Override \(row.text) says just that: nothing was changed.",
      "To take it back: `guardctl override withdraw \(row.text)`",
    ], fields: row.fields + [Field("new", "new", .truth(isNew))])
}

private func listOverrides(
  _ call: Invocation, _ operations: Operations
) async throws -> any Answer {
  let rows = try await operations.overrides(of: call.employee("employee"), limit: call.limit)
  return Listing(rows: rows.map(\.fields), whenEmpty: "No overrides.")
}

private func withdrawOverride(
  _ call: Invocation, _ operations: Operations
) async throws -> any Answer {
  let (employee, number) = try call.pair("override")
  switch try await operations.withdrawOverride(number, of: employee) {
  case .withdrawn(let row):
    return Told(text: ["Withdrew override \(row.text): it serves nobody."], json: row.fields.json)
  case .used(let row):
    throw Complaint(
      status: .conflict, text: "override \(row.text) was used: a shift has begun by it")
  }
}

extension Complaint {
  static let ownLeave = Complaint(
    status: .conflict, text: "nobody gives leave to themselves: ask somebody else")
}
