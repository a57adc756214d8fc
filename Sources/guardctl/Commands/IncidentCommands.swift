import CommandParsing
import InsightOperations
import ManagerOperations
import ShiftDomain

let incidentCommands = Group(
  "incident", "when tracking was impaired, and why", brief: "impaired tracking",
  Leaf(
    listCommand(
      "list incidents, newest first",
      options: [
        onlyTeamOption, openOption, sinceOption,
        limitOption,
      ], arguments: [onlyEmployeeArgument]),
    .operations(listIncidents)),
  Leaf(
    Command(
      "show", "show one incident",
      arguments: [.text("incident", "employee and incident, such as `7/3`")]),
    .operations(showIncident)))

private func listIncidents(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let page = try await operations.insight.incidentPage(
    try await call.listFilter(operations), limit: call.limit)
  return Listing(page.rows, whenEmpty: "No incidents.")
}

private func showIncident(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let (employee, number) = try call.pair("incident")
  let incident = IncidentID(employee: employee, number: number)
  return Card(try await operations.insight.incidentDetails(of: incident))
}
