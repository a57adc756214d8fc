import BackgroundOperations
import GuardRules
import InstallationOperations
import ManagerCore
import NotificationOperations
import PolicyOperations
import ReadModels
import ShiftDomain
import Testing

@testable import WebPages

@Suite("The page of a team's contacts") struct ContactsPageTests {
  private static let path = "/settings/teams/1/contacts"
  private let manager = Principal(
    actor: AuditActor(name: "Mate"), role: .manager, teams: [TeamID(1): .coverage])

  // R: M4
  @Test("is reached in two clicks, adds a contact and removes it after a confirmation")
  func contacts() async throws {
    try await withQuietServer { server in
      let manager = server.day.operations.manager
      let (_, settings) = try await server.get("/settings")
      #expect(settings.contains(#"href="\#(Self.path)""#))
      #expect(settings.contains("No contact: no manager is notified"))
      #expect(settings.contains("None yet: employees enrol without reading one"))
      #expect(try await server.get("/settings/teams/1").1.contains(#"href="\#(Self.path)""#))
      #expect(try await server.get(Self.path).1.contains("No contacts yet"))
      let (added, _) = try await server.post(
        Self.path, "channel=email&address=boss%40example.com&language=pl")
      #expect(added.headers["Location"] == Self.path + "?done=added")
      let (_, text) = try await server.get(Self.path + "?done=added")
      #expect(text.contains("Contact added.") && text.contains("E-mail, in Polish"))
      let (again, fault) = try await server.post(
        Self.path, "channel=email&address=boss%40example.com&language=pl")
      #expect(again.status == 422 && fault.contains("Team 1 already has the contact"))
      #expect(fault.contains(#"value="boss@example.com""#))
      for form in ["channel=email&address=boss", "channel=fcm&address=a%40b", "address=a%40b"] {
        #expect(try await server.post(Self.path, form).0.status == 422, "\(form)")
      }

      let (asked, question) = try await server.post(Self.path + "/1/remove", "")
      #expect(asked.status == 200 && question.contains("Remove boss@example.com?"))
      #expect(question.contains("no manager is notified"))
      #expect(try await manager.notifications.contacts(of: TeamID(1)).count == 1)
      let (removed, _) = try await server.post(Self.path + "/1/remove", "sure=yes")
      #expect(removed.headers["Location"] == Self.path + "?done=removed")
      #expect(try await manager.notifications.contacts(of: TeamID(1)).isEmpty)
      #expect(try await server.post(Self.path + "/1/remove", "sure=yes").0.status == 404)
      let (_, audit) = try await server.get("/audit")
      #expect(audit.contains("removed a notification contact of"), "\(audit)")
    }
  }

  @Test("shows the secret of a webhook once")
  func webhook() async throws {
    try await withQuietServer { server in
      let (made, text) = try await server.post(
        Self.path, "channel=webhook&address=https%3A%2F%2Fexample.com%2Fhook")
      #expect(made.status == 200 && text.contains("<code>whsec_"), "\(text)")
      #expect(text.contains("It is not shown again."))
      #expect(try await server.get(Self.path).1.contains("whsec_") == false)
    }
  }

  // R: M4
  @Test("lets a contact choose topics and quiet hours, and keeps what was typed after an error")
  func choices() async throws {
    try await withQuietServer { server in
      let manager = server.day.operations.manager
      try await manager.notifications.addContact("boss@example.com", to: TeamID(1))
      let form = "choices=on&topic=away&topic=weekly_digest&language=pl"
      let (sent, _) = try await server.post(
        Self.path + "/1", form + "&from=22%3A00&until=06%3A30&urgent=on")
      #expect(sent.headers["Location"] == Self.path + "?done=changed")
      let (_, page) = try await server.get(Self.path + "?done=changed")
      for part in [
        "Choices saved.", "E-mail, in Polish",
        "Employees away from every site; Weekly digest, on Mondays at 08:00. Quiet from 22:00 to "
          + "06:30, but not for urgent ones",
        #"value="away" checked"#, #"name="topic" value="reviews"><span>"#, #"value="22:00""#,
      ] {
        #expect(page.contains(part), "\(part) in \(page)")
      }
      for (more, reason) in [
        ("&from=22%3A00", "two different times"), ("&from=22%3A00&until=22%3A00", "two different"),
        ("&from=%00&until=1%3A00", "two different"),
      ] {
        let (refused, text) = try await server.post(Self.path + "/1", form + more)
        #expect(refused.status == 422 && text.contains(reason), "\(more)")
        #expect(text.contains("<details open>"))
      }
      let (none, text) = try await server.post(
        Self.path + "/1", "choices=on&from=01%3A00&until=02%3A00")
      #expect(none.status == 422 && text.contains("Choose at least one topic."))
      #expect(text.contains(#"value="01:00""#) && !text.contains(#"value="away" checked"#))
      let (_, log) = try await server.get("/audit")
      #expect(log.contains("changed what a notification contact of the team “Coast” gets"))
      #expect(log.contains("contact 1, by email: away") && !log.contains("boss@example.com"))
      #expect(try await server.post(Self.path + "/9", form).0.status == 404)
      try await manager.notifications.addContact(
        "https://example.com/hook", by: .webhook, to: TeamID(1))
      #expect(try await server.post(Self.path + "/2", form).0.status == 422)
    }
  }

