import GuardRules
import Guidance
import NotificationQueue
import NotificationSending
import Postgres
import ShiftDomain
import ShiftOperations
import Testing

@testable import NotificationDelivery

@Suite("Who hears what by which way") struct WayTests {
  @Test("one of two dimensions healed is no all-clear: what is left is told, in the open app too")
  func twoDimensions() async throws {  // R: A12, A17
    try await Crew.run { crew in
      try await crew.clockIn()
      var app = try await crew.operations.openStream(
        for: crew.phones[0], after: nil, lease: .hours(100),
        receipt: Receipt(at: crew.now, monotonic: .now))
      var told: [[String]] = []
      for (at, authorization, services) in [
        (10, .denied, .on), (20, .denied, .off), (30, .denied, .on), (40, .always, .on),
      ] as [(Int64, Authorization, Switch)] {
        crew.move(to: .seconds(at))
        try await crew.report(authorization, services: services)
        crew.move(to: .seconds(at + 4))
        let look = try await crew.look(after: app)
        told.append(look.shown)
        app = look.position
      }
      #expect(
        told == [
          ["incident denied"], ["incident services_off"], ["incident denied"], ["restored"],
        ])
      #expect(crew.post.collect() == [])
    }
  }

  @Test("a silence that ends in a denial is told as the denial, by push as it was")
  func silenceThenDenied() async throws {  // R: A12, A17
    try await Crew.run { crew in
      try await crew.clockIn()
      try await crew.watch(until: .seconds(185))
      try await crew.deliver(at: .seconds(188))
      #expect(crew.post.collect() == ["fcm: We have lost contact with your phone"])
      crew.move(to: .seconds(300))
      try await crew.report(.denied)
      try await crew.deliver(at: .seconds(303))
      #expect(crew.post.collect() == ["fcm: Location access is off"])
      crew.move(to: .seconds(320))
      try await crew.report(.always)
      try await crew.deliver()
      #expect(crew.post.collect() == ["fcm: Tracking resumed"])
    }
  }

  @Test("the open app is told of every revocation at once, push and e-mail after the cooldown")
  func openApp() async throws {  // R: A11, M3
    try await Crew.run { crew in
      try await crew.clockIn()
      var app = try await crew.operations.openStream(
        for: crew.phones[0], after: nil, lease: .hours(100),
        receipt: Receipt(at: crew.now, monotonic: .now))
      var told: [[String]] = []
      for (at, authorization) in [
        (0, .denied), (30, .always), (60, .denied), (90, .always), (120, .denied),
      ] as [(Int64, Authorization)] {
        crew.move(to: .seconds(10 + at))
        try await crew.report(authorization)
        crew.move(to: .seconds(13 + at))
        let look = try await crew.look(after: app)
        told.append(look.shown)
        app = look.position
      }
      #expect(
        told == [
          ["incident denied"], ["restored"], ["incident denied"], ["restored"],
          ["incident denied"],
        ])
      #expect(crew.post.collect() == [])
    }
  }

  @Test("with no way set up an alarm waits for the app while it holds, a correction for weeks")
  func waits() async throws {  // R: A11
    try await Crew.run(hasPush: false) { crew in
      try await crew.write([
        setEmail(nil, of: EmployeeID(1)), deleteContact("mira@example.com", of: crew.team),
      ])
      try await crew.lose()
      try await crew.deliver(at: .seconds(800))
      #expect(try await crew.operations.outboxLoad().dead == 0)
      crew.move(to: .seconds(900))
      #expect(try await crew.look() == ["incident denied"])
      crew.move(to: .seconds(910))
      try await crew.report(.always)
      try await crew.deliver()
      crew.move(to: .seconds(1_000))
      try await crew.clockOut()
      try await crew.write(["DELETE FROM live_stream"])
      crew.move(to: .seconds(2_000))
      _ = try await crew.operations.correct(
        ShiftID(employee: EmployeeID(1), number: 1),
        CorrectionWish(startedAt: morning + .seconds(5), reason: "Came later"),
        by: Officer(name: "Mira"))
      try await crew.deliver(at: .hours(26 * 24))
      #expect(try await crew.operations.outboxLoad().dead == 0)
      #expect(try await crew.look().contains("shift_corrected"))
    }
  }

  @Test("who was alarmed by e-mail hears the end by e-mail, and so do the managers")
  func ends() async throws {  // R: A12, M4
    try await Crew.run(hasPush: false) { crew in
      try await crew.lose()
      try await crew.deliver(at: .seconds(12))
      #expect(crew.post.collect() == [])
      try await crew.deliver(at: .seconds(312))
      try await crew.deliver(at: .seconds(612))
      #expect(
        crew.post.collect() == [
          "email: Location access is off", "email: Tracking of a shift is interrupted",
        ])
      crew.move(to: .seconds(700))
      try await crew.report(.always)
      try await crew.deliver()
      let letters = crew.post.sent
      #expect(
        letters.map { "\($0.address) \($0.message.title)" } == [
          "\(Address.email("ada1@example.com")) Tracking resumed",
          "\(Address.email("mira@example.com")) Tracking of a shift has resumed",
        ])
      try await crew.deliver(at: .hours(2))
      #expect(crew.post.sent.count == 2)
      #expect(try await crew.operations.outboxLoad().dead == 0)
    }
  }

  @Test("a phone whose notifications are off gets no push: the e-mail comes")
  func muted() async throws {  // R: A11, M4
    try await Crew.run { crew in
      try await crew.clockIn()
      crew.move(to: .seconds(10))
      try await crew.report(.denied, notifications: .off)
      try await crew.deliver(at: .seconds(15))
      #expect(crew.post.collect() == [])
      try await crew.deliver(at: .seconds(312))
      #expect(crew.post.collect() == ["email: Location access is off"])
    }
  }

  @Test("the other phone gets a push only when the tracking one is silent; its open app always")
  func secondPhone() async throws {  // R: A11
    try await Crew.run { crew in
      try await crew.clockIn()
      let other = try await crew.secondPhone(.polish)
      crew.move(to: .seconds(10))
      try await crew.report(.denied, language: .english)
      try await crew.deliver(at: .seconds(13))
      #expect(crew.post.collect() == ["fcm: Location access is off"])
      crew.move(to: .seconds(20))
      try await crew.report(.always)
      try await crew.deliver()
      _ = crew.post.collect()
      try await crew.operations.beat(as: 1)
      try await crew.watch(until: .seconds(210))
      try await crew.deliver(at: .seconds(213))
      #expect(Set(crew.post.sent.map(\.message.language)) == ["en", "pl"])
      #expect(Set(crew.post.sent.map(\.address.channel)) == [.fcm, .apns])
      _ = crew.post.collect()
      crew.move(to: .seconds(400))
      try await crew.report(.always)
      try await crew.deliver()
      _ = crew.post.collect()
      var app = try await crew.operations.openStream(
        for: other, after: nil, lease: .hours(100), receipt: Receipt(at: crew.now, monotonic: .now))
      app = try await crew.look(after: app).position
      crew.move(to: .seconds(2_000))
      try await crew.report(.denied)
      crew.move(to: .seconds(2_003))
      #expect(try await crew.look(after: app).shown == ["incident denied"])
    }
  }

  @Test(
    "push and e-mail are in the language that the phone asked for last, managers' in theirs",
    arguments: Language.allCases)
  func languages(_ language: Language) async throws {  // R: B10, M4
    try await Crew.run { crew in
      let managers: Language = language == .german ? .french : .german
      try await crew.write([deleteContact("mira@example.com", of: crew.team)])
      try await crew.operations.addContact(
        "mira@example.com", language: managers, to: crew.team)
      try await crew.clockIn()
      crew.move(to: .seconds(10))
      try await crew.report(.denied, language: language)
      for at in [12, 312, 612] as [Int64] { try await crew.deliver(at: .seconds(at)) }
      let sent = crew.post.sent.map(\.message)
      try #require(sent.count == 3)
      let denied = Notice(.incident, subject: 1, kind: .denied, dueAt: morning)
      let own = noticeText(
        for: denied, report: PermissionState(authorization: .denied, services: .on),
        on: DeviceDescription(platform: .android), in: language)
      for message in sent[0...1] {
        #expect(message.title == own.title && message.body == own.body)
        #expect(message.steps == own.steps && message.language == language.code)
      }
      let theirs = managersText(for: denied, isEmployeeTold: true, in: managers)
      #expect(sent[2].title == theirs.title && sent[2].body == theirs.body + " Ada 1")
      #expect(sent[2].steps == theirs.steps && sent[2].language == managers.code)
    }
  }

  @Test("webhook texts are in English, whatever language the employee and the contacts read")
  func webhookLanguage() async throws {  // R: B10, M4
    try await Crew.run { crew in
      try await crew.write([
        deleteContact("mira@example.com", of: crew.team),
        insertWebhook("https://example.com/hook", secret: Array(0..<32), of: crew.team),
      ])
      try await crew.operations.addContact("mira@example.com", language: .french, to: crew.team)
      try await crew.clockIn()
      crew.move(to: .seconds(10))
      try await crew.report(.denied, language: .polish)
      for at in [12, 312, 612] as [Int64] { try await crew.deliver(at: .seconds(at)) }
      let managers = crew.post.sent.suffix(2)
      #expect(Set(managers.map(\.message.language)) == ["fr", "en"])
      let hook = try #require(managers.first { $0.address.channel == .webhook }?.message)
      let denied = Notice(.incident, subject: 1, kind: .denied, dueAt: morning)
      let english = managersText(for: denied, isEmployeeTold: true, in: .english)
      #expect(hook.language == "en" && hook.title == english.title)
      #expect(hook.body == english.body + " Ada 1" && hook.steps == english.steps)
    }
  }

  @Test(
    "managers do not read that the employee was notified or tracking is off when it is not so",
    arguments: [(.whenInUse, .off), (.always, .on)] as [(Authorization, Switch)])
  func truthfulTexts(_ authorization: Authorization, mockLocation: Switch) async throws {  // R: M4
    try await Crew.run(hasPush: false) { crew in
      try await crew.write([setEmail(nil, of: EmployeeID(1))])
      try await crew.clockIn()
      crew.move(to: .seconds(10))
      try await crew.report(authorization, mockLocation: mockLocation)
      try await crew.deliver(at: .seconds(612))
      let message = try #require(crew.post.sent.first?.message)
      #expect(message.title == "Tracking of a shift may have gaps")
      #expect(!message.body.contains("interrupted"))
      #expect(message.body.contains("The employee has not been notified yet."))
    }
  }

  @Test("managers notified at once read that the employee was, too, only if the app has shown it")
  func atOnce() async throws {  // R: M4
    for isShown in [false, true] {
      try await Crew.run(hasPush: false) { crew in
        _ = try await crew.operations.setPolicy(
          of: crew.team, PolicyChanges(spans: [.managersAfter: .zero]))
        try await crew.lose()
        let app = try await crew.operations.openStream(
          for: crew.phones[0], after: nil, lease: .hours(100),
          receipt: Receipt(at: crew.now, monotonic: .now))
        try await crew.deliver(at: .seconds(12))
        #expect(crew.post.collect() == [], "the app has a second to show it")
        if isShown { #expect(try await crew.look(after: app).shown == ["incident denied"]) }
        try await crew.deliver(at: .seconds(14))
        let body = try #require(crew.post.sent.first?.message.body)
        #expect(crew.post.collect() == ["email: Tracking of a shift is interrupted"])
        #expect(body.contains("The employee has been notified.") == isShown, "\(body)")
        #expect(body.contains("The employee has not been notified yet.") != isShown, "\(body)")
      }
    }
  }

  @Test("what is acknowledged within the debounce is neither pushed nor mailed")
  func acknowledged() async throws {  // R: A11
    try await Crew.run { crew in
      try await crew.lose()
      crew.move(to: .seconds(11))
      _ = try await crew.operations.acknowledge(
        FindingSet(.denied), in: "s1", from: crew.phones[0],
        receipt: Receipt(at: crew.now, monotonic: .now))
      for at in [13, 400] as [Int64] { try await crew.deliver(at: .seconds(at)) }
      #expect(crew.post.collect() == [])
      try await crew.deliver(at: .seconds(612))
      #expect(crew.post.collect() == ["email: Tracking of a shift is interrupted"])
    }
  }
}
