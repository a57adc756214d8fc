import CivilTime
import CommandParsing
import InsightOperations
import ManagerOperations
import ReadModels
import ShiftDomain

let coverageCommand = Leaf(
  Command(
    "coverage", "how much of a team's day was tracked",
    arguments: [
      teamArgument, .text("date", "the day in the team's time zone, such as 2026-10-25"),
    ],
    footer: """
      A shift counts for the day on which it began. Rates are computed from totals, not averaged. \
      `guardctl shift show` gives the reason for every minute of a shift.
      """),
  .operations(coverage))

private func coverage(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let text = try call.text("date")
  guard let date = CivilDate(text) else {
    throw Complaint.usage("`--date` cannot be `\(text)`: write a day such as 2026-10-25")
  }
  return DayCard(
    day: try await operations.insight.coverage(on: date, team: call.team))
}
