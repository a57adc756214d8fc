import APIJSON
import CommandParsing
import Foundation
import InstallationOperations
import JSONText
import ManagerOperations
import OperationCore
import PeopleOperations
import ReadModels
import ShiftDomain

let exportLeaf = Leaf(
  Command(
    "export", "export all data about an employee as an archive",
    options: [.path("to", "the tar file to create; it must not exist", required: true), byOption],
    arguments: [.integer("employee", "the employee's number", in: numbers)],
    footer: "The employee sees in the audit log that data was exported, and by whom."),
  .operations(exportEmployee))

let eraseLeaf = Leaf(
  Command(
    "erase", "delete all data about an employee, at once and permanently",
    options: [
      .flag("yes", "confirm; without it, nothing is done"),
      .flag("end-shift", "erase even while a shift is open"), byOption,
    ],
    arguments: [.integer("employee", "the employee's number", in: numbers)],
    footer: """
      An audit entry stays: that it was done, when and by whom. So does the number:
      no other employee gets it.
      """),
  .operations(eraseEmployee))

let retentionCommands = Group(
  "retention", "how long data is kept", brief: "how long data is kept",
  Leaf(Command("show", "show how long each kind of data is kept"), .operations(showRetention))
    .listed(aliases: ["list", "ls"]),
  Leaf(
    Command(
      "set", "set how long a kind of data is kept",
      options: [.flag("yes", "confirm a shorter time, which deletes data"), byOption],
      arguments: [
        .choice("kind", "kind of data", among: KeptKind.allCases.map(\.code)),
        .integer("days", "number of days", in: 8...36_500),
      ],
      footer: """
        Older data is deleted within a day, fixes within 8 days.
        Required: fixes ≤ coverage ≤ shifts.
        """),
    .operations(setRetention)))

let privacyNoticeCommands = Group(
  "privacy-notice", "the privacy notice that employees acknowledge", brief: "text for employees",
  Leaf(Command("show", "show the newest version"), .operations(showPrivacyNotice))
    .listed(aliases: ["list", "ls"]),
  Leaf(
    Command(
      "set", "publish a new version for every employee to read", options: [byOption],
      arguments: [.path("file", "text file in UTF-8")]),
    .operations(setPrivacyNotice)))

private func exportEmployee(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let employee = EmployeeID(try call.number("employee"))
  let path = try call.text("to")
  guard !FileManager.default.fileExists(atPath: path) else {
    throw Complaint(status: .conflict, text: "`\(path.showable)` already exists")
  }
  let archive = try await operations.people.archive(of: employee, by: call.principal)
  // Nobody else may read it.
  guard
    FileManager.default.createFile(
      atPath: path, contents: Data(archive.joined()), attributes: [.posixPermissions: 0o600])
  else { throw Complaint(status: .lostOutput, text: "`\(path.showable)` cannot be written") }
  let rows = archive.rowCount
  return Confirmation(
    text: ["Exported \(rows) rows of employee \(employee.rawValue) to \(path.showable)."],
    json: ["employee": .integer(Int64(employee.rawValue)), "rows": .integer(Int64(rows))])
}

private func eraseEmployee(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let row = try await operations.people.employee(EmployeeID(try call.number("employee")))
  let number = row.employee.rawValue
  guard call.parsed.flag("yes") else {
    throw Complaint.usage(
      "nothing was done: `--yes` deletes all data about \(row.name.showable), \(number)")
  }
  try await operations.people.erase(
    row.employee, endsShift: call.parsed.flag("end-shift"), by: call.principal
  ).get()
  return Confirmation(
    text: ["Erased employee \(number). Database backups still contain the data."],
    json: ["employee": .integer(Int64(number)), "erased": .bool(true)])
}

private func showRetention(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  Card(try await operations.installation.retention())
}

private func setRetention(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let (kind, days) = (try call.coded("kind", KeptKind.self), try call.number("days"))
  let old = try await operations.installation.retention()
  if days < old[kind], !call.parsed.flag("yes") {
    _ = try old.changed(to: [kind: days])
    let count = try await operations.installation.outlived(kind, days: days)
    let things = kind == .auditLog ? "audit entries" : "shifts"
    throw Complaint.usage(
      """
      nothing was done: with \(days) instead of \(old[kind]) days, data of \(count) \(things) is \
      deleted permanently; confirm with `--yes`
      """)
  }
  let retention = try await operations.installation.setRetention([kind: days], by: call.principal)
    .get()
  return Card(retention)
}

private func showPrivacyNotice(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  guard let privacyNotice = try await operations.installation.privacyNotice() else {
    throw Complaint.notFound(
      "no privacy notice yet: add one with `guardctl privacy-notice set FILE`")
  }
  return privacyNotice.confirmation
}

private func setPrivacyNotice(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let bytes = try contents(of: call.text("file"), max: 80_000)
  guard let text = String(validating: bytes, as: UTF8.self) else {
    throw Complaint.usage("the privacy notice is not valid UTF-8")
  }
  return try await operations.installation.setPrivacyNotice(text, by: call.principal).confirmation
}

extension Retention: Shown {
  var fields: [Field] {
    KeptKind.allCases.map { Field($0.code, .text("\(self[$0])d")) }
  }
}

extension PrivacyNotice {
  fileprivate var confirmation: Confirmation {
    Confirmation(
      text: ["Version \(version), since \(createdAt.text):", ""]
        + text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).showable },
      json: .object(json))
  }
}
