import APIJSON
import CommandParsing
import GuardRules
import JSONText
import ManagerOperations
import OperationCore
import PeopleOperations
import ReadModels
import ShiftDomain

let plannedShiftCommands = Group(
  "planned-shift", "planned shifts", brief: "planned shifts",
  Leaf(
    listCommand(
      "list an employee's planned shifts",
      options: [.flag("all", "include past shifts"), rowsOption], arguments: [employeeArgument]),
    .operations(listPlannedShifts)),
  Leaf(
    Command(
      "add", "plan a shift",
      options: [
        .text("start", "start time, such as `2026-11-20T08:00:00+01:00`", required: true),
        .text("end", "end time, within 24 hours of the start", required: true),
        .text("sites", "only these sites of the team, such as `1 3`; by default all"), byOption,
      ], arguments: [employeeArgument], footer: "Adding the same shift again changes nothing."),
    .operations(addPlannedShift)),
  Leaf(
    Command(
      "change", "change start, end or sites of a planned shift",
      options: [
        .text("start", "new start time, such as `2026-11-20T08:00:00+01:00`"),
        .text("end", "new end time, within 24 hours of the start"),
        .text("sites", "only these sites of the team, such as `1 3`; empty: all"), byOption,
      ],
      arguments: [.text("planned-shift", "employee and id, such as `7/7530…`: see the list")],
      footer: "Refused if it is over, or if the employee has already worked in it."),
    .operations(changePlannedShift)),
  Leaf(
    removeCommand(
      "remove", "remove a planned shift", options: [byOption],
      arguments: [.text("planned-shift", "employee and id, such as `7/7530…`: see the list")]),
    .operations(removePlannedShift)),
  Leaf(
    Command(
      "copy-week", "plan the shifts of a team's week again in another week",
      options: [
        .text("from", "a day of the week to copy, such as `2026-11-16`", required: true),
        .text("to", "a day of the week to copy to", required: true),
        .flag("dry-run", "only report what would be planned and left out"), byOption,
      ], arguments: [teamArgument],
      footer: """
        Times of day and sites stay. What would overlap, falls into an absence or is in the past \
        is left out. Copying again changes nothing.
        """),
    .operations(copyWeek)),
  Leaf(
    Command(
      "import", "plan shifts from a CSV file, all or none",
      options: [.flag("dry-run", "only report what would change"), byOption],
      arguments: [.path("file", "columns employee, start, end (`2026-11-20 08:00`), sites")],
      footer: """
        Times are in the time zone of the employee's team. The column sites (`1 3`) may be \
        missing. Existing planned shifts stay. Importing the same file again changes nothing.
        """),
    .operations(importPlannedShifts)))

private func listPlannedShifts(
  _ call: Invocation, _ operations: ManagerOperations
) async throws
  -> any Answer
{
  let employee = EmployeeID(try call.number("employee"))
  let plannedShifts = try await operations.people.plannedShifts(
    of: employee, includingPast: call.parsed.flag("all"))
  return Listing(
    call.limited(plannedShifts),
    whenEmpty: "No shifts are planned for employee \(employee.rawValue).")
}

private func addPlannedShift(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let employee = EmployeeID(try call.number("employee"))
  guard let start = try call.instant("start"), let end = try call.instant("end"), start < end else {
    throw Complaint.usage("`--end` must be after `--start`")
  }
  let (plannedShift, isNew) = try await operations.people.planShift(
    employee, Interval(from: start, to: end), sites: call.siteNumbers(), by: call.principal
  ).get()
  return Made(
    value: plannedShift.text,
    explanation: [
      isNew
        ? "Planned \(plannedShift.text), from \(start.text) to \(end.text)."
        : "Planned shift \(plannedShift.text) already exists: nothing was changed.",
      "To remove it: `guardctl planned-shift remove \(plannedShift.text)`",
    ], object: plannedShift.json.adding(["new": .bool(isNew)]))
}

private func changePlannedShift(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let (_, employee, id) = try call.plannedShift()
  let (start, end) = (try call.instant("start"), try call.instant("end"))
  let sites = try call.siteNumbers()
  guard start != nil || end != nil || sites != nil else {
    throw Complaint.usage("nothing to change: add `--start`, `--end` or `--sites`")
  }
  let (row, isNew) = try await operations.people.changePlannedShift(
    id, of: employee, start: start, end: end, sites: sites, by: call.principal
  ).get()
  return Made(
    value: row.text,
    explanation: [
      isNew
        ? "Planned shift \(row.text) is now from \(row.span.start.text) to \(row.span.end.text)."
        : "Planned shift \(row.text) is already like this: nothing was changed."
    ], object: row.json.adding(["changed": .bool(isNew)]))
}

