import CommandParsing
import GuardRules
import ManagerOperations
import ReadModels
import ShiftDomain

let clockActionCommands = Group(
  "clock-action", "clock actions and their reviews",
  Leaf(
    listCommand(
      "list clock actions, newest first",
      options: [
        .flag("review", "only those that need a review"),
        employeeOption("only this employee's"), limitOption,
      ]),
    .operations(listClockActions)),
  Leaf(
    Command("show", "show one clock action", arguments: [clockActionArgument]),
    .operations(showClockAction)),
  Leaf(
    Command(
      "accept", "accept a blocked or kept clock-in and open its shift",
      options: [
        .text("end", "when the shift ended; by default it is open", placeholder: "TIME"),
        reasonOption(), byOption,
      ], arguments: [clockActionArgument],
      footer: "To accept another clock action, use `guardctl shift correct --clock-action`."),
    .operations(acceptClockAction)),
  Leaf(
    Command(
      "dismiss", "dismiss a clock action without changing the shift",
      options: [reasonOption(required: false), byOption], arguments: [clockActionArgument]),
    .operations(dismissClockAction)))

private let clockActionArgument = Argument.text(
  "clock-action", "employee and clock action, such as `7/5`")

private func listClockActions(
  _ call: Invocation, _ operations: ManagerOperations
) async throws
  -> any Answer
{
  let awaitingOnly = call.parsed.flag("review")
  let rows = try await operations.clockActions(
    of: call.employee("employee"), awaitingOnly: awaitingOnly, limit: call.limit)
  return Listing(
    rows: rows.map(\.fields),
    whenEmpty: awaitingOnly ? "No clock action needs a review." : "No clock actions.")
}

private func showClockAction(
  _ call: Invocation, _ operations: ManagerOperations
) async throws
  -> any Answer
{
  let (employee, number) = try call.pair("clock-action")
  return Card(fields: try await operations.clockActionRow(number, of: employee).fields)
}

private func acceptClockAction(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let (employee, number) = try call.pair("clock-action")
  return try answer(
    to: try await operations.accept(
      clockAction: number, of: employee, endedAt: call.instant("end"), reason: call.text("reason"),
      by: call.actor))
}

private func dismissClockAction(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let (employee, number) = try call.pair("clock-action")
  return try answer(
    to: try await operations.dismiss(
      clockAction: number, of: employee, reason: call.parsed.string("reason"), by: call.actor))
}

private func answer(to outcome: ReviewOutcome) throws(Complaint) -> any Answer {
  switch outcome {
  case .reviewed(let row):
    return Confirmation(text: [row.sentence], json: row.fields.json)
  case .alreadyReviewed(let row): throw .alreadyReviewed(row)
  case .nothingToReview: throw .nothingToReview
  case .needsCorrection:
    throw .conflict(
      "only a clock-in can be accepted: use `guardctl shift correct --clock-action`")
  case .selfOverrideForbidden: throw .selfOverrideForbidden
  case .deviceRevoked:
    throw .conflict("the device was revoked and cannot track: add an `--end`")
  case .impossible(let fault): throw .impossible(fault)
  case .laterShiftOpen(let shift):
    throw .conflict(
      "shift \(shift.text) began later and is open: correct its start, or add an `--end` before it"
    )
  case .overlaps(let shift): throw .overlaps(shift)
  }
}

extension ClockActionRow {
  fileprivate var sentence: String {
    guard review?.decision == .accepted, let shift = review?.shift else {
      return "Dismissed clock action \(text)."
    }
    let number = ShiftID(employee: device.employee, number: shift).text
    return "Accepted clock action \(text): shift \(number) begins \(at.text)."
  }
}

extension Complaint {
  static func conflict(_ text: String) -> Complaint { Complaint(status: .conflict, text: text) }

  static let nothingToReview = conflict("the clock action was accepted: there is nothing to review")

  static func alreadyReviewed(_ row: ClockActionRow) -> Complaint {
    conflict(
      "clock action \(row.text) was already reviewed: see `guardctl clock-action show \(row.text)`")
  }

  static func overlaps(_ shift: ShiftID) -> Complaint {
    conflict("it overlaps shift \(shift.text): see `guardctl shift show \(shift.text)`")
  }

  static func impossible(_ fault: SpanFault) -> Complaint {
    switch fault {
    case .endsBeforeStart: conflict("the shift would end at or before its start")
    case .inFuture: conflict("the shift would begin or end in the future")
    case .tooLong: conflict("the shift would be too long: add an `--end` within 24 hours")
    case .unchanged: conflict("the shift already has these times: nothing was changed")
    }
  }
}
