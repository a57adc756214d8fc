import APIJSON
import CivilTime
import CommandParsing
import Guidance
import InsightOperations
import JSONText
import ManagerOperations
import NotificationOperations
import OperationCore
import ReadModels
import ShiftDomain

// Where notifications are sent.

/// To list a team's contacts, and to add and remove one by each channel.
let contactLeaves =
  [
    Leaf(
      Command("contacts", "list a team's notification contacts", arguments: [teamArgument]),
      .operations(listContacts)),
    Leaf(
      Command(
        "digest", "show the weekly digest of the last week, or send it to a contact now",
        options: [
          .text("send-to", "the contact's e-mail address", placeholder: "EMAIL"), byOption,
        ],
        arguments: [teamArgument]),
      .operations(showDigest)),
  ]
  + ContactChannel.all.flatMap { way in
    [
      Leaf(
        Command(
          "add-\(way.noun)",
          "add a \(way.title)" + (way.hasSecret ? "; its secret is shown once" : ""),
          options: [byOption] + (way.channel.hasReaders ? [languageOption] : []) + choiceOptions,
          arguments: [teamArgument, .text(way.field, way.form)]),
        .operations { try await addContact(by: way, $0, $1) }),
      Leaf(
        Command(
          "change-\(way.noun)", "change what a \(way.title) gets, and when",
          options: [byOption] + choiceOptions,
          arguments: [teamArgument, .text(way.field, way.form)],
          footer: "Omitted choices do not change."),
        .operations { try await changeContact(by: way, $0, $1) }),
      Leaf(
        Command(
          "remove-\(way.noun)", "remove a \(way.title)", options: [byOption],
          arguments: [teamArgument, .text(way.field, way.form)]),
        .operations { try await removeContact(by: way, $0, $1) }),
    ]
  }

private let languageOption = Option.choice(
  "language", "language of the notifications", among: Language.allCases.map(\.code),
  default: Language.english.code)

private let choiceOptions = [
  Option.text(
    "topics",
    "what to be notified of: \(ContactTopic.allCases.map(\.code).joined(separator: ", "))",
    placeholder: "TOPIC,…"),
  .text(
    "quiet", "when not, in the time zone of the team, such as `22:00-06:00`; or `none`",
    placeholder: "FROM-UNTIL"),
  .choice("urgent-in-quiet", "whether urgent ones do not wait", among: ["on", "off"]),
  .text(
    "ways", "for the address of an account: `email`, `browser` (where it has alerts on), or both",
    placeholder: "WAY,…"),
]

/// The choices that the command line names; the others are as in `old`.
private func choices(_ call: Invocation, after old: ContactChoices) throws(Complaint)
  -> ContactChoices
{
  var new = old
  if let text = call.parsed.string("topics") {
    new.topics = []
    for word in text.split(separator: ",") {
      guard let topic = ContactTopic(code: String(word)) else {
        let known = ContactTopic.allCases.map(\.code).joined(separator: ", ")
        throw .usage("`\(String(word).showable)` is no topic; the topics are \(known)")
      }
      new.topics.insert(ContactTopics(topic))
    }
  }
  if let text = call.parsed.string("ways") {
    new.ways = []
    for word in text.split(separator: ",") {
      guard let way = ContactWay(code: String(word)) else {
        throw .usage("`\(String(word).showable)` is no way; the ways are email, browser")
      }
      new.ways.insert(ContactWays(way))
    }
  }
  let passes =
    call.parsed.string("urgent-in-quiet").map { $0 == "on" } ?? old.quiet?.letsUrgentPass ?? false
  switch call.parsed.string("quiet") {
  case nil:
    new.quiet = old.quiet.flatMap {
      QuietHours(from: $0.from, until: $0.until, letsUrgentPass: passes)
    }
  case "none"?: new.quiet = nil
  case let text?:
    let times = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard times.count == 2,
      let quiet = QuietHours(from: times[0], until: times[1], letsUrgentPass: passes)
    else { throw .usage("`--quiet` must be two different times such as `22:00-06:00`, or `none`") }
    new.quiet = quiet
  }
  return new
}

private func changeContact(
  by way: ContactChannel, _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let (team, address) = (try call.team, try call.text(way.field))
  let old = try await contact(address, by: way, of: team, operations)
  let new = try choices(call, after: old.choices)
  let changed = try await operations.notifications.changeContact(
    old.number, of: team, by: call.principal
  ) { $0.choices = new }.get().contact
  return confirmation(
    "\(address.showable) gets \(changed.choices.summary).", way.field, address)
}

private func contact(
  _ address: String, by way: ContactChannel, of team: TeamID, _ operations: ManagerOperations
) async throws -> TeamContact {
  let known = try await operations.notifications.contacts(of: team)
  guard let found = known.first(where: { $0.channel == way.channel && $0.address == address })
  else {
    throw OperationError.notFound("\(way.noun) `\(address)` of team \(team.rawValue)")
  }
  return found
}

private func listContacts(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let contacts = try await operations.notifications.contacts(of: call.team)
  return Listing(
    rows: contacts.map {
      [
        Field("channel", .text($0.channel.code)), Field("to", .text($0.address)),
        Field("language", .text($0.language)),
        Field("gets", .text($0.choices.summary)),
      ]
    }, json: contacts.map { $0.json(address: $0.address) },
    whenEmpty: "No contacts yet. Add one: `guardctl team add-contact N ADDRESS`")
}

private func addContact(
  by way: ContactChannel, _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let (team, address) = (try call.number("team"), try call.text(way.field))
  let language = call.parsed.string("language").flatMap { Language(code: $0) } ?? .english
  let secret = try await operations.notifications.addContact(
    address, through: way, language: language,
    choices: try choices(call, after: ContactChoices()), to: TeamID(team), by: call.principal
  ).get().secret
  let text = "Added \(way.noun) \(address.showable) to team \(team)."
  guard let secret else { return confirmation(text, way.field, address) }
  return Made(
    value: secret,
    explanation: [text, "Its requests are signed with \(secret), which is shown only once."],
    object: [way.field: .string(address), "secret": .string(secret)])
}

private func showDigest(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let team = try call.team
  let digest = try await operations.insight.lastWeek(of: team)
  guard let address = call.parsed.string("send-to") else {
    let text = digestText(digest.text(linkedTo: nil))
    return Confirmation(
      text: [text.title] + text.body.split(separator: "\n").map { String($0).showable }
        + text.steps.map { "- \($0)" },
      json: .object(digest.json(in: .english, linkedTo: nil)))
  }
  let contact = try await contact(address, by: .email, of: team, operations)
  _ = try await operations.notifications.send(
    digest, toContact: contact.number, by: call.principal
  ).get()
  return confirmation(
    "The digest is on its way to \(address.showable).", "email", address)
}

private func removeContact(
  by way: ContactChannel, _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let (team, address) = (try call.number("team"), try call.text(way.field))
  try await operations.notifications.removeContact(
    address, through: way, from: TeamID(team), by: call.principal)
  return confirmation(
    "Removed \(way.noun) \(address.showable) from team \(team).", way.field, address)
}

private func confirmation(_ text: String, _ field: String, _ address: String?) -> any Answer {
  Confirmation(text: [text], json: .object([field: address.map { .string($0) }]))
}