  // R: M4
  @Test("adds a chat webhook, whose address only administrators see whole")
  func chat() async throws {
    try await withQuietServer { server in
      let (added, _) = try await server.post(
        Self.path, "channel=chat&address=https%3A%2F%2Fhooks.example.com%2Fs3cret&language=de")
      #expect(added.headers["Location"] == Self.path + "?done=added")
      let (_, text) = try await server.get(Self.path)
      #expect(text.contains("hooks.example.com/s3cret") && text.contains("Chat webhook, in German"))
      #expect(!text.contains("whsec_"))
    }
  }

  private func account(
    _ name: String, _ role: AccessRole, _ teams: [TeamID: TeamRights] = [:], in day: DemoDay
  ) async throws -> Principal {
    let row = try await day.operations.installation.addAccount(
      email: "\(name)@example.com", AccountSettings(name: name, role: role, teams: teams),
      password: Password("correct horse battery"), by: PageServer.principal
    ).get()
    return Principal(
      actor: AuditActor(name: name), role: role, teams: teams, account: row.account)
  }

  // R: M4, W11
  @Test("makes accounts contacts by a tick: all for administrators, their own for managers")
  func accounts() async throws {
    try await DemoDay.run { day in
      let boss = try await account("boss", .administrator, in: day)
      let mate = try await account("mate", .manager, [TeamID(1): .coverage], in: day)
      _ = try await account("other", .manager, [TeamID(2): .coverage], in: day)
      let server = PageServer(day, principal: boss)
      let (_, page) = try await server.get(Self.path)
      #expect(page.contains(#"aria-label="Notify: mate""#) && !page.contains("other@"))
      let number = try #require(mate.account).rawValue
      for (value, done) in [("on", "added"), ("on", "added"), ("off", "removed")] {
        let (sent, _) = try await server.post(
          Self.path + "/accounts/\(number)", "contact=\(value)")
        #expect(sent.headers["Location"] == Self.path + "?done=\(done)")
        let isTicked = try await server.get(Self.path).1.contains(#"aria-pressed="true""#)
        #expect(isTicked == (value == "on"))
      }
      let (refused, why) = try await server.post(
        Self.path + "/accounts/\(number + 1)", "contact=on")
      #expect(refused.status == 422 && why.contains("has no access to the team"))
      #expect(try await server.post(Self.path + "/accounts/99", "contact=on").0.status == 404)

      let own = PageServer(day, principal: mate)
      let (_, theirs) = try await own.get(Self.path)
      #expect(theirs.contains(#"action="/account/contacts/1""#) && !theirs.contains("boss@"))
      let (ticked, _) = try await own.post("/account/contacts/1", "contact=on&back=team")
      #expect(ticked.headers["Location"] == Self.path + "?done=added")
      let (_, account) = try await own.get("/account?done=notified")
      #expect(account.contains("You are notified.") && account.contains("<b>Coast</b>"))
      #expect(!account.contains("<b>Harbour</b>"))
      let (changed, _) = try await own.post("/account/contacts/1", "choices=on&topic=away")
      #expect(changed.headers["Location"] == "/account?done=choices")
      let (wrong, again) = try await own.post(
        "/account/contacts/1", "choices=on&topic=away&from=1%3A00")
      #expect(wrong.status == 422 && again.contains("two different times"))
      for team in [2, 99] {
        let (refused, _) = try await own.post("/account/contacts/\(team)", "contact=on")
        #expect(refused.status == 422, "\(team)")
      }
      let contacts = try await day.operations.notifications.contacts(of: TeamID(1))
      #expect(contacts.map(\.address) == ["mate@example.com"])
      #expect(contacts.map(\.choices.topics) == [ContactTopics(.away)])
      let ways = "choices=on&topic=away&ways=on"
      #expect(try await own.post("/account/contacts/1", ways + "&way=browser").0.status == 303)
      #expect(try await server.get(Self.path).1.contains("E-mail, browsers only, in English"))
      let (noWay, reason) = try await own.post("/account/contacts/1", ways)
      #expect(noWay.status == 422 && reason.contains("Choose e-mail, browsers or both"))
    }
  }

  // R: M4
  @Test("leads to a preview of the weekly digest, which its reader can have sent at once")
  func digest() async throws {
    let ana = DemoDay.DemoEmployee(number: 7, name: "Ana Horvat", team: 0, steps: [])
    try await DemoDay.run([ana]) { day in
      let mate = try await account("mate", .manager, [TeamID(1): .coverage], in: day)
      let server = PageServer(day, principal: mate)
      #expect(try await server.get(Self.path).1.contains(#"href="/settings/teams/1/digest""#))
      let (empty, none) = try await server.get("/settings/teams/1/digest")
      #expect(empty.status == 200 && none.contains("No shift began in it"))
      #expect(none.contains("Let yourself be notified"))
      #expect(try await server.get("/settings/teams/2/digest").0.status == 404)
      let (unasked, _) = try await server.post("/account/contacts/1/digest", "")
      #expect(unasked.headers["Location"] == "/account")
      _ = try await server.post("/account/contacts/1", "contact=on")
      let (refused, why) = try await server.post("/account/contacts/1/digest", "")
      #expect(refused.status == 422 && why.contains("had no shift in that week"))
    }
  }

  // R: M4
  @Test("sends a test, and says what happened afterwards")
  func test() async throws {
    try await withQuietServer { server in
      let operations = server.day.operations
      try await operations.notifications.addContact("boss@example.com", to: TeamID(1))
      let (sent, _) = try await server.post(Self.path + "/1/test", "")
      #expect(sent.status == 422, "there is no employee")
    }
    let ana = DemoDay.DemoEmployee(number: 7, name: "Ana Horvat", team: 0, steps: [])
    try await DemoDay.run([ana]) { day in
      let server = PageServer(day)
      let operations = day.operations
      try await operations.notifications.addContact("boss@example.com", to: TeamID(1))
      for (outcome, reason, text) in [
        (DeliveryOutcome.accepted, nil, "Test delivered: it was accepted for boss@example.com"),
        (.refused, "status 550", "Test to boss@example.com not delivered. Status 550."),
        (.misconfigured, "email is not set up", "not delivered. Email is not set up."),
      ] {
        let (sent, _) = try await server.post(Self.path + "/1/test", "")
        let place = try #require(sent.headers["Location"])
        #expect(place.hasPrefix(Self.path + "?test=e7-t10-"))
        #expect(try await server.get(place).1.contains("queued, not accepted"))
        let sendings = try await operations.background.decideDeliveries(EmployeeID(7))
        try await operations.background.record(
          sendings.map { SendingResult(of: $0, outcome, reason: reason) })
        #expect(try await server.get(place).1.contains(text), "\(text)")
      }
      for key in ["e7-t10-s99-o5", "e7", "", "e7-t10-s1-o1", "e99-t10-s1-o5"] {
        let (answer, text) = try await server.get(Self.path + "?test=\(key)")
        #expect(answer.status == 200 && !text.contains("Test "), "\(key)")
      }
      let (_, list) = try await server.get("/notifications")
      #expect(list.contains("contacts\">Contact 1</a><td>Test notification"))
      #expect(!list.contains("Ana Horvat"))
    }
  }

  @Test("says in plain words when whom is notified, as the policy has it")
  func steps() async throws {
    try await withQuietServer { server in
      let (_, text) = try await server.get(Self.path)
      for words in [
        "<b>In the open app</b><p>After 2 s to the employee.", "<p>After 2 s if no app is open.",
        "<b>E-mail</b><p>After 5 min to the employee", "<b>Managers</b><p>After 10 min to the",
        #"<a href="/settings/teams/1">Change these times in the policy</a>"#,
      ] {
        #expect(text.contains(words), "\(words)")
      }
      _ = try await server.day.operations.policies.setPolicy(
        of: TeamID(1),
        PolicyChanges(spans: [.managersAfter: .minutes(5), .emailAfter: .minutes(12)]))
      let (_, managersFirst) = try await server.get(Self.path)
      let names = managersFirst.matches(of: /<li><b>([^<]+)<\/b><p>/).map { String($0.1) }
      #expect(names == ["In the open app", "Push message", "Managers", "E-mail"])
      #expect(managersFirst.contains("Who is notified about employees of Coast"))
      var changes = PolicyChanges(preset: .advisory)
      changes.spans = [.debounce: .zero]
      _ = try await server.day.operations.policies.setPolicy(of: TeamID(1), changes)
      let (_, advisory) = try await server.get(Self.path)
      #expect(advisory.contains("in the open app only, at once"))
      #expect(!advisory.contains("<b>E-mail</b>"))
    }
  }

  // R: W11
  @Test("is read by the team's managers, without the path of a webhook, and changed by none")
  func managers() async throws {
    try await withQuietServer(principal: manager) { server in
      let operations = server.day.operations
      try await operations.notifications.addContact("boss@example.com", to: TeamID(1))
      try await operations.notifications.addContact(
        "https://example.com/s3cret", by: .webhook, to: TeamID(1))
      let (page, text) = try await server.get(Self.path)
      #expect(page.status == 200 && text.contains("boss@example.com"))
      #expect(text.contains("https://example.com/…") && !text.contains("s3cret"))
      #expect(!text.contains("<button>") && !text.contains("Send test"))
      #expect(text.contains("Only administrators can change the contacts of others."))
      for (path, form) in [
        (Self.path, "channel=email&address=e%40example.com"), (Self.path + "/1/test", ""),
        (Self.path + "/1/remove", "sure=yes"), (Self.path + "/1", "choices=on&topic=away"),
        (Self.path + "/accounts/1", "contact=on"),
      ] {
        #expect(try await server.post(path, form).0.status == 404, "\(path)")
      }
      #expect(try await operations.notifications.contacts(of: TeamID(1)).count == 2)
      #expect(try await server.get("/settings/teams/2/contacts").0.status == 404)
      #expect(try await server.get("/settings/channels").0.status == 404)
      #expect(try await server.get("/settings").1.contains("/settings/channels") == false)
    }
  }

  // R: M4
  @Test("is where pages lead that show what was not delivered because no way is set up")
  func remedies() async throws {
    let people = [
      DemoDay.DemoEmployee(
        number: 7, name: "Ana Horvat", team: 0, steps: [.clocksIn(330), .says(331, .denied)]),
      DemoDay.DemoEmployee(number: 8, name: "Ben", team: 0, steps: [.clocksIn(330, .denied)]),
    ]
    let contact = #"a <a href="\#(Self.path)">contact</a>"#
    try await DemoDay.run(people) { day in
      let server = PageServer(day)
      let either = #"add an <a href="/employees/7/data">e-mail address</a> or \#(contact)"#
      let (_, listed) = try await server.get("/notifications")
      #expect(listed.contains("Cannot be delivered: \(either)"), "\(listed)")
      #expect(listed.contains("Cannot be delivered: add \(contact)"))
      #expect(try await server.get("/employees/7").1.contains(either))
      #expect(try await server.get("/settings/channels").1.contains("No way to deliver<dd>2"))
      // Without a channel for it, an address is no remedy.
      var settings = PageSettings(
        now: { day.now }, authenticate: { _ in PageServer.principal }, logIn: { _, _, _ in "" },
        logOut: { _ in "" })
      settings.setUpChannels = { [.webhook] }
      let mute = try await PageServer(day, settings).get("/employees/7").1
      #expect(mute.contains(#"set up <a href="/settings/channels">e-mail</a> or add \#(contact)"#))
      let (_, theirs) = try await PageServer(day, principal: manager).get("/notifications")
      #expect(theirs.contains("an administrator can add an e-mail address or \(contact)"))
      #expect(!theirs.contains("/employees/7/data"))

      try await day.operations.notifications.addContact("boss@example.com", to: TeamID(1))
      for path in ["/notifications", "/employees/7"] {
        #expect(try await server.get(path).1.contains(contact) == false, "\(path)")
      }
      let own = try await server.get("/employees/7").1
      #expect(own.contains("while the app is closed: add an <a"))
      #expect(own.contains("interruptions only"))
      #expect(try await server.get("/settings/channels").1.contains("No way to deliver<dd>0"))
    }
  }
}
