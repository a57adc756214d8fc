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
      teamArgument,
      .text("date", "a day: `today`, `yesterday` or such as 2026-10-25", required: false),
    ],
    footer: """
      Without DATE, today so far. A shift counts for the day on which it began, in the team's time \
      zone. Rates are computed from totals, not averaged. \
      `guardctl shift show` gives the reason for every minute of a shift.
      """),
  .operations(coverage))

private func coverage(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let team = try await operations.people.team(call.team)
  let text = call.parsed.string("date") ?? "today"
  guard let date = day(text, in: team.timeZone, now: operations.core.now()) else {
    throw Complaint.usage(
      "`DATE` cannot be `\(text)`: write `today`, `yesterday` or a day such as 2026-10-25")
  }
  return DayCard(day: try await operations.insight.coverage(on: date, team: team.team))
}

private func day(_ text: String, in zone: String, now: Instant) -> CivilDate? {
  let today = CivilTime(zone: zone)?.date(of: now)
  return switch text {
  case "today": today
  case "yesterday": today?.advanced(by: -1)
  default: CivilDate(text)
  }
}
