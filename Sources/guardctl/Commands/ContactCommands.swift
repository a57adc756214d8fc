import APIJSON
import CommandParsing
import Guidance
import JSONText
import ManagerOperations
import NotificationOperations
import OperationCore
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
        "digest", "send a contact the weekly digest by e-mail, or stop it",
        options: [
          .choice("weekly", "whether to send it", among: ["on", "off"], required: true), byOption,
        ], arguments: [teamArgument, .text("email", ContactChannel.email.form)]),
      .operations(setDigest)),
  ]
  + ContactChannel.all.flatMap { way in
    [
      Leaf(
        Command(
          "add-\(way.noun)",
          "add a \(way.title)" + (way.hasSecret ? "; its secret is shown once" : ""),
          options: [byOption] + (way.channel.hasReaders ? [languageOption] : []),
          arguments: [teamArgument, .text(way.field, way.form)]),
        .operations { try await addContact(by: way, $0, $1) }),
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

private func listContacts(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let contacts = try await operations.notifications.contacts(of: call.team)
  return Listing(
    rows: contacts.map {
      [
        Field("channel", .text($0.channel.code)), Field("to", .text($0.address)),
        Field("language", .text($0.language)),
        Field("weekly digest", .truth($0.getsDigest)),
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
    address, through: way, language: language, to: TeamID(team), by: call.principal
  ).get().secret
  let text = "Added \(way.noun) \(address.showable) to team \(team)."
  guard let secret else { return confirmation(text, way.field, address) }
  return Made(
    value: secret,
    explanation: [text, "Its requests are signed with \(secret), which is shown only once."],
    object: [way.field: .string(address), "secret": .string(secret)])
}

private func setDigest(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let (team, address) = (TeamID(try call.number("team")), try call.text("email"))
  let isOn = try call.text("weekly") == "on"
  let contact = try await operations.notifications.contacts(of: team).first {
    $0.channel == .email && $0.address == address
  }
  guard let contact else {
    throw OperationError.notFound("contact `\(address)` of team \(team.rawValue)")
  }
  _ = try await operations.notifications.setDigest(
    isOn, ofContact: contact.number, of: team, by: call.principal
  )
  .get()
  return confirmation(
    isOn
      ? "\(address.showable) gets the weekly digest of team \(team.rawValue)."
      : "\(address.showable) does not get the weekly digest of team \(team.rawValue) any more.",
    "email", address)
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
