import CommandParsing
import Foundation
import JSONText
import ShiftDomain
import ShiftOperations

/// `guardctl employee export`
let exportLeaf = Leaf(
  Command(
    "export", "copy all that is kept of an employee into an archive",
    options: [.path("to", "the tar file to write; none may be there", required: true), byOption],
    arguments: [.integer("employee", "their number", in: numbers)],
    footer: "The employee reads in the log that it was copied, and by whom."),
  .operations(exportEmployee))

/// `guardctl employee erase`
let eraseLeaf = Leaf(
  Command(
    "erase", "remove all that is kept of an employee, at once and for good",
    options: [
      .flag("yes", "do it; without this nothing is done"),
      .flag("end-shift", "do it even while a shift is open"), byOption,
    ],
    arguments: [.integer("employee", "their number", in: numbers)],
    footer: "Only an entry of the log stays: that it was done, when and by whom."),
  .operations(eraseEmployee))

/// `guardctl retention …`
let retentionCommands = Group(
  "retention", "how long things are kept",
  Leaf(Command("show", "show how long each kind of data is kept"), .operations(showRetention)),
  Leaf(
    Command(
      "set", "keep a kind of data for so long from now on", options: [byOption],
      arguments: [
        .choice("kind", "what", among: KeptKind.allCases.map(\.code)),
        .integer("days", "how many days", in: 8...36_500),
      ], footer: "What is older goes within a day. Fixes ≤ coverage ≤ shifts."),
    .operations(setRetention))
).unlisted

/// `guardctl notice …`
let noticeCommands = Group(
  "notice", "what employees are told of what is kept of them",
  Leaf(Command("show", "show the newest version"), .operations(showNotice)),
  Leaf(
    Command(
      "set", "add a version, which every employee is shown", options: [byOption],
      arguments: [.path("file", "the text, in UTF-8")]),
    .operations(setNotice))
).unlisted

private func exportEmployee(
  _ call: Invocation, _ operations: Operations
) async throws -> any Answer {
  let employee = EmployeeID(try call.number("employee"))
  let path = try call.text("to")
  guard !FileManager.default.fileExists(atPath: path) else {
    throw Complaint(status: .conflict, text: "`\(path.showable)` is there already")
  }
  let copy = try await operations.copy(employee, by: call.viewer)
  let archive = Data(TarArchive(copy.files, at: copy.asOf).bytes)
  // For nobody else's eyes.
  guard
    FileManager.default.createFile(
      atPath: path, contents: archive, attributes: [.posixPermissions: 0o600])
  else { throw Complaint(status: .lostOutput, text: "`\(path.showable)` cannot be written") }
  let rows = copy.tables.reduce(0) { $0 + $1.rows.count }
  return Told(
    text: ["Copied \(rows) rows of employee \(employee.rawValue) to \(path.showable)."],
    json: ["employee": .integer(Int64(employee.rawValue)), "rows": .integer(Int64(rows))])
}

private func eraseEmployee(_ call: Invocation, _ operations: Operations) async throws -> any Answer
{
  let row = try await operations.staffMember(EmployeeID(try call.number("employee")))
  let number = row.employee.rawValue
  guard call.parsed.flag("yes") else {
    throw Complaint.usage(
      "nothing was done: `--yes` removes all that is kept of \(row.name.showable), \(number)")
  }
  switch try await operations.erase(
    row.employee, endsShift: call.parsed.flag("end-shift"), by: call.viewer)
  {
  case .erased:
    return Told(
      text: ["Erased employee \(number). Backups of the database still know them."],
      json: ["employee": .integer(Int64(number)), "erased": .bool(true)])
  case .onShift(let shift):
    throw Complaint(
      status: .conflict, text: "shift \(shift.text) is open: end it first, or add `--end-shift`")
  }
}

private func showRetention(_ call: Invocation, _ operations: Operations) async throws -> any Answer
{
  Card(fields: try await operations.retention().fields)
}

private func setRetention(_ call: Invocation, _ operations: Operations) async throws -> any Answer {
  switch try await operations.setRetention(
    [call.coded("kind", KeptKind.self): call.number("days")], by: call.viewer)
  {
  case .kept(let retention), .changedMeanwhile(let retention): Card(fields: retention.fields)
  }
}

private func showNotice(_ call: Invocation, _ operations: Operations) async throws -> any Answer {
  guard let notice = try await operations.privacyNotice() else {
    throw Complaint.notFound("no notice yet: `guardctl notice set FILE`")
  }
  return notice.told
}

private func setNotice(_ call: Invocation, _ operations: Operations) async throws -> any Answer {
  let bytes = try contents(of: call.text("file"), max: 80_000)
  guard let text = String(validating: bytes, as: UTF8.self) else {
    throw Complaint.usage("the notice is no UTF-8 text")
  }
  return try await operations.setPrivacyNotice(text, by: call.viewer).told
}

extension Retention {
  fileprivate var fields: [Field] {
    KeptKind.allCases.map { Field($0.code, $0.code, .text("\(self[$0])d")) }
  }
}

extension PrivacyNotice {
  fileprivate var told: Told {
    Told(
      text: ["Version \(version), since \(createdAt.text):", ""]
        + text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).showable },
      json: [
        "version": .integer(Int64(version)), "createdAt": JSONValue(createdAt),
        "text": .string(text),
      ])
  }
}
