import APIJSON
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
        let new = try NewContact(JSONFields(JSONValue(parsing: request.body)))
        let added = try await operations.notifications.addContact(
          new.address, through: new.way, language: new.language,
          getsDigest: new.getsDigest, to: team, by: principal
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
        let fields = try JSONFields(JSONValue(parsing: request.body))
        try fields.allow("weeklyDigest")
        let isOn = try fields.required("weeklyDigest", fields.flag("weeklyDigest"))
        let changed = try await operations.notifications.setDigest(
          isOn, ofContact: number, of: team, by: principal
        ).get()
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
  let language: Language
  let getsDigest: Bool

  init(_ fields: JSONFields) throws(BodyFault) {
    try fields.allow("channel", "address", "language", "weeklyDigest")
    let channel: Channel = try fields.required("channel", fields.knownWord("channel"))
    guard let way = ContactChannel(channel) else {
      let codes = ContactChannel.all.map(\.channel.code).joined(separator: ", ")
      throw BodyFault(at: fields.place("channel"), "must be one of \(codes)")
    }
    self.way = way
    address = try fields.required("address", fields.text("address", min: 1, max: 2_048))
    let language: Language? = try fields.knownWord("language")
    guard language == nil || way.channel.hasReaders else {
      throw BodyFault(at: fields.place("language"), "is not for a \(way.noun)")
    }
    self.language = language ?? .english
    getsDigest = try fields.flag("weeklyDigest") ?? false
  }
}

extension TeamContact {
  fileprivate func json(for principal: Principal) -> JSONObject {
    json(address: address(for: principal))
  }
}
