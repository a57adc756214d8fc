import APIJSON
import CommandParsing
import JSONText
import ManagerOperations
import OperationCore
import PeopleOperations
import ReviewOperations
import ShiftDomain

/// After every change of an employee's times.
let toldOfTimes = "The employee sees it in the app, and by push or e-mail if that is set up."

let openShiftCommand = Leaf(
  Command(
    "open", "open a shift for an employee",
    options: [
      .text("start", "when it began; now without it", placeholder: "TIME"), reasonOption(),
      byOption,
    ],
    arguments: [employeeArgument],
    footer: """
      TIME is like `2026-11-20T09:30:00Z`. No phone tracks the shift until the employee confirms \
      it. \(toldOfTimes)
      """),
  .operations(openShift))

let endShiftCommand = Leaf(
  Command(
    "end", "end an employee's open shift",
    options: [
      .text("at", "when it ended; now without it", placeholder: "END"), reasonOption(), byOption,
    ],
    arguments: [employeeArgument],
    footer: """
      A correction of its end, as managers make it: END is like `2026-11-20T09:30:00Z`, or \
      `planned-end`. \
      \(toldOfTimes) To undo it: `guardctl shift undo`.
      """),
  .operations(endShift))

let undoCorrectionCommand = Leaf(
  Command(
    "undo", "undo the newest correction of a shift",
    options: [reasonOption(), byOption],
    arguments: [
      .text("shift", "employee and shift, such as `7/12`"),
      .integer(
        "correction", "correction number, as listed by `shift show`", in: 1...Int(Int16.max)),
    ],
    footer: """
      A correction can be undone for 7 days, unless another shift overlaps. The shift gets its \
      times and its positions back. \(toldOfTimes)
      """),
  .operations(undoCorrection))

private func openShift(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let (shift, isNew) = try await operations.reviews.openShift(
    for: EmployeeID(try call.number("employee")),
    OpeningRequest(startedAt: try call.instant("start"), reason: try call.text("reason")),
    by: call.principal
  ).get()
  return Confirmation(
    text: [
      isNew
        ? "Opened shift \(shift.text). It waits for confirmation. \(toldOfTimes)"
        : "Shift \(shift.text) was already opened: nothing was changed."
    ], json: ["shift": .object(JSONObject(shift)), "new": .bool(isNew)])
}

private func endShift(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let employee = try await operations.people.employee(EmployeeID(try call.number("employee")))
  guard let shift = employee.openShiftID else {
    throw Complaint(
      status: .conflict, text: "employee \(employee.employee.rawValue) has no open shift")
  }
  var input = CorrectionRequest(reason: try call.text("reason"))
  input.end = try call.correctedEnd("at") ?? .shortcut(.now)
  let row = try await operations.reviews.correct(shift, input, by: call.principal).get().row
  return Confirmation(
    text: ["Ended shift \(shift.text): \(row.new.text). \(toldOfTimes)"],
    json: .object(JSONObject(row)))
}

private func undoCorrection(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let (employee, number) = try call.pair("shift")
  let correction = Int16(clamping: try call.number("correction"))
  let (row, isNew) = try await operations.reviews.undo(
    correction: correction, of: ShiftID(employee: employee, number: number),
    reason: try call.text("reason"), by: call.principal
  ).get()
  return Confirmation(
    text: isNew
      ? [
        "Undid correction \(correction) of shift \(row.shift.text): \(row.new.text).",
        toldOfTimes,
      ] : ["Correction \(correction) of shift \(row.shift.text) was already undone."],
    json: .object(JSONObject(row)))
}
