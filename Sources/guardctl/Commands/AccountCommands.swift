import APIJSON
import CommandParsing
import Foundation
import InstallationOperations
import JSONText
import ManagerOperations
import ReadModels
import ShiftDomain

let accountCommands = Group(
  "account", "login accounts", brief: "login accounts",
  Leaf(
    Command(
      "add", "add an account",
      options: [
        emailOption, nameOption, roleOption, teamsOption, employeeSelf, stdinOption, byOption,
      ],
      footer: passwordFooter),
    .operations { try await addAccount($0, $1, $0.coded("role", AccessRole.self)) }),
  Leaf(
    listCommand("list the accounts", options: [rowsOption]),
    .operations { try await listAccounts($0, $1, only: nil) }),
  Leaf(Command("show", "show one account", arguments: [accountArgument]), .operations(showAccount)),
  Leaf(
    Command(
      "disable", "disable an account and end its sessions", options: [byOption],
      arguments: [accountArgument]),
    .operations { try await setDisabled($0, $1, true) }),
  Leaf(
    Command(
      "enable", "enable a disabled account", options: [byOption], arguments: [accountArgument]),
    .operations { try await setDisabled($0, $1, false) }),
  Leaf(
    Command(
      "set-teams", "set the teams a manager may see; without `--team`, none",
      options: [teamsOption, byOption], arguments: [accountArgument]),
    .operations(setTeams)),
  Leaf(
    Command(
      "set-role", "set what an account may do", options: [byOption],
      arguments: [
        accountArgument,
        .choice("role", "the new role", among: AccessRole.allCases.map(\.code)),
      ]),
    .operations(setRole)),
  Leaf(
    Command(
      "reset-password", "set a new password and end the account's sessions",
      options: [stdinOption, byOption], arguments: [accountArgument], footer: passwordFooter),
    .operations(resetPassword)))

let adminCommands = Group(
  "admin", "the first administrator", brief: "first administrator",
  Leaf(
    Command(
      "create", "add an administrator account",
      options: [emailOption, nameOption, stdinOption, byOption], footer: passwordFooter),
    .operations { try await addAccount($0, $1, .administrator) }),
  Leaf(
    listCommand("list the administrators' accounts", options: [rowsOption]),
    .operations { try await listAccounts($0, $1, only: .administrator) }))

private let emailOption = Option.text("email", "e-mail address used to log in", required: true)
private let nameOption = Option.text(
  "name", "name shown with the account's actions", required: true)
private let employeeSelf = employeeOption("the holder's employee number, if any")
private let stdinOption = Option.flag(
  "password-stdin", "read the password, one line, from standard input")
private let accountArgument = Argument.integer("account", "account number, as listed", in: numbers)
private let passwordFooter = """
  Without --password-stdin, a password is generated and shown once. To type your own \
  without showing it: `read -rs P; guardctl … --password-stdin <<<"$P"`
  """

private func addAccount(
  _ call: Invocation, _ operations: ManagerOperations, _ role: AccessRole
) async throws -> any Answer {
  let (email, name) = (try call.text("email"), try call.text("name"))
  let password = try call.password()
  let row = try await operations.installation.addAccount(
    email: email,
    AccountSettings(
      name: name, role: role, teams: role == .manager ? call.teamRights() : [:],
      employee: call.employee("employee")),
    password: Password(password.text), by: call.principal
  ).get()
  let number = row.account.rawValue
  return Made(
    value: password.isMade ? password.text : "\(number)",
    explanation: ["Account \(number), \(name.showable), logs in as \(row.email.showable)."]
      + password.confirmation + seen(by: row),
    object: row.json.adding(password.json))
}

private func listAccounts(
  _ call: Invocation, _ operations: ManagerOperations, only role: AccessRole?
) async throws -> any Answer {
  let accounts = try await operations.installation.accounts().filter {
    role == nil || $0.settings.role == role
  }
  return Listing(
    call.limited(accounts),
    whenEmpty: "No accounts yet. Add one: `guardctl admin create --email ADDRESS --name NAME`")
}

private func showAccount(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  Card(try await operations.installation.account(call.account()))
}

private func setDisabled(
  _ call: Invocation, _ operations: ManagerOperations, _ isDisabled: Bool
) async throws -> any Answer {
  let row = try await operations.installation.setAccount(
    call.account(), isDisabled: isDisabled, by: call.principal
  ).get()
  let sentence = isDisabled ? "is disabled and logged out" : "is enabled again"
  return Confirmation(
    text: ["Account \(row.account.rawValue) \(sentence)."], json: .object(row.json))
}

private func setTeams(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let number = try call.account()
  let teams = try call.teamRights()
  let row = try await operations.installation.changeAccount(number, by: call.principal) {
    settings in
    var settings = settings
    settings.teams = teams
    return settings
  }.get()
  return Confirmation(
    text: ["Account \(number.rawValue) changed, effective with its next request."] + seen(by: row),
    json: .object(row.json))
}

private func setRole(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let number = try call.account()
  let role = try call.coded("role", AccessRole.self)
  let row = try await operations.installation.changeAccount(number, by: call.principal) {
    settings in
    var settings = settings
    settings.role = role
    if role != .manager { settings.teams = [:] }
    return settings
  }.get()
  return Confirmation(
    text: ["Account \(number.rawValue) is \(role.code), effective with its next request."]
      + seen(by: row),
    json: .object(row.json))
}

private func resetPassword(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let password = try call.password()
  let row = try await operations.installation.resetPassword(
    of: call.account(), to: Password(password.text), by: call.principal
  ).get()
  return Made(
    value: password.isMade ? password.text : "\(row.account.rawValue)",
    explanation: ["Account \(row.account.rawValue) has a new password and is logged out."]
      + password.confirmation, object: row.json.adding(password.json))
}

private func seen(by row: AccountRow) -> [String] {
  guard row.settings.role == .manager, row.settings.teams.isEmpty else { return [] }
  let number = row.account.rawValue
  return ["It has no teams yet: `guardctl account set-teams \(number) --team 1:coverage`"]
}

/// A password from standard input, or a generated one.
private struct GivenPassword {
  let text: String
  let isMade: Bool

  var confirmation: [String] {
    isMade ? ["", "  \(text)", "", "Shown only once. It can be changed after login."] : []
  }

  var json: JSONObject { isMade ? ["password": .string(text)] : [:] }
}

extension Invocation {
  fileprivate func account() throws(Complaint) -> AccountID { AccountID(try number("account")) }

  fileprivate func password() throws(Complaint) -> GivenPassword {
    guard parsed.flag(stdinOption.name) else {
      return GivenPassword(text: Password.randomText(), isMade: true)
    }
    guard let line = readLine() else { throw .usage("no password on standard input") }
    return GivenPassword(text: line, isMade: false)
  }
}
