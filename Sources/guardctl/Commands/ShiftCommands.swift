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
    .operations(showShift)),
  Leaf(
    Command(
      "correct", "set when a shift really began or ended",
      options: [
        .text("start", "when it began", placeholder: "TIME"),
        .text("end", "when it ended", placeholder: "TIME"), reasonOption(),
        .integer("attempt", "the employee's tap that this settles", in: numbers), byOption,
      ], arguments: [.text("shift", "employee and shift, such as `7/12`")],
      footer: """
        TIME is like `2026-11-20T09:30:00Z`. What it was is kept; positions outside are deleted \
        after 7 days; the employee is told.
        """),
    .operations(correctShift)),
  Leaf(
    Command(
      "undo", "undo the newest correction of a shift",
      options: [
        .integer(
          "correction", "its number, as `shift show` lists it", in: 1...Int(Int16.max),
          required: true),
        reasonOption(), byOption,
      ], arguments: [.text("shift", "employee and shift, such as `7/12`")],
      footer: """
        A correction can be undone for 7 days, unless another shift overlaps by then. The shift \
        gets its times and its fixes back; the employee is told.
        """),
    .operations(undoCorrection)))

private func listShifts(_ call: Invocation, _ operations: Operations) async throws -> any Answer {
  let shifts = try await operations.shifts(
    of: call.employee("employee"), openOnly: call.parsed.flag("open"), limit: call.limit)
  return Listing(rows: shifts.map(\.fields), whenEmpty: "No shifts.")
}

private func showShift(_ call: Invocation, _ operations: Operations) async throws -> any Answer {
  let (employee, number) = try call.pair("shift")
  let shift = ShiftID(employee: employee, number: number)
  let story = try await operations.story(of: shift)
  return ShiftCard(row: story.row, coverage: story.coverage, history: story.history)
}

private func correctShift(_ call: Invocation, _ operations: Operations) async throws -> any Answer {
  let (employee, number) = try call.pair("shift")
  let wish = CorrectionWish(
    startedAt: try call.instant("start"), endedAt: try call.instant("end"),
    reason: try call.text("reason"), attempt: call.optionalNumber("attempt"))
  guard wish.startedAt != nil || wish.endedAt != nil else {
    throw Complaint.usage("nothing to correct: name `--start`, `--end` or both")
  }
  let outcome = try await operations.correct(
    ShiftID(employee: employee, number: number), wish, by: call.officer)
  switch outcome {
  case .corrected(let row):
    return Told(
      text: ["Corrected shift \(row.shift.text): \(row.new.text). The employee is told."],
      json: row.fields.json)
  case .unchanged(let row):
    return Told(
      text: ["Shift \(row.shift.text) is like that already: nothing was changed."],
      json: row.fields.json)
  case .impossible(let fault): throw Complaint.impossible(fault)
  case .tooMany:
    throw Complaint.conflict("a shift is corrected \(correctionsMax) times at most")
  case .outOfOrder:
    throw Complaint.conflict("the shift would begin after its newest break or take-over did")
  case .overlaps(let shift): throw Complaint.overlaps(shift)
  case .attemptNotWaiting(let row):
    throw row.settled == nil ? Complaint.nothingToSettle : Complaint.settledAlready(row)
  case .changedMeanwhile: throw Complaint.conflict("somebody else changed the shift")
  }
}

private func undoCorrection(
  _ call: Invocation, _ operations: Operations
) async throws -> any Answer {
  let (employee, number) = try call.pair("shift")
  let correction = Int16(clamping: try call.number("correction"))
  let outcome = try await operations.undo(
    correction: correction, of: ShiftID(employee: employee, number: number),
    reason: try call.text("reason"), by: call.officer)
  switch outcome {
  case .undone(let row):
    return Told(
      text: ["Shift \(row.shift.text) is as it was: \(row.new.text). The employee is told."],
      json: row.fields.json)
  case .unchanged(let row):
    return Told(
      text: ["Correction \(correction) of shift \(row.shift.text) was already undone."],
      json: row.fields.json)
  case .notNewest:
    throw Complaint.conflict("only the newest correction of a shift can be undone")
  case .tooLate:
    throw Complaint.conflict(
      "a correction can be undone for 7 days, and an open shift only before its limit")
  case .outOfOrder:
    throw Complaint.conflict("the shift would begin after its newest break or take-over did")
  case .overlaps(let shift): throw Complaint.overlaps(shift)
  }
}
