import CivilTime
import DeviceOperations
import GuardRules
import InsightOperations
import InstallationOperations
import ManagerCore
import NotificationOperations
import NotificationQueue
import PeopleOperations
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

@testable import NotificationDelivery

private let interrupted = "Tracking of a shift is interrupted"
private let resumed = "Tracking of a shift has resumed"

/// Mira, the contact of the team, is an account with alerts in two browsers.
private func withBrowsers(
  _ ways: ContactWays = .all, quiet: QuietHours? = nil,
  _ body: (DeliveryWorld, AccountID) async throws -> Void
) async throws {
  try await DeliveryWorld.run(hasPush: false) { world in
    try await world.write([setEmail(nil, of: EmployeeID(1))])
    let mira = try await world.operations.installation.addAccount(
      email: "mira@example.com", AccountSettings(name: "Mira", role: .administrator),
      password: Password("a walk in the rain"), by: .arranger
    ).get().account
    for place in 1...2 { try await world.switchOn(place, of: mira) }
    try await world.choose(ways, quiet)
    try await body(world, mira)
  }
}

extension DeliveryWorld {
  fileprivate func switchOn(_ place: Int, of account: AccountID) async throws {
    let target = PushTarget(
      .webPush, address: "https://push.example/\(place)",
      publicKey: Array(repeating: 4, count: 65), secret: Array(repeating: 1, count: 16),
      registeredAt: now)
    let session = try await operations.installation.logIn(
      email: "mira@example.com", password: Password("a walk in the rain"),
      from: LoginOrigin(address: "", userAgent: "")
    ).get()
    try await operations.notifications.addBrowser(
      target, named: "Firefox/140.0", of: account, in: session.session, by: .arranger
    ).get()
  }

  fileprivate func choose(_ ways: ContactWays, _ quiet: QuietHours? = nil) async throws {
    _ = try await operations.notifications.changeContact(1, of: team, by: .arranger) {
      ($0.choices.ways, $0.choices.quiet) = (ways, quiet)
    }.get()
  }

  /// What was sent where since the last call, in no particular order.
  fileprivate func told() -> [String] {
    let sent = post.sent.map { sent in
      let place =
        switch sent.address {
        case .push(let target): String(target.address.suffix(1))
        case .other(let channel, _, _): channel.code
        }
      return "\(place): \(sent.outgoing.title)"
    }
    _ = post.collect()
    return sent.sorted()
  }
}

@Suite("Alerts in browsers") struct BrowserAlertTests {
  // R: M4, W16, W22
  @Test("go with an e-mail to every browser of the account, and so does their end")
  func both() async throws {
    try await withBrowsers { world, _ in
      try await world.lose()
      try await world.deliver(at: .minutes(11))
      let pushed = world.post.sent.filter { $0.address.channel == .webPush }.map(\.outgoing)
      #expect(pushed.map(\.page) == ["/employees/1", "/employees/1"])
      #expect(world.told() == ["1: \(interrupted)", "2: \(interrupted)", "email: \(interrupted)"])
      try await world.deliver(at: .minutes(20))
      #expect(world.told() == [])
      world.move(to: .minutes(30))
      try await world.report(.always)
      try await world.deliver(at: .minutes(31))
      #expect(world.told() == ["1: \(resumed)", "2: \(resumed)", "email: \(resumed)"])
      try await world.deliver(at: .minutes(40))
      #expect(world.told() == [])
      #expect(try await world.waiting() == [])
    }
  }

  // R: M4, W22
  @Test("end wherever they were, also after another choice, which holds for the next one")
  func chosen() async throws {
    try await withBrowsers(ContactWays(.browser)) { world, mira in
      try await world.lose()
      try await world.deliver(at: .minutes(11))
      #expect(world.told() == ["1: \(interrupted)", "2: \(interrupted)"])
      try await world.choose(ContactWays(.email))
      // One that is switched on now gets no end of what it did not hear.
      try await world.switchOn(3, of: mira)
      world.move(to: .minutes(30))
      try await world.report(.always)
      try await world.deliver(at: .minutes(31))
      #expect(world.told() == ["1: \(resumed)", "2: \(resumed)"])
      world.move(to: .minutes(60))
      try await world.report(.denied)
      try await world.deliver(at: .minutes(75))
      #expect(world.told() == ["email: \(interrupted)"])
    }
  }

