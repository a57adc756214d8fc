import CommandParsing
import Guidance
import JSONText
import ShiftDomain
import ShiftOperations

// Where messages go.

/// `guardctl team contacts`
let contactsLeaf = Leaf(
  Command("contacts", "list who is told for a team", options: [teamOption]),
  .operations(listContacts))

/// `guardctl team add-contact`
let addContactLeaf = Leaf(
  Command(
    "add-contact", "add a notification contact",
    options: [
      teamOption,
      .choice(
        "language", "the language of its messages", among: Language.allCases.map(\.code),
        default: Language.english.code),
    ],
    arguments: [emailArgument]),
  .operations(addContact))

/// `guardctl team remove-contact`
let removeContactLeaf = Leaf(
  Command(
    "remove-contact", "have somebody told no more", options: [teamOption],
    arguments: [emailArgument]),
  .operations(removeContact))

/// `guardctl team add-webhook`
let addWebhookLeaf = Leaf(
  Command(
    "add-webhook", "have a program told for a team; shows its secret once",
    options: [teamOption], arguments: [urlArgument]),
  .operations(addWebhook))

/// `guardctl team remove-webhook`
let removeWebhookLeaf = Leaf(
  Command(
    "remove-webhook", "have a program told no more", options: [teamOption],
    arguments: [urlArgument]),
  .operations(removeWebhook))

/// `guardctl employee email`
let emailLeaf = Leaf(
  Command(
    "email", "set where an employee's messages are repeated",
    options: [
      .integer("employee", "whose", in: numbers, required: true),
      .text("email", "the address; without it there is none", placeholder: "ADDRESS"),
    ]),
  .operations(setEmployeeEmail))

private let teamOption = Option.integer("team", "the team's number", in: numbers, required: true)

private let urlArgument = Argument.text("url", "an https address")

private let emailArgument = Argument.text("email", "an e-mail address")

private func listContacts(_ call: Invocation, _ operations: Operations) async throws -> any Answer {
  let team = TeamID(try call.number("team"))
  let contacts = try await operations.contacts(of: team)
  let webhooks = try await operations.webhooks(of: team)
  return Listing(
    rows: contacts.map {
      [
        Field("by", "by", .text("email")), Field("to", "to", .text($0.email)),
        Field("language", "language", .text($0.language)),
      ]
    }
      + webhooks.map {
        [
          Field("by", "by", .text("webhook")), Field("to", "to", .text($0)),
          Field("language", "language", .text(Language.english.code)),
        ]
      },
    whenEmpty: "Nobody is told. Add somebody: `guardctl team add-contact --team N ADDRESS`")
}

private func addContact(_ call: Invocation, _ operations: Operations) async throws -> any Answer {
  let (team, email) = (try call.number("team"), try call.text("email"))
  let language = Language(code: try call.text("language")) ?? .english
  try await operations.addContact(email, language: language, to: TeamID(team))
  return told("\(email.showable) is told for team \(team) from now on.", email)
}

private func removeContact(
  _ call: Invocation, _ operations: Operations
) async throws -> any Answer {
  let (team, email) = (try call.number("team"), try call.text("email"))
  try await operations.removeContact(email, from: TeamID(team))
  return told("\(email.showable) is told for team \(team) no more.", email)
}

private func addWebhook(_ call: Invocation, _ operations: Operations) async throws -> any Answer {
  let (team, url) = (try call.number("team"), try call.text("url"))
  let secret = try await operations.addWebhook(url, to: TeamID(team))
  return Made(
    value: secret,
    explanation: [
      "\(url.showable) is told for team \(team) from now on.",
      "Its requests are signed with \(secret), which is shown this once.",
    ],
    fields: [Field("url", "url", .text(url)), Field("secret", "secret", .text(secret))])
}

private func removeWebhook(
  _ call: Invocation, _ operations: Operations
) async throws -> any Answer {
  let (team, url) = (try call.number("team"), try call.text("url"))
  try await operations.removeWebhook(url, from: TeamID(team))
  return Told(
    text: ["\(url.showable) is told for team \(team) no more."],
    json: .object(["url": .string(url)]))
}

private func setEmployeeEmail(
  _ call: Invocation, _ operations: Operations
) async throws -> any Answer {
  let (employee, email) = (try call.number("employee"), call.parsed.string("email"))
  try await operations.setEmail(email, of: EmployeeID(employee))
  guard let email else { return told("Employee \(employee) gets no e-mail any more.", nil) }
  return told("Employee \(employee) gets e-mail at \(email.showable).", email)
}

private func told(_ text: String, _ email: String?) -> any Answer {
  Told(text: [text], json: .object(["email": email.map { .string($0) }]))
}
