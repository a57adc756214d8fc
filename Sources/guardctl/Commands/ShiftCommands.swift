import APIJSON
import CommandParsing
import InsightOperations
import JSONText
import ManagerOperations
import OperationCore
import ShiftDomain

let shiftCommands = Group(
  "shift", "shifts, their coverage and corrections", brief: "shifts, corrections",
  Leaf(
    listCommand(
      "list shifts, newest first",
      options: [
        onlyTeamOption, openOption, sinceOption,
        limitOption,
      ], arguments: [onlyEmployeeArgument]),
    .operations(listShifts)),
  Leaf(
    Command(
      "show", "show one shift with its coverage",
      arguments: [.text("shift", "employee and shift, such as `7/12`")]),
    .operations(showShift)),
  shiftTimesCommand,
  addShiftCommand, openShiftCommand, endShiftCommand, correctShiftCommand, undoCorrectionCommand)

private func listShifts(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let page = try await operations.insight.shiftPage(
    try await call.listFilter(operations), limit: call.limit)
  return Listing(page.rows, whenEmpty: "No shifts.")
}

private func showShift(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let (employee, number) = try call.pair("shift")
  let shift = ShiftID(employee: employee, number: number)
  let details = try await operations.insight.shiftDetails(of: shift)
  return ShiftCard(
    details: details,
    visits: try await operations.insight.siteVisits(of: details.row, for: call.principal))
}
