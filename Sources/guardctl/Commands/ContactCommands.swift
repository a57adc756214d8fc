import CommandParsing
import Guidance
import JSONText
import ManagerOperations
import ShiftDomain

// Where notifications are sent.

let contactsLeaf = Leaf(
  Command("contacts", "list a team's notification contacts", options: [teamOption]),
  .operations(listContacts))

let addContactLeaf = Leaf(
  Command(
    "add-contact", "add a notification contact",
    options: [
      teamOption,
      .choice(
        "language", "language of the notifications", among: Language.allCases.map(\.code),
        default: Language.english.code),
    ],
    arguments: [emailArgument]),
  .operations(addContact))

let removeContactLeaf = Leaf(
  Command(
    "remove-contact", "remove a notification contact", options: [teamOption],
    arguments: [emailArgument]),
  .operations(removeContact))

let addWebhookLeaf = Leaf(
  Command(
    "add-webhook", "add a webhook; its secret is shown once",
    options: [teamOption], arguments: [urlArgument]),
  .operations(addWebhook))

let removeWebhookLeaf = Leaf(
  Command(
    "remove-webhook", "remove a webhook", options: [teamOption],
    arguments: [urlArgument]),
  .operations(removeWebhook))

let emailLeaf = Leaf(
  Command(
    "email", "set an employee's e-mail address for notifications",
    options: [
      .integer("employee", "the employee's number", in: numbers, required: true),
      .text("email", "the address; without it, the stored one is removed", placeholder: "ADDRESS"),
    ]),
  .operations(setEmployeeEmail))

private let urlArgument = Argument.text("url", "an https URL")

private let emailArgument = Argument.text("email", "an e-mail address")

private func listContacts(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let team = TeamID(try call.number("team"))
  let contacts = try await operations.contacts(of: team)
  let webhooks = try await operations.webhooks(of: team)
  return Listing(
    rows: contacts.map {
      [
        Field("channel", "by", .text("email")), Field("to", "to", .text($0.email)),
        Field("language", "language", .text($0.language)),
      ]
    }
      + webhooks.map {
        [
          Field("channel", "by", .text("webhook")), Field("to", "to", .text($0)),
          Field("language", "language", .text(Language.english.code)),
        ]
      },
    whenEmpty: "No contacts yet. Add one: `guardctl team add-contact --team N ADDRESS`")
}

private func addContact(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let (team, email) = (try call.number("team"), try call.text("email"))
  let language = Language(code: try call.text("language")) ?? .english
  try await operations.addContact(email, language: language, to: TeamID(team))
  return confirmation("Added contact \(email.showable) to team \(team).", email)
}

private func removeContact(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let (team, email) = (try call.number("team"), try call.text("email"))
  try await operations.removeContact(email, from: TeamID(team))
  return confirmation("Removed contact \(email.showable) from team \(team).", email)
}

private func addWebhook(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let (team, url) = (try call.number("team"), try call.text("url"))
  let secret = try await operations.addWebhook(url, to: TeamID(team))
  return Made(
    value: secret,
    explanation: [
      "Added webhook \(url.showable) to team \(team).",
      "Its requests are signed with \(secret), which is shown only once.",
    ],
    fields: [Field("url", "url", .text(url)), Field("secret", "secret", .text(secret))])
}

private func removeWebhook(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let (team, url) = (try call.number("team"), try call.text("url"))
  try await operations.removeWebhook(url, from: TeamID(team))
  return Confirmation(
    text: ["Removed webhook \(url.showable) from team \(team)."],
    json: .object(["url": .string(url)]))
}

private func setEmployeeEmail(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let (employee, email) = (try call.number("employee"), call.parsed.string("email"))
  try await operations.setEmail(email, of: EmployeeID(employee))
  guard let email else {
    return confirmation("Removed the e-mail address of employee \(employee).", nil)
  }
  return confirmation("Employee \(employee) receives e-mail at \(email.showable).", email)
}

private func confirmation(_ text: String, _ email: String?) -> any Answer {
  Confirmation(text: [text], json: .object(["email": email.map { .string($0) }]))
}
