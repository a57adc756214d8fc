import APIJSON
import CivilTime
import Guidance
import HTTPAPI
import HTTPServing
import JSONText
import ManagerCore
import NotificationOperations
import OperationCore
import ReadModels
import ShiftDomain

extension ManagerController {
  /// The contacts and webhooks of a team.
  var contactRoutes: [AccessRoute] {
    let (all, one) = ("/v1/teams/{team}/contacts", "/v1/teams/{team}/contacts/{contact}")
    return [
      route(.get, all, .team(.coverage)) { (request, principal) in
        let contacts = try await operations.notifications.contacts(of: request.pathTeam)
        return .object(["contacts": JSONValue(contacts) { $0.json(for: principal) }])
      },
      route(.post, all, .administrator) { (request, principal) in
        let team = try request.pathTeam
        let new = try NewContact(JSONValue(parsing: request.body))
        let added = try await operations.notifications.addContact(
          new.address, through: new.way, language: new.changes.language ?? .english,
          choices: new.changes.applied(to: ContactChoices()), to: team, by: principal
        ).get()
        let secret: JSONObject = ["secret": added.secret.map { .string($0) }]
        let place = "/v1/teams/\(team.rawValue)/contacts/\(added.contact.number)"
        return .object(
          added.contact.json(for: principal).adding(secret), status: 201,
          headers: ["Location": place])
      },
      route(.get, one, .team(.coverage)) { (request, principal) in
        let contact = try await operations.notifications.contact(
          request.pathContact, of: request.pathTeam)
        return .object(contact.json(for: principal))
      },
      route(.patch, one, .administrator) { (request, principal) in
        let (team, number) = (try request.pathTeam, try request.pathContact)
        let changes = try ContactChanges(JSONValue(parsing: request.body))
        let old = try await operations.notifications.contact(number, of: team)
        guard changes.language == nil || old.channel.hasReaders else {
          throw BodyFault(at: "/language", "is not for this channel")
        }
        let changed = try await operations.notifications.changeContact(
          number, of: team, by: principal
        ) { changes.apply(to: &$0) }.get()
        return .object(changed.contact.json(for: principal))
      },
      route(.delete, one, .administrator) { (request, principal) in
        try await operations.notifications.removeContact(
          request.pathContact, from: request.pathTeam, by: principal)
        return HTTPResponse(status: 204)
      },
      route(.post, one + "/tests", .administrator) { (request, principal) in
        let (team, number) = (try request.pathTeam, try request.pathContact)
        let test = try await operations.notifications.sendTest(
          toContact: number, of: team, by: principal
        ).get()
        let place = "/v1/teams/\(team.rawValue)/contacts/\(number)/tests/\(test.id.key)"
        return .object(test.json, status: 202, headers: ["Location": place])
      },
      route(.get, one + "/tests/{test}", .administrator) { (request, _) in
        guard let id = request.parameters["test"].flatMap({ NotificationID(key: $0) }) else {
          throw OperationError.notFound("test")
        }
        return .object(
          try await operations.notifications.contactTest(
            id, toContact: request.pathContact, of: request.pathTeam
          ).json)
      },
    ]
  }
}

/// `NewContact`, the body of `POST /v1/teams/{team}/contacts`.
private struct NewContact {
  let way: ContactChannel
  let address: String
  let changes: ContactChanges

  init(_ body: JSONValue) throws(BodyFault) {
    let fields = try JSONFields(body)
    changes = try ContactChanges(body, besides: ["channel", "address"])
    let channel: Channel = try fields.required("channel", fields.knownWord("channel"))
    guard let way = ContactChannel(channel) else {
      let codes = ContactChannel.all.map(\.channel.code).joined(separator: ", ")
      throw BodyFault(at: fields.place("channel"), "must be one of \(codes)")
    }
    self.way = way
    address = try fields.required("address", fields.text("address", min: 1, max: 2_048))
    guard changes.language == nil || way.channel.hasReaders else {
      throw BodyFault(at: fields.place("language"), "is not for a \(way.noun)")
    }
  }
}

/// `ContactChanges`, a body: what is absent stays, and quiet hours that are `null` are removed.
struct ContactChanges: Sendable {
  let language: Language?
  private let topics: ContactTopics?
  private let quiet: QuietHours?
  private let ways: ContactWays?
  private let removesQuiet: Bool

  init(_ body: JSONValue, besides others: [String] = []) throws(BodyFault) {
    let fields = try JSONFields(body)
    try fields.allow(others + ["language", "topics", "quietHours", "ways"])
    language = try fields.knownWord("language")
    topics = try fields.contactTopics()
    quiet = try fields.quietHours()
    ways = try fields.contactWays()
    removesQuiet =
      if case .object(let object) = body { object["quietHours"] == .null } else { false }
  }

  func applied(to choices: ContactChoices) -> ContactChoices {
    ContactChoices(
      topics: topics ?? choices.topics, quiet: removesQuiet ? nil : quiet ?? choices.quiet,
      ways: ways ?? choices.ways)
  }

  func apply(to contact: inout TeamContact) {
    contact.language = language?.code ?? contact.language
    contact.choices = applied(to: contact.choices)
  }
}

extension JSONFields {
  fileprivate func contactTopics() throws(BodyFault) -> ContactTopics? {
    guard let elements = try elements("topics") else { return nil }
    var topics: ContactTopics = []
    for (index, element) in elements.enumerated() {
      guard case .string(let code) = element, let topic = ContactTopic(code: code) else {
        let codes = ContactTopic.allCases.map(\.code).joined(separator: ", ")
        throw BodyFault(at: place("topics", index), "must be one of \(codes)")
      }
      topics.insert(ContactTopics(topic))
    }
    guard !elements.isEmpty else {
      throw BodyFault(at: place("topics"), "must name at least one topic")
    }
    return topics
  }

  fileprivate func contactWays() throws(BodyFault) -> ContactWays? {
    guard let elements = try elements("ways") else { return nil }
    var ways: ContactWays = []
    for (index, element) in elements.enumerated() {
      guard case .string(let code) = element, let way = ContactWay(code: code) else {
        throw BodyFault(at: place("ways", index), "must be `email` or `browser`")
      }
      ways.insert(ContactWays(way))
    }
    return ways
  }

  fileprivate func quietHours() throws(BodyFault) -> QuietHours? {
    guard let fields = try object("quietHours") else { return nil }
    try fields.allow(["from", "until", "urgentPasses"])
    let from = try fields.required("from", fields.text("from", min: 1, max: 5))
    let until = try fields.required("until", fields.text("until", min: 1, max: 5))
    let passes = try fields.flag("urgentPasses") ?? false
    guard let quiet = QuietHours(from: from, until: until, letsUrgentPass: passes) else {
      throw BodyFault(
        at: place("quietHours"), "must be two different times such as 22:00 and 06:00")
    }
    return quiet
  }
}

extension TeamContact {
  func json(for principal: Principal) -> JSONObject {
    json(address: address(for: principal))
  }
}
