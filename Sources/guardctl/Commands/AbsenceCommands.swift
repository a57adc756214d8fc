import APIJSON
import CommandParsing
import GuardRules
import JSONText
import ManagerOperations
import OperationCore
import PeopleOperations
import ReadModels
import ShiftDomain

let absenceCommands = Group(
  "absence", "spans in which employees are not expected to work", brief: "employees' absences",
  Leaf(
    listCommand(
      "list absences, the earliest first",
      options: [onlyTeamOption, .flag("all", "include those that are over"), limitOption],
      arguments: [onlyEmployeeArgument]),
    .operations(listAbsences)),
  Leaf(
    Command(
      "add", "add an absence",
      options: [
        .text("start", "start time, such as `2026-11-20T00:00:00+01:00`", required: true),
        .text("end", "end time, within 366 days of the start", required: true),
        .text("note", "a note for managers"), byOption,
      ], arguments: [employeeArgument],
      footer: """
        Nobody is late during an absence, and no planned shift opens by itself. Adding the same \
        absence again changes nothing.
        """),
    .operations(addAbsence)),
  Leaf(
    removeCommand(
      "remove", "remove an absence", options: [byOption],
      arguments: [.text("absence", "employee and id, such as `7/7530…`: see the list")]),
    .operations(removeAbsence)))

private func listAbsences(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  var filter = ListFilter(in: TeamScope().narrowed(to: try await call.onlyTeam(operations)))
  filter.employee = call.employee("employee")
  if let employee = filter.employee { _ = try await operations.people.employee(employee) }
  if !call.parsed.flag("all") { filter.from = operations.core.now() }
  let page = try await operations.people.absences(filter, limit: call.limit)
  return Listing(page.rows, whenEmpty: "No absences.")
}

private func addAbsence(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let employee = EmployeeID(try call.number("employee"))
  guard let start = try call.instant("start"), let end = try call.instant("end"), start < end else {
    throw Complaint.usage("`--end` must be after `--start`")
  }
  let (absence, isNew) = try await operations.people.addAbsence(
    of: employee, Interval(from: start, to: end), note: call.parsed.string("note"),
    by: call.principal
  ).get()
  return Made(
    value: absence.text,
    explanation: [
      isNew
        ? "Added absence \(absence.text), from \(start.text) to \(end.text)."
        : "Absence \(absence.text) already exists: nothing was changed.",
      "To remove it: `guardctl absence remove \(absence.text)`",
    ], object: absence.json.adding(["new": .bool(isNew)]))
}

private func removeAbsence(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  guard let (text, employee, id) = try call.longID("absence") else {
    throw Complaint.usage(
      "`\(try call.text("absence").showable)` is not an absence: see `guardctl absence list`")
  }
  guard try await operations.people.removeAbsence(id, of: employee, by: call.principal) else {
    throw OperationError.notFound("absence \(text)")
  }
  return Confirmation(
    text: ["Removed absence \(text)."],
    json: [
      "employee": JSONValue(employee.rawValue), "absence": .string(String(id)),
      "removed": .bool(true),
    ])
}

extension Absence: Shown {
  /// `7/7530…`: an employee and the id within that employee.
  var text: String { "\(employee.rawValue)/\(id)" }

  var fields: [Field] {
    [
      Field("absence", .text(text)),
      Field("start", .instant(span.start)),
      Field("end", .instant(span.end)),
      Field("note", .text(note ?? "")),
      Field("by", .text(createdBy)),
    ]
  }
}
