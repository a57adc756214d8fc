import CommandParsing
import GuardRules
import ShiftDomain
import ShiftOperations

/// `guardctl attempt …`
let attemptCommands = Group(
  "attempt", "taps, and those among them that wait for a manager",
  Leaf(
    listCommand(
      "list taps, newest first",
      options: [
        .flag("review", "only those that wait for a manager"),
        employeeOption("only this employee's"), limitOption,
      ]),
    .operations(listAttempts)),
  Leaf(Command("show", "show one tap", arguments: [attemptArgument]), .operations(showAttempt)),
  Leaf(
    Command(
      "accept", "open the shift that a refused clock-in asked for",
      options: [
        .text("end", "when it ended; else it is open", placeholder: "TIME"), reasonOption(),
        byOption,
      ], arguments: [attemptArgument],
      footer: "A tap that opens no shift is settled by `guardctl shift correct --attempt`."),
    .operations(acceptAttempt)),
  Leaf(
    Command(
      "dismiss", "let a tap rest: it changes nothing",
      options: [reasonOption(required: false), byOption], arguments: [attemptArgument]),
    .operations(dismissAttempt)))

private let attemptArgument = Argument.text("attempt", "employee and tap, such as `7/5`")

private func listAttempts(_ call: Invocation, _ operations: Operations) async throws -> any Answer {
  let awaitingOnly = call.parsed.flag("review")
  let rows = try await operations.attempts(
    of: call.employee("employee"), awaitingOnly: awaitingOnly, limit: call.limit)
  return Listing(
    rows: rows.map(\.fields), whenEmpty: awaitingOnly ? "No tap waits." : "No taps.")
}

private func showAttempt(_ call: Invocation, _ operations: Operations) async throws -> any Answer {
  let (employee, number) = try call.pair("attempt")
  return Card(fields: try await operations.attemptRow(number, of: employee).fields)
}

private func acceptAttempt(
  _ call: Invocation, _ operations: Operations
) async throws -> any Answer {
  let (employee, number) = try call.pair("attempt")
  return try answer(
    to: try await operations.accept(
      attempt: number, of: employee, endedAt: call.instant("end"), reason: call.text("reason"),
      by: call.officer))
}

private func dismissAttempt(
  _ call: Invocation, _ operations: Operations
) async throws -> any Answer {
  let (employee, number) = try call.pair("attempt")
  return try answer(
    to: try await operations.dismiss(
      attempt: number, of: employee, reason: call.parsed.string("reason"), by: call.officer))
}

private func answer(to outcome: SettlementOutcome) throws(Complaint) -> any Answer {
  switch outcome {
  case .settled(let row):
    return Told(text: [row.sentence], json: row.fields.json)
  case .settledAlready(let row): throw .settledAlready(row)
  case .nothingToSettle: throw .nothingToSettle
  case .needsCorrection:
    throw .conflict(
      "this tap opens no shift: correct the one it is about, `guardctl shift correct --attempt`")
  case .ownLeave: throw .ownLeave
  case .deviceRevoked:
    throw .conflict("the device was revoked and tracks no more: name an `--end`")
  case .impossible(let fault): throw .impossible(fault)
  case .laterShiftOpen(let shift):
    throw .conflict(
      "shift \(shift.text) began later and is open: correct its start, or name an `--end` before it"
    )
  case .overlaps(let shift): throw .overlaps(shift)
  }
}

extension AttemptRow {
  fileprivate var sentence: String {
    guard settled?.settlement == .accepted, let shift = settled?.shift else {
      return "Dismissed tap \(text)."
    }
    let number = ShiftID(employee: device.employee, number: shift).text
    return "Accepted tap \(text): shift \(number) begins \(at.text)."
  }
}

extension Complaint {
  static func conflict(_ text: String) -> Complaint { Complaint(status: .conflict, text: text) }

  static let nothingToSettle = conflict("the tap was answered as wished: nothing to settle")

  static func settledAlready(_ row: AttemptRow) -> Complaint {
    conflict("tap \(row.text) is settled: see `guardctl attempt show \(row.text)`")
  }

  static func overlaps(_ shift: ShiftID) -> Complaint {
    conflict(
      "it would share time with shift \(shift.text): see `guardctl shift show \(shift.text)`")
  }

  static func impossible(_ fault: SpanFault) -> Complaint {
    switch fault {
    case .endsBeforeStart: conflict("the shift would end at or before its beginning")
    case .inFuture: conflict("the shift would begin or end after now")
    case .tooLong: conflict("the shift would be too long: name an `--end`, 24 hours later at most")
    case .unchanged: conflict("the shift is like that already: nothing was changed")
    }
  }
}
