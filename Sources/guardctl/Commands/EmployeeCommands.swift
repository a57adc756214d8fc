import APIJSON
import CommandParsing
import JSONText
import ManagerOperations
import OperationCore
import PeopleOperations
import ReadModels
import ShiftDomain

let employeeCommands = Group(
  "employee", "employees and their data", brief: "employees",
  Leaf(
    Command(
      "add", "add an employee",
      options: [
        .text("name", "the employee's name", required: true),
        .integer("team", "number of the employee's team", in: numbers, required: true),
        .integer("employee", "employee number; by default the next one never used", in: numbers),
        .flag("reuse-number", "also if an employee who was erased had this number"),
        emailOption, phoneNumberOption,
      ]),
    .operations(addEmployee)),
  Leaf(
    listCommand(
      "list the employees",
      options: [
        onlyTeamOption, .flag("inactive", "only inactive employees, who are left out otherwise"),
        rowsOption,
      ]),
    .operations(listEmployees)),
  showLeaf,
  Leaf(
    Command(
      "change", "change an employee's name, team or contact details",
      options: [
        .text("name", "the new name"),
        .integer("team", "number of the new team; not while a shift is open", in: numbers),
        emailOption, phoneNumberOption, byOption,
      ],
      arguments: [employeeArgument],
      footer: "Omitted fields do not change. An empty e-mail address or phone number is removed."),
    .operations(changeEmployee)),
  Leaf(
    Command(
      "rename", "change an employee's name", options: [byOption],
      arguments: [employeeArgument, .text("name", "the new name")]),
    .operations(changeEmployee)),
  Leaf(
    Command(
      "move", "move an employee to another team; not while a shift is open", options: [byOption],
      arguments: [employeeArgument, teamArgument]),
    .operations(changeEmployee)), importLeaf, exportLeaf, eraseLeaf,
  deactivateLeaf, reactivateLeaf)

private let deactivateLeaf = Leaf(
  Command(
    "deactivate", "let an employee who has left no longer clock in",
    options: [byOption],
    arguments: [employeeArgument],
    footer: """
      Phones are revoked; enrolment codes and planned shifts that are not over are deleted, and
      absences end. Shifts and times stay. An open shift must be ended first.
      """),
  .operations(deactivateEmployee))

private let reactivateLeaf = Leaf(
  Command(
    "reactivate", "let an inactive employee clock in again",
    options: [byOption],
    arguments: [employeeArgument],
    footer: "Their phones must be enrolled again."),
  .operations(reactivateEmployee))

private func deactivateEmployee(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let row = try await operations.people.deactivate(
    EmployeeID(try call.number("employee")), by: call.principal
  ).get()
  return try await card(of: row, operations)
}

private func reactivateEmployee(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let row = try await operations.people.reactivate(
    EmployeeID(try call.number("employee")), by: call.principal)
  return try await card(of: row, operations)
}

let showLeaf = Leaf(
  Command("show", "show one employee", arguments: [employeeArgument]), .operations(showEmployee))

private let emailOption = Option.text(
  "email", "e-mail address for notifications", placeholder: "ADDRESS")
private let phoneNumberOption = Option.text(
  "phone-number", "phone number, for managers to call", placeholder: "NUMBER")

private func addEmployee(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let name = try call.text("name")
  let details = EmployeeDetails(
    name: name, email: call.parsed.string("email"),
    phoneNumber: call.parsed.string("phone-number"), team: TeamID(try call.number("team")))
  let row = try await operations.people.addEmployee(
    call.employee("employee"), mayReuse: call.parsed.flag("reuse-number"), details,
    by: call.principal
  ).get()
  let employee = row.employee.rawValue
  return Made(
    value: "\(employee)",
    explanation: [
      "Added employee \(employee), \(name.showable).",
      "Next, create a code for the phone: `guardctl enrol \(employee)`",
    ],
    object: ["employee": JSONValue(employee)])
}

private func changeEmployee(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let (name, team) = (call.parsed.string("name"), call.optionalNumber("team"))
  let (email, number) = (call.parsed.string("email"), call.parsed.string("phone-number"))
  let row = try await operations.people.changeEmployee(
    EmployeeID(try call.number("employee")), by: call.principal
  ) { details in
    if let name { details.name = name }
    if let team { details.team = TeamID(team) }
    if let email { details.email = email.isEmpty ? nil : email }
    if let number { details.phoneNumber = number.isEmpty ? nil : number }
  }.get()
  return try await card(of: row, operations)
}

private func listEmployees(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let team = call.optionalNumber("team").map { TeamID($0) }
  let isActive = !call.parsed.flag("inactive")
  let employees = call.limited(
    try await operations.people.employees(team: team, isActive: isActive))
  return Listing(
    rows: try await rows(of: employees, operations), json: employees.map(\.json),
    whenEmpty: isActive
      ? team.map { "No employees in team \($0.rawValue)." }
        ?? "No employees yet. Add one: `guardctl employee add --team 1 --name NAME`"
      : "No inactive employees.")
}

private func showEmployee(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let employee = try await operations.people.employee(EmployeeID(try call.number("employee")))
  return try await card(of: employee, operations)
}

private func card(of employee: EmployeeProfile, _ operations: ManagerOperations)
  async throws(OperationError) -> Card
{
  let team = try await operations.people.team(employee.team)
  return Card(employee.fields(inTeam: team.name), json: employee.json)
}

private func rows(of employees: [EmployeeProfile], _ operations: ManagerOperations)
  async throws(OperationError) -> [[Field]]
{
  let names = Dictionary(
    uniqueKeysWithValues: try await operations.people.teams().map { ($0.team, $0.name) })
  return employees.map { $0.fields(inTeam: names[$0.team] ?? "") }
}
