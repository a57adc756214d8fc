import BackgroundOperations
import DeviceOperations
import GuardRules
import Guidance
import ManagerCore
import NotificationOperations
import NotificationQueue
import NotificationSending
import PeopleOperations
import PolicyOperations
import Postgres
import ReviewOperations
import ShiftDomain
import Testing

@testable import NotificationDelivery

@Suite("The channels of notifications") struct WayTests {
  @Test("when one of two dimensions is restored, the open app shows the other, not an all-clear")
  func twoDimensions() async throws {  // R: A12, A17
    try await DeliveryWorld.run { world in
      try await world.clockIn()
      var app = try await world.phones[0].openStream()
      var told: [[String]] = []
      for (at, authorization, services) in [
        (10, .denied, .on), (20, .denied, .off), (30, .denied, .on), (40, .always, .on),
      ] as [(Int64, Authorization, Switch)] {
        world.move(to: .seconds(at))
        try await world.report(authorization, services: services)
        world.move(to: .seconds(at + 4))
        let look = try await world.look(after: app)
        told.append(look.shown)
        app = look.position
      }
      #expect(
        told == [
          ["incident denied"], ["incident services_off"], ["incident denied"], ["restored"],
        ])
      #expect(world.post.collect() == [])
    }
  }

  @Test("a denial that healed and came back in one upload goes on to those who do not know it yet")
  func cameBack() async throws {  // R: A11, A17
    try await DeliveryWorld.run { world in
      try await world.lose()
      try await world.deliver(at: .seconds(12))
      #expect(world.post.collect() == ["fcm: \(EscalationTests.off)"])
      world.move(to: .seconds(100))
      var reports = [IncomingReport.saying(.always), .saying(.denied)]
      for index in reports.indices {
        reports[index].recordedAt = world.now - .seconds(40 - 10 * Int64(index))
      }
      let phone = world.phones[0]
      _ = try await phone.operations.device.report(
        reports, sentAt: world.now, from: phone.credential, receipt: phone.receipt)
      try await world.deliver(at: .seconds(103))
      #expect(world.post.collect() == [])
      try await world.deliver(at: .seconds(403))
      #expect(world.post.collect() == ["email: \(EscalationTests.off)"])
      try await world.deliver(at: .seconds(703))
      #expect(world.post.collect() == ["email: Tracking of a shift is interrupted"])
    }
  }

  @Test("a silence that ends in a denial is reported as the denial, again by push")
  func silenceThenDenied() async throws {  // R: A12, A17
    try await DeliveryWorld.run { world in
      try await world.clockIn()
      try await world.watch(until: .seconds(185))
      try await world.deliver(at: .seconds(188))
      #expect(world.post.collect() == ["fcm: We have lost contact with your phone"])
      world.move(to: .seconds(300))
      try await world.report(.denied)
      try await world.deliver(at: .seconds(303))
      #expect(world.post.collect() == ["fcm: Location access is off"])
      world.move(to: .seconds(320))
      try await world.report(.always)
      try await world.deliver(at: .seconds(322))
      #expect(world.post.collect() == ["fcm: Tracking resumed"])
    }
  }

  @Test("the open app shows every revocation at once; push and e-mail wait for the cooldown")
  func openApp() async throws {  // R: A11, M3
    try await DeliveryWorld.run { world in
      try await world.clockIn()
      var app = try await world.phones[0].openStream()
      var told: [[String]] = []
      for (at, authorization) in [
        (0, .denied), (30, .always), (60, .denied), (90, .always), (120, .denied),
      ] as [(Int64, Authorization)] {
        world.move(to: .seconds(10 + at))
        try await world.report(authorization)
        world.move(to: .seconds(13 + at))
        let look = try await world.look(after: app)
        told.append(look.shown)
        app = look.position
      }
      #expect(
        told == [
          ["incident denied"], ["restored"], ["incident denied"], ["restored"],
          ["incident denied"],
        ])
      #expect(world.post.collect() == [])
    }
  }

  @Test("without channels an incident waits for the app while it lasts, a correction for weeks")
  func waits() async throws {  // R: A11
    try await DeliveryWorld.run(hasPush: false) { world in
      try await world.write([
        setEmail(nil, of: EmployeeID(1)),
        deleteContact("mira@example.com", by: .email, of: world.team),
      ])
      try await world.lose()
      try await world.deliver(at: .seconds(800))
      #expect(try await world.operations.background.outboxLoad().dead == 0)
      world.move(to: .seconds(900))
      #expect(try await world.look() == ["incident denied"])
      world.move(to: .seconds(910))
      try await world.report(.always)
      try await world.deliver()
      world.move(to: .seconds(1_000))
      try await world.clockOut()
      try await world.write(["DELETE FROM live_stream"])
      world.move(to: .seconds(2_000))
      _ = try await world.operations.reviews.correct(
        ShiftID(employee: EmployeeID(1), number: 1),
        CorrectionRequest(startedAt: morning + .seconds(5), reason: "Came later"),
        by: AuditActor(name: "Mira"))
      try await world.deliver(at: .hours(26 * 24))
      #expect(try await world.operations.background.outboxLoad().dead == 0)
      #expect(try await world.look().contains("shift_corrected"))
    }
  }

  @Test("an employee and managers notified by e-mail get the end of the incident by e-mail")
  func ends() async throws {  // R: A12, M4
    try await DeliveryWorld.run(hasPush: false) { world in
      try await world.lose()
      try await world.deliver(at: .seconds(12))
      #expect(world.post.collect() == ["email: Location access is off"], "no push can come")
      try await world.deliver(at: .seconds(611))
      #expect(world.post.collect() == [])
      try await world.deliver(at: .seconds(612))
      #expect(world.post.collect() == ["email: Tracking of a shift is interrupted"])
      world.move(to: .seconds(700))
      try await world.report(.always)
      try await world.deliver(at: .seconds(702))
      let sentNotifications = world.post.sent
      #expect(
        sentNotifications.map { "\($0.address) \($0.outgoing.title)" } == [
          "\(Address.email("ada1@example.com")) Tracking resumed",
          "\(Address.email("mira@example.com")) Tracking of a shift has resumed",
        ])
      try await world.deliver(at: .hours(2))
      #expect(world.post.sent.count == 2)
      #expect(try await world.operations.background.outboxLoad().dead == 0)
    }
  }

  @Test("a phone with notifications off gets no push; the e-mail is sent at once")
  func muted() async throws {  // R: A11, M4
    try await DeliveryWorld.run { world in
      try await world.clockIn()
      world.move(to: .seconds(10))
      try await world.report(.denied, notifications: .off)
      try await world.deliver(at: .seconds(11))
      #expect(world.post.collect() == [])
      try await world.deliver(at: .seconds(12))
      #expect(world.post.collect() == ["email: Location access is off"])
    }
  }

  @Test("a second phone gets a push only if the tracking one is silent; its open app shows all")
  func secondPhone() async throws {  // R: A11
    try await DeliveryWorld.run { world in
      try await world.clockIn()
      let other = try await world.secondPhone(.polish)
      world.move(to: .seconds(10))
      try await world.report(.denied, language: .english)
      try await world.deliver(at: .seconds(13))
      #expect(world.post.collect() == ["fcm: Location access is off"])
      world.move(to: .seconds(20))
      try await world.report(.always)
      try await world.deliver(at: .seconds(22))
      _ = world.post.collect()
      try await world.operations.background.beat(as: 1)
      try await world.watch(until: .seconds(210))
      try await world.deliver(at: .seconds(213))
      #expect(Set(world.post.sent.map(\.outgoing.language)) == ["en", "pl"])
      #expect(Set(world.post.sent.map(\.address.channel)) == [.fcm, .apns])
      _ = world.post.collect()
      world.move(to: .seconds(400))
      try await world.report(.always)
      try await world.deliver(at: .seconds(402))
      _ = world.post.collect()
      var app = try await other.openStream()
      app = try await world.look(after: app).position
      world.move(to: .seconds(2_000))
      try await world.report(.denied)
      world.move(to: .seconds(2_003))
      #expect(try await world.look(after: app).shown == ["incident denied"])
    }
  }

  // R: A11, M1
  @Test("an employee blocked at an arrival is notified elsewhere: an app from a store shows none")
  func blockedArrival() async throws {
    try await DeliveryWorld.run { world in
      let app = try await world.operations.people.enrol(
        PhoneAppRequest(.ownTracks, on: .ios), for: EmployeeID(1), by: .arranger)
      let credential = try #require(DeviceCredential(token: app.token, to: .ownTracks))
      let denied = IncomingReport(
        .state(PermissionState(authorization: .denied)), recordedAt: world.now)
      let arrival = TimedSighting(.entered(1), recordedAt: world.now)
      _ = try await world.operations.device.receive(
        AppMessage(from: .ownTracks, reports: [denied], sightings: [arrival]),
        from: credential, receipt: world.receipt)
      try await world.deliver()
      let push = world.post.sent.last { $0.address.channel == .fcm }
      let sent = try #require(push?.outgoing)
      #expect(
        world.post.collect().sorted()
          == ["email: An employee could not clock in", "fcm: You are not clocked in"])
      #expect(sent.steps.contains { $0.contains("Settings") }, "\(sent.steps)")
      #expect(sent.steps.last == "Clock in on the page for employees, or talk to your manager.")
    }
  }

  @Test(
    "push and e-mail use the phone's latest language, and managers' e-mail their own",
    arguments: Language.allCases)
  func languages(_ language: Language) async throws {  // R: B10, M4
    try await DeliveryWorld.run { world in
      let managers: Language = language == .german ? .french : .german
      try await world.write([deleteContact("mira@example.com", by: .email, of: world.team)])
      try await world.operations.notifications.addContact(
        "mira@example.com", language: managers, to: world.team)
      try await world.clockIn()
      world.move(to: .seconds(10))
      try await world.report(.denied, language: language)
      for at in [12, 312, 612] as [Int64] { try await world.deliver(at: .seconds(at)) }
      let sent = world.post.sent.map(\.outgoing)
      try #require(sent.count == 3)
      let denied = ShiftNotification(.incident, subject: 1, kind: .denied, dueAt: morning)
      let own = notificationText(
        for: denied, report: PermissionState(authorization: .denied, services: .on),
        on: DeviceDescription(platform: .android), in: language)
      for outgoing in sent[0...1] {
        #expect(outgoing.title == own.title && outgoing.body == own.body)
        #expect(outgoing.steps == own.steps && outgoing.language == language.code)
      }
      let theirs = managersText(for: denied, isEmployeeNotified: true, in: managers)
      #expect(sent[2].title == theirs.title && sent[2].body == theirs.body + " Ada 1")
      #expect(sent[2].steps == theirs.steps && sent[2].language == managers.code)
    }
  }

  @Test("webhook texts are in English, whatever the languages of the employee and the contacts")
  func webhookLanguage() async throws {  // R: B10, M4
    try await DeliveryWorld.run { world in
      try await world.write(
        [deleteContact("mira@example.com", by: .email, of: world.team)]
          + insertContact(
            "https://example.com/hook", by: .webhook, language: "en", secret: Array(0..<32),
            of: world.team))
      try await world.operations.notifications.addContact(
        "mira@example.com", language: .french, to: world.team)
      try await world.clockIn()
      world.move(to: .seconds(10))
      try await world.report(.denied, language: .polish)
      for at in [12, 312, 612] as [Int64] { try await world.deliver(at: .seconds(at)) }
      let managers = world.post.sent.suffix(2)
      #expect(Set(managers.map(\.outgoing.language)) == ["fr", "en"])
      let hook = try #require(managers.first { $0.address.channel == .webhook }?.outgoing)
      let denied = ShiftNotification(.incident, subject: 1, kind: .denied, dueAt: morning)
      let english = managersText(for: denied, isEmployeeNotified: true, in: .english)
      #expect(hook.language == "en" && hook.title == english.title)
      #expect(hook.body == english.body + " Ada 1" && hook.steps == english.steps)
    }
  }

  @Test(
    "managers' texts do not claim a notified employee or lost tracking if that is not true",
    arguments: [(.whenInUse, .off), (.always, .on)] as [(Authorization, Switch)])
  func truthfulTexts(_ authorization: Authorization, mockLocation: Switch) async throws {  // R: M4
    try await DeliveryWorld.run(hasPush: false) { world in
      try await world.write([setEmail(nil, of: EmployeeID(1))])
      try await world.clockIn()
      world.move(to: .seconds(10))
      try await world.report(authorization, mockLocation: mockLocation)
      try await world.deliver(at: .seconds(612))
      let outgoing = try #require(world.post.sent.first?.outgoing)
      #expect(outgoing.title == "Tracking of a shift may have gaps")
      #expect(!outgoing.body.contains("interrupted"))
      #expect(outgoing.body.contains("The employee has not been notified yet."))
    }
  }

  @Test("managers notified at once read that the employee was notified only if the app showed it")
  func atOnce() async throws {  // R: M4
    for isShown in [false, true] {
      try await DeliveryWorld.run(hasPush: false) { world in
        _ = try await world.operations.policies.setPolicy(
          of: world.team, PolicyChanges(spans: [.managersAfter: .zero]))
        try await world.write([setEmail(nil, of: EmployeeID(1))])
        try await world.lose()
        let app = try await world.phones[0].openStream()
        try await world.deliver(at: .seconds(12))
        #expect(world.post.collect() == [], "the app has a second to show it")
        if isShown { #expect(try await world.look(after: app).shown == ["incident denied"]) }
        try await world.deliver(at: .seconds(14))
        let body = try #require(world.post.sent.first?.outgoing.body)
        #expect(world.post.collect() == ["email: Tracking of a shift is interrupted"])
        #expect(body.contains("The employee has been notified.") == isShown, "\(body)")
        #expect(body.contains("The employee has not been notified yet.") != isShown, "\(body)")
      }
    }
  }

  @Test("a finding acknowledged within the debounce is neither pushed nor e-mailed")
  func acknowledged() async throws {  // R: A11
    try await DeliveryWorld.run { world in
      try await world.lose()
      world.move(to: .seconds(11))
      try await world.phones[0].acknowledge(FindingSet(.denied))
      for at in [13, 400] as [Int64] { try await world.deliver(at: .seconds(at)) }
      #expect(world.post.collect() == [])
      try await world.deliver(at: .seconds(612))
      #expect(world.post.collect() == ["email: Tracking of a shift is interrupted"])
    }
  }
}