  // R: M4
  @Test("stop where the push service knows the browser no more; without any, e-mails follow")
  func gone() async throws {
    try await withBrowsers(ContactWays(.browser)) { world, mira in
      world.post.answers { address in
        guard case .push(let target) = address, target.address.hasSuffix("1") else {
          return .accepted(reference: nil)
        }
        return .addressGone(reason: "status 410", at: nil)
      }
      try await world.lose()
      try await world.deliver(at: .minutes(11))
      #expect(world.told() == ["1: \(interrupted)", "2: \(interrupted)"])
      let browsers = try await world.operations.notifications.browsers(of: mira)
      #expect(browsers.map(\.address) == ["https://push.example/2"])
      world.post.answers { _ in .addressGone(reason: "status 404", at: nil) }
      world.move(to: .minutes(30))
      try await world.report(.always)
      try await world.deliver(at: .minutes(31))
      #expect(world.told() == ["2: \(resumed)"])
      #expect(try await world.operations.notifications.browsers(of: mira).isEmpty)
      world.post.answers { _ in .accepted(reference: nil) }
      world.move(to: .minutes(60))
      try await world.report(.denied)
      try await world.deliver(at: .minutes(75))
      #expect(world.told() == ["email: \(interrupted)"])
    }
  }

  // R: M4
  @Test("wait for the end of quiet hours, keep to the topics, and never go to a disabled account")
  func quiet() async throws {
    // From one hour after the morning to three.
    let quiet = QuietHours(from: 600, until: 720, letsUrgentPass: false)
    try await withBrowsers(ContactWays(.browser), quiet: quiet) { world, mira in
      try await world.clockIn()
      world.move(to: .minutes(61))
      try await world.report(.denied)
      try await world.deliver(at: .minutes(75))
      #expect(world.told() == [])
      try await world.deliver(at: .minutes(180))
      #expect(world.told() == ["1: \(interrupted)", "2: \(interrupted)"])
      _ = try await world.operations.installation.addAccount(
        email: "other@example.com", AccountSettings(name: "Other", role: .administrator),
        password: Password("a walk in the rain"), by: .arranger)
      _ = try await world.operations.installation.setAccount(
        mira, isDisabled: true, by: .arranger
      ).get()
      #expect(try await world.operations.notifications.browsers(of: mira).isEmpty)
      world.move(to: .minutes(200))
      try await world.report(.always)
      try await world.deliver(at: .minutes(201))
      #expect(world.told() == [])
    }
  }

  // R: M4
  @Test("are tested with the contact, and a browser that failed is the result")
  func tested() async throws {
    try await withBrowsers { world, _ in
      let notifications = world.operations.notifications
      func result() async throws -> ContactTest {
        let test = try await notifications.sendTest(toContact: 1, of: world.team, by: .arranger)
          .get()
        try await world.deliver()
        return try await notifications.contactTest(test.id, toContact: 1, of: world.team)
      }
      #expect(try await result().state == .delivered)
      let title = "Test notification"
      #expect(world.told() == ["1: \(title)", "2: \(title)", "email: \(title)"])
      world.post.answers { address in
        address.channel == .webPush
          ? .refused(reason: "status 403") : .accepted(reference: nil)
      }
      let failed = try await result()
      #expect(failed.state == .notDelivered && failed.reason == "in a browser: status 403")
      let all = try await notifications.sendTest(toManagersOf: world.team, by: .arranger)
      #expect(all.ways.map(\.channel) == [.email, .webPush, .webPush])
    }
  }

  // R: W16
  @Test("have no digest, which is sent by e-mail")
  func digest() async throws {
    try await withBrowsers(ContactWays(.browser)) { world, _ in
      try await world.lose()
      _ = world.told()
      world.move(to: .hours(8))
      try await world.clockOut()
      world.move(to: .hours(24 * 7))
      let week = try await world.operations.manager.insight.lastWeek(of: world.team)
      _ = try await world.operations.notifications.send(
        week, toContact: 1, by: .arranger
      ).get()
      try await world.deliver()
      #expect(world.post.sent.map(\.address.channel) == [.email])
    }
  }
}
