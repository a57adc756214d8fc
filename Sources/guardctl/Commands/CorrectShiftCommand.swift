import APIJSON
import CommandParsing
import JSONText
import ManagerOperations
import OperationCore
import ReviewOperations
import ShiftDomain

let correctShiftCommand = Leaf(
  Command(
    "correct", "correct the start, end or breaks of a shift",
    options: [
      .text("start", "when it began", placeholder: "TIME"),
      .text("end", "when it ended", placeholder: "END"),
      .texts("add-break", "one more break", placeholder: "TIME/TIME"),
      .texts("move-break", "other times of a break", placeholder: "N=TIME/TIME"),
      .texts("remove-break", "no such break", placeholder: "N"), reasonOption(),
      .integer("clock-action", "clock action that this correction accepts", in: numbers),
      byOption,
    ], arguments: [.text("shift", "employee and shift, such as `7/12`")],
    footer: """
      TIME is like `2026-11-20T09:30:00Z`, END is that, `now` or `planned-end`, N is the place of \
      a break in the list of `shift show`. The old times are kept. Positions outside the new \
      times are deleted after 7 days. \(toldOfTimes)
      """),
  .operations(correctShift))

private func correctShift(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let (employee, number) = try call.pair("shift")
  let shift = ShiftID(employee: employee, number: number)
  var input = CorrectionRequest(
    startedAt: try call.instant("start"), reason: try call.text("reason"),
    clockAction: call.optionalNumber("clock-action"))
  input.end = try call.correctedEnd("end")
  var seen: Set<String>?
  if let change = try BreakChange(call) {
    // If the breaks have changed meanwhile, their places may be others.
    let times = try await operations.insight.shiftDetails(of: shift).times
    (input.breaks, seen) = (try change.applied(to: times.breaks), [times.tag])
  }
  guard !input.isEmpty else {
    throw Complaint.usage("nothing to correct: add `--start`, `--end` or a change of breaks")
  }
  let (row, isNew) = try await operations.reviews.correct(
    shift, input, matching: seen, by: call.principal
  ).get()
  return Confirmation(
    text: [
      isNew
        ? "Corrected shift \(row.shift.text): \(row.new.text). \(toldOfTimes)"
        : "Shift \(row.shift.text) already has these times: nothing was changed."
    ], json: .object(JSONObject(row)))
}
