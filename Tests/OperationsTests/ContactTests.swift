import InstallationOperations
import ManagerCore
import NotificationOperations
import OperationCore
import PeopleOperations
import PolicyOperations
import Postgres
import ReadModels
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

@Suite("The contacts of a team") struct ContactTests {
  private func refusal(_ outcome: ContactOutcome) -> Refusal? {
    do throws(Refusal) {
      _ = try outcome.get()
      return nil
    } catch { return error }
  }

  @Test("are added and removed by name, each with an entry in the audit log that has no address")
  func audited() async throws {
    try await withWorld { world in
      let (manager, team, mira) = (world.operations.manager, TeamID(1), world.principal)
      let added = try await manager.notifications.addContact(
        "boss@example.com", language: .german, to: team, by: mira
      ).get()
      #expect(added.secret == nil && added.contact.language == "de")
      let webhook = try await manager.notifications.addContact(
        "https://example.com/hook", through: .webhook, language: .german, to: team, by: mira
      ).get()
      #expect(webhook.secret?.hasPrefix("whsec_") == true && webhook.contact.language == "en")
      #expect(try await manager.notifications.contacts(of: team).map(\.number) == [1, 2])
      try await manager.notifications.removeContact(1, from: team, by: mira)
      #expect(try await manager.notifications.contacts(of: team) == [webhook.contact])
      await #expect(throws: OperationError.notFound("contact 1 of team 1")) {
        try await manager.notifications.removeContact(1, from: team, by: mira)
      }
      await #expect(throws: OperationError.notFound("team 9")) {
        try await manager.notifications.addContact("boss@example.com", to: TeamID(9), by: mira)
      }
      let log = try await manager.installation.auditEntries(about: nil, limit: 9)
      #expect(
        Set(log.map { "\($0.action.code) \($0.target ?? 0) \($0.reason ?? "-") \($0.actor)" }) == [
          "contact_added 1 contact 1, by email Mira", "webhook_added 1 contact 2, by webhook Mira",
          "contact_removed 1 contact 1, by email Mira",
        ])
      #expect(log.count == 3)
    }
  }

  @Test("are refused for the practice team, whose rehearsals notify no manager")
  func practice() async throws {
    try await withWorld { world in
      let (manager, mira) = (world.operations.manager, world.principal)
      let ada = try await manager.policies.beginRehearsal(by: mira).get().employee
      for (way, address) in [
        (ContactChannel.email, "boss@example.com"), (.webhook, "https://example.com/hook"),
      ] {
        let outcome = try await manager.notifications.addContact(
          address, through: way, to: ada.team, by: mira)
        #expect(refusal(outcome)?.code == "practice_team")
      }
      #expect(try await manager.notifications.contacts(of: ada.team).isEmpty)
    }
  }

  @Test("are refused with the reason: known ones, wrong ones, and more than a hundred")
  func refused() async throws {
    try await withWorld { world in
      let (manager, team, mira) = (world.operations.manager, TeamID(1), world.principal)
      _ = try await manager.notifications.addContact("boss@example.com", to: team, by: mira).get()
      let again = try await manager.notifications.addContact("boss@example.com", to: team, by: mira)
      #expect(refusal(again)?.code == "contact_exists")
      for (way, address) in [
        (ContactChannel.email, "boss"), (.email, "a@b@c"), (.email, "a@b\r\nBcc: c@d"),
        (.email, ""), (.email, "\0@b"), (.email, String(repeating: "a", count: 254) + "@b"),
        (.webhook, "http://example.com"), (.webhook, "https://"), (.webhook, "javascript:alert(1)"),
        (.webhook, "https://exämple.com"), (.webhook, "https://a b"),
        (.webhook, "https://" + String(repeating: "a", count: 2_048)),
      ] {
        let outcome = try await manager.notifications.addContact(
          address, through: way, to: team, by: mira)
        #expect(refusal(outcome)?.kind == .invalid(at: "/address"), "\(address)")
      }
      for number in 2...contactsMax {
        let address = "boss\(number)@example.com"
        _ = try await manager.notifications.addContact(address, to: team, by: mira).get()
      }
      let next = try await manager.notifications.addContact("one@more.example", to: team, by: mira)
      #expect(refusal(next)?.code == "too_many_contacts")
      #expect(try await manager.notifications.contacts(of: team).count == contactsMax)
    }
  }

  @Test("show administrators the whole URL of a webhook, and managers its host")
  func hidden() {
    let manager = Principal(actor: AuditActor(name: "Mate"), role: .manager)
    for (url, shown) in [
      ("https://hooks.example.com/services/T0/s3cret?key=1", "https://hooks.example.com/…"),
      ("https://hooks.example.com", "https://hooks.example.com/…"),
      ("https://user:s3cret@example.com:8443/a", "https://example.com:8443/…"),
      ("https://example.com?key=s3cret", "https://example.com/…"),
      ("https://example.com#s3cret", "https://example.com/…"),
    ] {
      let contact = TeamContact(
        number: 1, channel: .webhook, address: url, language: "en", secrets: [])
      #expect(contact.address(for: manager) == shown)
      #expect(contact.address(for: .arranger) == url)
    }
    let mail = TeamContact(
      number: 1, channel: .email, address: "boss@example.com", language: "en", secrets: [])
    #expect(mail.address(for: manager) == "boss@example.com")
  }

  @Test("lets what waited for one be checked at once, for employees of its team only")
  func wakes() async throws {
    try await withWorld { world in
      let manager = world.operations.manager
      let other = try await manager.people.addTeam(name: "Harbour", timeZone: "UTC")
      _ = try await manager.people.addEmployee(EmployeeID(8), name: "Ben", team: other)
      try await world.write(
        """
        INSERT INTO notification (employee_id, subject, due_at, topic, ordinal, urgent)
        SELECT employee_id, 1, now() + interval '6 hours', 5, 1, false FROM employee
        """)
      try await manager.notifications.addContact("boss@example.com", to: TeamID(1))
      let rows = try await manager.notifications.notifications(of: nil, limit: 9)
      let due = Dictionary(uniqueKeysWithValues: rows.map { ($0.employee.rawValue, $0.nextAt) })
      let (theirs, others) = (try #require(due[7] ?? nil), try #require(due[8] ?? nil))
      #expect(theirs < others - .hours(5))
    }
  }
}
