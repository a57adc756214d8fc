import CommandParsing
import ManagerOperations
import OperationCore
import ReadModels
import ShiftDomain

let employeeCommands = Group(
  "employee", "employees; see also planned-shift, retention, privacy-notice",
  Leaf(
    Command(
      "add", "add an employee",
      options: [
        .text("name", "the employee's name", required: true),
        .integer("team", "number of the employee's team", in: numbers, required: true),
        .integer("employee", "employee number; by default the next free one", in: numbers),
      ]),
    .operations(addEmployee)),
  Leaf(
    listCommand(
      "list the employees",
      options: [.integer("team", "only this team's", in: numbers)]),
    .operations(listEmployees)),
  Leaf(
    Command(
      "show", "show one employee",
      arguments: [.integer("employee", "the employee's number", in: numbers)]),
    .operations(showEmployee)), emailLeaf, importLeaf, exportLeaf,
  eraseLeaf)

private func addEmployee(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let name = try call.text("name")
  let settings = EmployeeDetails(name: name, team: TeamID(try call.number("team")))
  let row = try await operations.addEmployee(
    call.employee("employee"), settings, by: call.principal
  ).get()
  let employee = row.employee.rawValue
  return Made(
    value: "\(employee)",
    explanation: [
      "Added employee \(employee), \(name.showable).",
      "Next, create a code for the phone: `guardctl enrol --employee \(employee)`",
    ],
    fields: [Field("employee", "employee", FieldValue(employee))])
}

private func listEmployees(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let team = call.optionalNumber("team").map { TeamID($0) }
  return Listing(
    rows: try await rows(of: operations.employees(team: team), operations),
    whenEmpty: team.map { "No employees in team \($0.rawValue)." }
      ?? "No employees yet. Add one: `guardctl employee add --team 1 --name NAME`")
}

private func showEmployee(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let employee = try await operations.employee(EmployeeID(try call.number("employee")))
  return Card(fields: try await rows(of: [employee], operations)[0])
}

private func rows(of employees: [EmployeeProfile], _ operations: ManagerOperations)
  async throws(OperationError) -> [[Field]]
{
  let names = Dictionary(
    uniqueKeysWithValues: try await operations.teams().map { ($0.team, $0.name) })
  return employees.map { $0.fields(inTeam: names[$0.team] ?? "") }
}
