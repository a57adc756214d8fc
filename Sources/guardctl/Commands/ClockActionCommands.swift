import CommandParsing
import GuardRules
import JSONText
import ManagerOperations
import ReadModels
import ReviewOperations
import ShiftDomain

let clockActionCommands = Group(
  "clock-action", "clock actions and their reviews", brief: "actions and reviews",
  Leaf(
    listCommand(
      "list clock actions, newest first",
      options: [
        .flag("review", "only those that need a review"),
        onlyTeamOption, sinceOption, limitOption,
      ], arguments: [onlyEmployeeArgument]),
    .operations(listClockActions)),
  Leaf(
    Command("show", "show one clock action", arguments: [clockActionArgument]),
    .operations(showClockAction)),
  Leaf(
    Command(
      "accept", "accept a blocked clock-in or one kept for review, and open its shift",
      options: [
        .text("end", "when the shift ended; by default it is open", placeholder: "TIME"),
        reasonOption(), byOption,
      ], arguments: [clockActionArgument],
      footer: "For other kinds of clock action, use `guardctl shift correct --clock-action`."),
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
  let rows = try await operations.reviews.clockActions(
    of: call.employee("employee"), in: try await call.onlyTeam(operations),
    awaitingOnly: awaitingOnly, since: call.since(operations), limit: call.limit)
  return Listing(
    rows,
    whenEmpty: awaitingOnly ? "No clock action needs a review." : "No clock actions.")
}

private func showClockAction(
  _ call: Invocation, _ operations: ManagerOperations
) async throws
  -> any Answer
{
  let (employee, number) = try call.pair("clock-action")
  return Card(try await operations.reviews.clockActionRow(number, of: employee))
}

private func acceptClockAction(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let (employee, number) = try call.pair("clock-action")
  return try await operations.reviews.accept(
    clockAction: number, of: employee, endedAt: call.instant("end"), reason: call.text("reason"),
    by: call.principal
  ).get().reviewed
}

private func dismissClockAction(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let (employee, number) = try call.pair("clock-action")
  return try await operations.reviews.dismiss(
    clockAction: number, of: employee, reason: call.parsed.string("reason"), by: call.principal
  ).get().reviewed
}

extension ClockActionRow {
  fileprivate var reviewed: Confirmation { Confirmation(text: [sentence], json: .object(json)) }

  private var sentence: String {
    guard review?.decision == .accepted, let shift = review?.shift else {
      return "Dismissed clock action \(text)."
    }
    let number = ShiftID(employee: device.employee, number: shift).text
    return "Accepted clock action \(text): shift \(number) begins \(at.text)."
  }
}
