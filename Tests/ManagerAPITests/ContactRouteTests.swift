import HTTPServing
import NotificationOperations
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("Contacts, by the API") struct ContactRouteTests {
  private static let all = "/v1/teams/1/contacts"

  // R: W11, M4
  @Test("are added, listed without secrets, tested and removed")
  func contacts() async throws {
    try await TwoTeamsWorld.withBoss { world, boss in
      let made = try await world.send(
        .post, Self.all, #"{"channel":"email","address":"m@example.com","language":"de"}"#, boss)
      #expect(made.status == 201 && made.headers["Location"] == "/v1/teams/1/contacts/1")
      let head = #"{"contact":1,"channel":"email","address":"m@example.com","language":"de","#
      let standard = #""topics":["interruptions","reviews","attendance"]}"#
      let mail = head + standard
      #expect(made.text == mail)
      let hook = try await world.send(
        .post, Self.all, #"{"channel":"webhook","address":"https://example.com/s3cret"}"#, boss)
      #expect(hook.status == 201 && hook.text.contains(#""secret":"whsec_"#))
      let listed = try await world.send(.get, Self.all, "", boss)
      let shown =
        #"{"contact":2,"channel":"webhook","address":"https://example.com/s3cret","# + standard
      #expect(listed.text == #"{"contacts":[\#(mail),\#(shown)]}"#)
      #expect(try await world.send(.get, Self.all + "/2", "", boss).text == shown)

      let test = try await world.send(.post, Self.all + "/1/tests", "", boss)
      #expect(test.status == 202 && test.text.contains(#""state":"queued""#))
      let place = try #require(test.headers["Location"])
      #expect(try await world.send(.get, place, "", boss).text == test.text)
      let foreign = place.replacing("/contacts/1/", with: "/contacts/2/")
      #expect(try await world.send(.get, foreign, "", boss).status == 404)
      #expect(try await world.send(.get, Self.all + "/1/tests/e7", "", boss).status == 404)

      #expect(try await world.send(.delete, Self.all + "/1", "", boss).status == 204)
      #expect(try await world.send(.delete, Self.all + "/1", "", boss).status == 404)
      #expect(try await world.send(.get, Self.all + "/1", "", boss).status == 404)
    }
  }

  // R: M4
  @Test("choose topics and quiet hours, which stay as they are where a change names none")
  func choices() async throws {
    try await TwoTeamsWorld.withBoss { world, boss in
      let made = try await world.send(
        .post, Self.all,
        #"{"channel":"email","address":"m@example.com","topics":["weekly_digest","away"]}"#, boss)
      #expect(made.status == 201 && made.text.hasSuffix(#""topics":["away","weekly_digest"]}"#))
      let quiet = #""quietHours":{"from":"22:00","until":"06:30","urgentPasses":true}"#
      for (body, status, part) in [
        (#"{"quietHours":{"from":"22:00","until":"6:30","urgentPasses":true}}"#, 200, quiet),
        (#"{"topics":["reviews"]}"#, 200, #""topics":["reviews"],\#(quiet)}"#),
        (#"{"language":"pl"}"#, 200, #""language":"pl","topics":["reviews"]"#),
        (#"{"ways":["browser"]}"#, 200, #""ways":["browser"]"#),
        (#"{"ways":["browser","email"]}"#, 200, #""urgentPasses":true}}"#),
        (#"{"ways":[]}"#, 422, "/ways"), (#"{"ways":["fax"]}"#, 422, "/ways/0"),
        (#"{"quietHours":null}"#, 200, #""topics":["reviews"]}"#), ("{}", 200, "reviews"),
        (#"{"topics":[]}"#, 422, "/topics"), (#"{"topics":["lunch"]}"#, 422, "/topics/0"),
        (#"{"topics":"reviews"}"#, 422, "/topics"),
        (#"{"quietHours":{"from":"22:00"}}"#, 422, "/quietHours/until"),
        (#"{"quietHours":{"from":"22:00","until":"22:00"}}"#, 422, "/quietHours"),
        (#"{"quietHours":{"from":"24:00","until":"06:00"}}"#, 422, "/quietHours"),
        (#"{"quietHours":{"from":"2200","until":"06:00"}}"#, 422, "/quietHours"),
        (#"{"address":"a@b"}"#, 422, "/address"),
      ] {
        let answer = try await world.send(.patch, Self.all + "/1", body, boss)
        #expect(answer.status == status && answer.text.contains(part), "\(body): \(answer.text)")
      }
      let hook = #"{"channel":"webhook","address":"https://a.example""#
      let refused = try await world.send(
        .post, Self.all, hook + #","topics":["weekly_digest"]}"#, boss)
      #expect(refused.status == 422 && refused.text.contains("/topics"))
      #expect(try await world.send(.post, Self.all, hook + "}", boss).status == 201)
      for body in [
        #"{"topics":["weekly_digest"]}"#, #"{"language":"de"}"#, #"{"ways":["browser"]}"#,
      ] {
        #expect(try await world.send(.patch, Self.all + "/2", body, boss).status == 422, "\(body)")
      }
      #expect(try await world.send(.patch, Self.all + "/9", "{}", boss).status == 404)
    }
  }

  // R: M4, W11
  @Test("are accounts by their own choice, for teams that they may see, and only once")
  func own() async throws {
    try await TwoTeamsWorld.run { world in
      try await world.hire("mate", teams: [1: .coverage])
      let mate = try await world.page(of: "mate")
      let (own, path) = ("/v1/account/contacts", "/v1/account/contacts/1")
      #expect(try await world.send(.get, own, "", mate).text == #"{"contacts":[]}"#)
      for topics in [#"["reviews","weekly_digest"]"#, #"["away"]"#] {
        let put = try await world.send(.put, path, #"{"topics":\#(topics)}"#, mate)
        #expect(put.status == 200 && put.text.contains(#""topics":\#(topics)"#), "\(put.text)")
      }
      let listed = try await world.send(.get, own, "", mate).text
      #expect(listed.contains(#""address":"mate@example.org""#), "\(listed)")
      #expect(listed.contains(#""team":1"#), "\(listed)")
      let contacts = try await world.operations.notifications.contacts(of: TeamID(1))
      #expect(contacts.map(\.choices.topics) == [ContactTopics(.away)])
      for other in ["2", "99"] {
        let refused = try await world.send(.put, "\(own)/\(other)", "{}", mate)
        #expect(refused.status == 409 && refused.text.contains("not_their_team"), "\(other)")
        let digest = try await world.send(.post, "\(own)/\(other)/digest", "", mate)
        #expect(digest.status == 409 && digest.text.contains("not_a_contact"), "\(other)")
      }
      #expect(try await world.send(.put, path, #"{"topics":[]}"#, mate).status == 422)
      #expect(try await world.send(.get, "/v1/teams/2/weekly-digest", "", mate).status == 404)
      let week = try await world.send(.get, "/v1/teams/1/weekly-digest", "", mate)
      #expect(week.status == 200 && week.text.contains(#""shifts":0"#), "\(week.text)")
      let sent = try await world.send(.post, path + "/digest", "", mate)
      #expect(sent.status == 409 && sent.text.contains("no_shift"), "\(sent.text)")
      world.wait(.hours(7 * 24))
      let later = try await world.send(.post, path + "/digest", "", world.page(of: "mate"))
      #expect(later.status == 202, "\(later.text)")
      let again = try await world.page(of: "mate")
      for _ in 0..<2 {
        #expect(try await world.send(.delete, path, "", again).status == 204)
      }
      #expect(try await world.operations.notifications.contacts(of: TeamID(1)).isEmpty)
    }
  }

  @Test("are refused with the place of the fault")
  func faults() async throws {
    try await TwoTeamsWorld.withBoss { world, boss in
      for (body, status, part) in [
        (#"{"channel":"fax","address":"1"}"#, 422, "/channel"),
        (#"{"channel":"apns","address":"1"}"#, 422, "must be one of email, webhook, chat"),
        (#"{"address":"m@example.com"}"#, 422, "/channel"),
        (#"{"channel":"email"}"#, 422, "/address"),
        (#"{"channel":"email","address":"m"}"#, 422, "must be an e-mail address"),
        (#"{"channel":"email","address":"m@example.com","language":"xx"}"#, 422, "/language"),
        (#"{"channel":"webhook","address":"http://a"}"#, 422, "must be an https URL"),
        (#"{"channel":"webhook","address":"https://a","language":"de"}"#, 422, "/language"),
        (#"{"channel":"email","address":"m@example.com","secret":"x"}"#, 422, "/secret"),
        (#"{"channel":"email","address":"m@example.com"}"#, 201, #""language":"en""#),
        (#"{"channel":"email","address":"m@example.com"}"#, 409, "contact_exists"),
      ] {
        let answer = try await world.send(.post, Self.all, body, boss)
        #expect(answer.status == status && answer.text.contains(part), "\(body): \(answer.text)")
      }
      for path in ["/v1/teams/99/contacts", "/v1/teams/x/contacts"] {
        #expect(try await world.send(.get, path, "", boss).status == 404, "\(path)")
      }
    }
  }

  // R: W11
  @Test("are read by the team's managers, without the path of a webhook, and changed by none")
  func managers() async throws {
    try await TwoTeamsWorld.run { world in
      try await world.hire("own", teams: [1: .coverage])
      try await world.hire("other", teams: [2: .all])
      let team = TeamID(1)
      try await world.operations.notifications.addContact("m@example.com", to: team)
      try await world.operations.notifications.addContact(
        "https://example.com/s3cret", by: .webhook, to: team)
      let own = try await world.page(of: "own")
      let listed = try await world.send(.get, Self.all, "", own)
      #expect(listed.status == 200 && listed.text.contains("m@example.com"))
      #expect(listed.text.contains("https://example.com/…") && !listed.text.contains("s3cret"))
      let other = try await world.page(of: "other")
      #expect(try await world.send(.get, Self.all, "", other).status == 404)
      for (method, path) in [
        (HTTPMethod.post, Self.all), (.delete, Self.all + "/1"), (.post, Self.all + "/1/tests"),
      ] {
        let body = path == Self.all ? #"{"channel":"email","address":"e@example.com"}"# : ""
        #expect(try await world.send(method, path, body, own).status == 403, "\(path)")
      }
      #expect(try await world.operations.notifications.contacts(of: team).count == 2)
      #expect(try await world.send(.get, "/v1/channels", "", own).status == 403)
    }
  }

  @Test("the health of channels names each of them, and no address")
  func channels() async throws {
    try await TwoTeamsWorld.withBoss { world, boss in
      try await world.operations.notifications.addContact("m@example.com", to: TeamID(1))
      let answer = try await world.send(.get, "/v1/channels", "", boss)
      #expect(answer.status == 200)
      for code in ["in_app", "apns", "fcm", "web_push", "email", "webhook"] {
        #expect(answer.text.contains(#"{"channel":"\#(code)""#), "\(code): \(answer.text)")
      }
      #expect(!answer.text.contains("example.com"))
    }
  }
}
