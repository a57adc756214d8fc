import CommandParsing
import ShiftDomain
import ShiftOperations

/// `guardctl shift …`
let shiftCommands = Group(
  "shift", "who worked when, and how much of it was tracked",
  Leaf(
    listCommand(
      "list shifts, newest first",
      options: [employeeOption("only this employee's"), openOption, limitOption]),
    .operations(listShifts)),
  Leaf(
    Command(
      "show", "show one shift with its coverage",
      arguments: [.text("shift", "employee and shift, such as `7/12`")]),
    .operations(showShift)))

private func listShifts(_ call: Invocation, _ operations: Operations) async throws -> any Answer {
  let shifts = try await operations.shifts(
    of: call.employee("employee"), openOnly: call.parsed.flag("open"), limit: call.limit)
  return Listing(rows: shifts.map(\.fields), whenEmpty: "No shifts.")
}

private func showShift(_ call: Invocation, _ operations: Operations) async throws -> any Answer {
  let (employee, number) = try call.pair("shift")
  let shift = ShiftID(employee: employee, number: number)
  return ShiftCard(
    row: try await operations.shift(shift), coverage: try await operations.coverage(of: shift))
}