private func removePlannedShift(
  _ call: Invocation, _ operations: ManagerOperations
) async throws
  -> any Answer
{
  let (text, employee, id) = try call.plannedShift()
  guard try await operations.people.deletePlannedShift(id, of: employee, by: call.principal) else {
    throw OperationError.notFound("planned shift \(text)")
  }
  return Confirmation(
    text: ["Removed planned shift \(text)."],
    json: [
      "employee": JSONValue(employee.rawValue), "plannedShift": .string(String(id)),
      "removed": .bool(true),
    ])
}

extension Invocation {
  /// The argument `7/7530…`: as text, and its employee and id.
  fileprivate func plannedShift() throws(Complaint) -> (String, EmployeeID, Int64) {
    guard let (text, employee, id) = try longID("planned-shift") else {
      throw Complaint.usage(
        "`\(try text("planned-shift").showable)` is not a planned shift: see "
          + "`guardctl planned-shift list`")
    }
    return (text, employee, id)
  }

  /// An argument such as `7/7530…`: as text, and its employee and id; `nil` for anything else.
  func longID(_ name: String) throws(Complaint) -> (String, EmployeeID, Int64)? {
    let text = try text(name)
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false)
    guard numbers.count == 2, let employee = Int32(numbers[0]), let id = Int64(numbers[1]),
      employee > 0, id > 0
    else { return nil }
    return (text, EmployeeID(employee), id)
  }

  /// `--sites`; `nil` when absent.
  fileprivate func siteNumbers() throws(Complaint) -> [Int16]? {
    guard let text = parsed.string("sites") else { return nil }
    guard let numbers = [Int16](siteNumbers: text) else {
      throw Complaint.usage(
        "`--sites` cannot be `\(text.showable)`: write at most \(PlannedShift.sitesMax) numbers, "
          + "such as `1 3`")
    }
    return numbers
  }
}

private func importPlannedShifts(
  _ call: Invocation, _ operations: ManagerOperations
) async throws
  -> any Answer
{
  let bytes = try contents(of: call.text("file"), max: importBytesMax)
  let outcome = try await operations.people.importPlannedShifts(
    bytes, isTrial: call.parsed.flag("dry-run"), by: call.principal)
  switch outcome {
  case .done(let result): return result.confirmation
  case .faulty(let faults): return FaultyFile(faults: faults)
  }
}

private func copyWeek(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let copy = try await operations.people.copyWeek(
    of: TeamID(call.number("team")), from: call.day("from"), to: call.day("to"),
    isTrial: call.parsed.flag("dry-run"), by: call.principal
  ).get()
  let skipped = copy.skipped.map { skipped in
    "Left out: employee \(skipped.employee.rawValue), \(skipped.span.start.text) to "
      + "\(skipped.span.end.text): \(skipped.reason.code)"
  }
  return Confirmation(
    text: [
      (copy.isTrial ? "Would plan " : "Planned ") + shiftCount(copy.added)
        + ", \(copy.unchanged) already planned, \(copy.skipped.count) left out."
    ] + skipped, json: .object(copy.json))
}

private func shiftCount(_ shifts: Int) -> String { "\(shifts) \(shifts == 1 ? "shift" : "shifts")" }

extension PlannedShiftImport {
  fileprivate var confirmation: Confirmation {
    let count = "\(shiftCount(added + unchanged)): \(added) planned, \(unchanged) unchanged"
    return Confirmation(
      text: [(isTrial ? "Would import " : "Imported ") + count + "."],
      json: [
        "dryRun": .bool(isTrial), "added": .integer(Int64(added)),
        "unchanged": .integer(Int64(unchanged)),
      ])
  }
}

extension PlannedShift: Shown {
  /// `7/7530…`: an employee and the id within that employee.
  var text: String { "\(employee.rawValue)/\(id)" }

  var fields: [Field] {
    [
      Field("planned shift", .text(text)),
      Field("start", .instant(span.start)),
      Field("end", .instant(span.end)),
      Field("by", .text(createdBy)),
      Field("sites", .text(sites.siteNumbers)),
    ]
  }
}
