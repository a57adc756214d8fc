import APIJSON
import CivilTime
import CommandParsing
import JSONText
import ManagerOperations
import ReadModels
import ReviewOperations
import ShiftDomain

let shiftTimesCommand = Leaf(
  Command(
    "times", "list the shifts of a period with their hours",
    options: [
      .text("from", "the first day, such as 2026-10-01; without it, the pay period of today"),
      .text("to", "the last day"),
      onlyTeamOption,
      .choice("state", "only shifts in this state", among: TimesState.allCases.map(\.code)),
      rowsOption,
    ], arguments: [onlyEmployeeArgument],
    footer: """
      A shift belongs wholly to the day on which it began in its team's time zone. Hours are shown \
      to the nearest minute; `--json` has milliseconds. Managers approve shifts on the page of \
      time sheets.
      """),
  .operations(listTimes))

private func listTimes(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let settings = try await operations.reviews.payrollSettings()
  var period = PayPeriod(
    of: CivilTime(zone: "UTC")?.date(of: operations.core.now()) ?? settings.firstDay, settings)
  if call.parsed.string("from") != nil || call.parsed.string("to") != nil {
    period = PayPeriod(from: try call.day("from"), to: try call.day("to"))
  }
  let state = call.parsed.string("state").flatMap { TimesState(code: $0) }
  let sheet = try await operations.reviews.timeSheet(
    for: call.principal, period, team: call.optionalNumber("team").map { TeamID($0) },
    employee: call.employee("employee"), state: state)
  let entries = call.limited(sheet.lines.flatMap { line in line.entries.map { (line, $0) } })
  return Listing(
    rows: entries.map { line, entry in entry.fields(of: line.name) },
    json: entries.map { line, entry in entry.json().adding(["name": .string(line.name)]) },
    whenEmpty: "No shift began from \(period.from.text) to \(period.to.text).")
}

extension Invocation {
  func day(_ name: String) throws(Complaint) -> CivilDate {
    let text = try text(name)
    guard let day = CivilDate(text) else {
      throw .usage("`--\(name)` cannot be `\(text.showable)`: write a day such as 2026-10-25")
    }
    return day
  }
}

extension TimeSheetEntry {
  fileprivate func fields(of name: String) -> [Field] {
    [
      Field("shift", .text(times.shift.text)),
      Field("name", .text(name)),
      Field("date", .text(place.date.text)),
      Field("start", .instant(times.startedAt), isDetail: true),
      Field("end", FieldValue(times.endedAt), isDetail: true),
      Field("breaks", .text(times.breaks.hoursAndMinutes)),
      Field("worked", FieldValue(times.worked?.hoursAndMinutes)),
      Field("paid", FieldValue(times.paid?.hoursAndMinutes)),
      Field("corrections", times.corrections.map { FieldValue($0) } ?? .absent),
      Field("state", .text(times.state.code)),
      Field("approved by", FieldValue(times.approval?.by), isDetail: true),
    ]
  }
}
