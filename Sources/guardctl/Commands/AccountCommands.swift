import CommandParsing
import Foundation
import ShiftDomain
import ShiftOperations

/// `guardctl account …`
let accountCommands = Group(
  "account", "who may log in; also: admin create, session, audit",
  Leaf(
    Command(
      "add", "let somebody log in",
      options: [
        emailOption, nameOption, roleOption, teamsOption, employeeSelf, stdinOption, byOption,
      ],
      footer: passwordFooter),
    .operations { try await addAccount($0, $1, $0.coded("role", AccessRole.self)) }),
  Leaf(listCommand("list the accounts"), .operations(listAccounts)),
  Leaf(Command("show", "show one account", arguments: [accountArgument]), .operations(showAccount)),
  Leaf(
    Command(
      "disable", "keep an account from logging in, and end its sessions", options: [byOption],
      arguments: [accountArgument]),
    .operations { try await setDisabled($0, $1, true) }),
  Leaf(
    Command(
      "enable", "let an account log in again", options: [byOption], arguments: [accountArgument]),
    .operations { try await setDisabled($0, $1, false) }),
  Leaf(
    Command(
      "set-teams", "set what a manager sees; without a team, nothing",
      options: [teamsOption, byOption], arguments: [accountArgument]),
    .operations(setTeams)),
  Leaf(
    Command(
      "reset-password", "give an account a new password, and end its sessions",
      options: [stdinOption, byOption], arguments: [accountArgument], footer: passwordFooter),
    .operations(resetPassword)))

/// `guardctl admin …`
let adminCommands = Group(
  "admin", "the first account",
  Leaf(
    Command(
      "create", "let an administrator log in",
      options: [emailOption, nameOption, stdinOption, byOption], footer: passwordFooter),
    .operations { try await addAccount($0, $1, .administrator) })
).unlisted

private let emailOption = Option.text("email", "whereby they log in", required: true)
private let nameOption = Option.text("name", "how they are named in what they do", required: true)
private let employeeSelf = employeeOption("who they are themselves, if an employee")
private let stdinOption = Option.flag(
  "password-stdin", "read the password, a line, from standard input")
private let accountArgument = Argument.integer("account", "its number, as listed", in: numbers)
private let passwordFooter = """
  Without --password-stdin a password is made and shown this once. To type one unseen: \
  `read -rs P; guardctl … --password-stdin <<<"$P"`
  """

private func addAccount(
  _ call: Invocation, _ operations: Operations, _ role: AccessRole
) async throws -> any Answer {
  let (email, name) = (try call.text("email"), try call.text("name"))
  let password = try call.password()
  let outcome = try await operations.addAccount(
    email: email,
    AccountWish(
      name: name, role: role, teams: role == .manager ? call.teamRights() : [:],
      employee: call.employee("employee")),
    password: Password(password.text), by: call.viewer)
  let row = try kept(outcome)
  let number = row.account.rawValue
  return Made(
    value: password.isMade ? password.text : "\(number)",
    explanation: ["Account \(number), \(name.showable), logs in as \(row.email.showable)."]
      + password.told + seen(by: row),
    fields: row.fields + password.fields)
}

private func listAccounts(_ call: Invocation, _ operations: Operations) async throws -> any Answer {
  Listing(
    rows: try await operations.accounts().map(\.fields),
    whenEmpty: "No accounts yet. The first: `guardctl admin create --email ADDRESS --name NAME`")
}

private func showAccount(_ call: Invocation, _ operations: Operations) async throws -> any Answer {
  Card(fields: try await operations.account(call.account()).fields)
}

private func setDisabled(
  _ call: Invocation, _ operations: Operations, _ isDisabled: Bool
) async throws -> any Answer {
  let outcome = try await operations.setAccount(
    call.account(), isDisabled: isDisabled, by: call.viewer)
  let row = try kept(outcome)
  let sentence = isDisabled ? "may log in no more, and is logged out" : "may log in again"
  return Told(text: ["Account \(row.account.rawValue) \(sentence)."], json: row.fields.json)
}

private func setTeams(_ call: Invocation, _ operations: Operations) async throws -> any Answer {
  let number = try call.account()
  let teams = try call.teamRights()
  let outcome = try await operations.changeAccount(number, by: call.viewer) { settings in
    var settings = settings
    settings.teams = teams
    return settings
  }
  let row = try kept(outcome)
  return Told(
    text: ["Account \(number.rawValue) is changed, from its next request on."] + seen(by: row),
    json: row.fields.json)
}

private func resetPassword(
  _ call: Invocation, _ operations: Operations
) async throws -> any Answer {
  let password = try call.password()
  let outcome = try await operations.resetPassword(
    of: call.account(), to: Password(password.text), by: call.viewer)
  let row = try kept(outcome)
  return Made(
    value: password.isMade ? password.text : "\(row.account.rawValue)",
    explanation: ["Account \(row.account.rawValue) has a new password, and is logged out."]
      + password.told, fields: row.fields + password.fields)
}

private func seen(by row: AccountRow) -> [String] {
  guard row.settings.role == .manager, row.settings.teams.isEmpty else { return [] }
  let number = row.account.rawValue
  return ["It sees no team yet: `guardctl account set-teams \(number) --team 1:coverage`"]
}

private func kept(_ outcome: AccountOutcome) throws(Complaint) -> AccountRow {
  switch outcome {
  case .kept(let row): return row
  case .emailTaken:
    throw Complaint(status: .conflict, text: "another account has this address")
  case .weak(.tooShort):
    throw .usage("a password has at least \(Password.charactersMin) characters")
  case .weak(.tooLong): throw .usage("a password has at most \(Password.bytesMax) bytes")
  case .weak(.guessable): throw .usage("others would guess this password at once")
  case .noSuchTeam(let team): throw .notFound("no team \(team.rawValue): see `guardctl team list`")
  case .noSuchEmployee(let employee): throw .notFound("no employee \(employee.rawValue)")
  case .lastAdministrator:
    throw Complaint(status: .conflict, text: "nobody else could administer: add another first")
  case .changedMeanwhile: throw Complaint(status: .conflict, text: "somebody else changed it")
  }
}

/// A password from standard input, or one that was made.
private struct GivenPassword {
  let text: String
  let isMade: Bool

  var told: [String] {
    isMade ? ["", "  \(text)", "", "This is shown once. They can change it when logged in."] : []
  }

  var fields: [Field] { isMade ? [Field("password", "password", .text(text))] : [] }
}

extension Invocation {
  fileprivate func account() throws(Complaint) -> AccountID { AccountID(try number("account")) }

  fileprivate func password() throws(Complaint) -> GivenPassword {
    guard parsed.flag(stdinOption.name) else {
      return GivenPassword(text: Password.randomText(), isMade: true)
    }
    guard let line = readLine() else { throw .usage("there is no password on standard input") }
    return GivenPassword(text: line, isMade: false)
  }
}
