import APIJSON
import CommandParsing
import JSONText
import ManagerOperations
import OperationCore
import PeopleOperations
import ReviewOperations
import ShiftDomain

/// After every change of an employee's times.
private let told = "The employee sees it in the app, and by push or e-mail if that is set up."

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
      it. \(told)
      """),
  .operations(openShift))

let endShiftCommand = Leaf(
  Command(
    "end", "end an employee's open shift",
    options: [
      .text("at", "when it ended; now without it", placeholder: "TIME"), reasonOption(), byOption,
    ],
    arguments: [employeeArgument],
    footer: """
      A correction of its end, as managers make it: TIME is like `2026-11-20T09:30:00Z`. \
      \(told) To undo it: `guardctl shift undo`.
      """),
  .operations(endShift))

let correctShiftCommand = Leaf(
  Command(
    "correct", "correct the start or end of a shift",
    options: [
      .text("start", "when it began", placeholder: "TIME"),
      .text("end", "when it ended", placeholder: "TIME"), reasonOption(),
      .integer("clock-action", "clock action that this correction accepts", in: numbers),
      byOption,
    ], arguments: [.text("shift", "employee and shift, such as `7/12`")],
    footer: """
      TIME is like `2026-11-20T09:30:00Z`. The old times are kept. Positions outside the new \
      times are deleted after 7 days. \(told)
      """),
  .operations(correctShift))

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
      times and its positions back. \(told)
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
        ? "Opened shift \(shift.text). It waits for confirmation. \(told)"
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
  let input = CorrectionRequest(
    startedAt: nil, endedAt: try call.instant("at") ?? operations.core.now(),
    reason: try call.text("reason"), clockAction: nil)
  let row = try await operations.reviews.correct(shift, input, by: call.principal).get().row
  return Confirmation(
    text: ["Ended shift \(shift.text): \(row.new.text). \(told)"],
    json: .object(JSONObject(row)))
}

private func correctShift(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let (employee, number) = try call.pair("shift")
  let input = CorrectionRequest(
    startedAt: try call.instant("start"), endedAt: try call.instant("end"),
    reason: try call.text("reason"), clockAction: call.optionalNumber("clock-action"))
  guard input.startedAt != nil || input.endedAt != nil else {
    throw Complaint.usage("nothing to correct: add `--start`, `--end` or both")
  }
  let (row, isNew) = try await operations.reviews.correct(
    ShiftID(employee: employee, number: number), input, by: call.principal
  ).get()
  return Confirmation(
    text: [
      isNew
        ? "Corrected shift \(row.shift.text): \(row.new.text). \(told)"
        : "Shift \(row.shift.text) already has these times: nothing was changed."
    ], json: .object(JSONObject(row)))
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
        told,
      ] : ["Correction \(correction) of shift \(row.shift.text) was already undone."],
    json: .object(JSONObject(row)))
}
