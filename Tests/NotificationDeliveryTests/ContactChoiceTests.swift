import DeviceOperations
import GuardRules
import ManagerCore
import NotificationOperations
import NotificationQueue
import PeopleOperations
import PolicyOperations
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

@testable import NotificationDelivery

/// Mira is notified at any time, and Nora not from 10:00 to 12:00 in Paris, which is 1 to 3 hours
/// after the morning.
private func withQuietNora(
  _ count: Int32 = 1, letsUrgentPass: Bool = false, topics: ContactTopics = .standard,
  _ body: (DeliveryWorld) async throws -> Void
) async throws {
  try await DeliveryWorld.run(count, hasPush: false) { world in
    try await world.write((1...count).map { setEmail(nil, of: EmployeeID($0)) })
    let quiet = QuietHours(from: 600, until: 720, letsUrgentPass: letsUrgentPass)
    try await world.operations.notifications.addContact(
      "nora@example.com", choices: ContactChoices(topics: topics, quiet: quiet), to: world.team)
    try await body(world)
  }
}

extension DeliveryWorld {
  /// Who was sent what since the last call, in no particular order.
  fileprivate func told() -> [String] {
    let sent = post.sent.map { sent in
      guard case .other(_, let address, _) = sent.address else { return "?" }
      return "\(address.prefix { $0 != "@" }): \(sent.outgoing.title)"
    }
    _ = post.collect()
    return sent.sorted()
  }

  /// What is due by time is done for all employees.
  fileprivate func reachLimits() async throws {
    for phone in phones {
      let employee = phone.device.employee
      while try await operations.background.processDueTime(of: employee) != nil {}
    }
  }

  /// Delivers at each of these minutes after the morning, as the worker does without a pause.
  fileprivate func deliver(atMinutes minutes: Int64...) async throws {
    for minute in minutes { try await deliver(at: .minutes(minute)) }
  }
}

private let interrupted = "Tracking of a shift is interrupted"
private let resumed = "Tracking of a shift has resumed"

@Suite("What contacts choose") struct ContactChoiceTests {
  // R: M4
  @Test("a contact in quiet hours gets at their end what still holds, and the others at once")
  func waits() async throws {
    try await withQuietNora { world in
      try await world.clockIn()
      world.move(to: .minutes(61))
      try await world.report(.denied)
      try await world.deliver(atMinutes: 72, 90, 179)
      #expect(world.told() == ["mira: \(interrupted)"])
      try await world.deliver(atMinutes: 180)
      #expect(world.told() == ["nora: \(interrupted)"])
      try await world.deliver(atMinutes: 181, 300)
      #expect(world.told() == [])
      world.move(to: .minutes(301))
      try await world.report(.always)
      try await world.deliver(atMinutes: 302)
      #expect(world.told() == ["mira: \(resumed)", "nora: \(resumed)"])
    }
  }

  // R: M4, W16
  @Test("what ends within them is not sent to it, neither the alarm nor its end")
  func over() async throws {
    try await withQuietNora { world in
      try await world.clockIn()
      world.move(to: .minutes(61))
      try await world.report(.denied)
      try await world.deliver(atMinutes: 72)
      world.move(to: .minutes(120))
      try await world.report(.always)
      try await world.deliver(atMinutes: 121, 180, 240)
      #expect(world.told() == ["mira: \(resumed)", "mira: \(interrupted)"])
      #expect(try await world.waiting() == [])
    }
  }

  // R: M4, W16
  @Test("the end of what it was told before waits for their end, and is sent once")
  func endWaits() async throws {
    try await withQuietNora { world in
      try await world.lose()
      try await world.deliver(atMinutes: 11)
      #expect(world.told() == ["mira: \(interrupted)", "nora: \(interrupted)"])
      world.move(to: .minutes(100))
      try await world.report(.always)
      try await world.deliver(atMinutes: 101, 150)
      #expect(world.told() == ["mira: \(resumed)"])
      try await world.deliver(atMinutes: 180, 181, 240)
      #expect(world.told() == ["nora: \(resumed)"])
      #expect(try await world.waiting() == [])
    }
  }

  // R: M4, W16
  @Test("an end that waits is dropped when the same holds again, which is no news then")
  func relapse() async throws {
    try await withQuietNora { world in
      try await world.lose()
      try await world.deliver(atMinutes: 11)
      _ = world.told()
      world.move(to: .minutes(100))
      try await world.report(.always)
      try await world.deliver(atMinutes: 101)
      world.move(to: .minutes(130))
      try await world.report(.denied)
      try await world.deliver(atMinutes: 145)
      #expect(world.told() == ["mira: \(resumed)", "mira: \(interrupted)"])
      try await world.deliver(atMinutes: 180, 200)
      #expect(world.told() == [])
      world.move(to: .minutes(210))
      try await world.report(.always)
      try await world.deliver(atMinutes: 211)
      #expect(world.told() == ["mira: \(resumed)", "nora: \(resumed)"])
    }
  }

  // R: M4, W16
  @Test("a break and what holds after it lose nothing that others were told before it")
  func breaks() async throws {
    try await withQuietNora { world in
      try await world.clockIn()
      world.move(to: .minutes(61))
      try await world.report(.denied)
      try await world.deliver(atMinutes: 72)
      #expect(world.told() == ["mira: \(interrupted)"])
      world.move(to: .minutes(100))
      _ = try await world.phones[0].startBreak("pause")
      try await world.deliver(atMinutes: 101)
      world.move(to: .minutes(110))
      _ = try await world.phones[0].endBreak("back")
      try await world.deliver(atMinutes: 111, 125, 179)
      #expect(world.told() == [])
      try await world.deliver(atMinutes: 180, 200)
      #expect(world.told() == ["nora: \(interrupted)"])
    }
  }

  // R: M4
  @Test("one notification at their end is about all that holds then, and names nobody else")
  func together() async throws {
    try await withQuietNora(4) { world in
      try await world.clockIn()
      world.move(to: .minutes(61))
      for phone in 0..<3 { try await world.report(.denied, from: phone) }
      try await world.deliver(atMinutes: 72, 73, 74)
      #expect(world.told().allSatisfy { $0.hasPrefix("mira") })
      world.move(to: .minutes(120))
      try await world.report(.always, from: 1)
      try await world.deliver(atMinutes: 121, 122, 179)
      _ = world.told()
      try await world.deliver(atMinutes: 180)
      let sent = world.post.sent
      let names = sent.map { mail in
        [1, 2, 3].filter { mail.outgoing.body.contains("Ada \($0)") }
      }
      #expect(world.told() == ["nora: Several shifts need your attention"])
      #expect(names == [[1, 3]])
      try await world.deliver(atMinutes: 181, 182, 240)
      #expect(world.told() == [])
    }
  }

  // R: M4
  @Test("an urgent one passes where that is ticked, and takes along nothing that is not")
  func urgent() async throws {
    try await withQuietNora(3, letsUrgentPass: true) { world in
      try await world.clockIn()
      world.move(to: .minutes(61))
      try await world.report(.denied, from: 0)
      try await world.report(.whenInUse, from: 1)
      try await world.report(.denied, from: 2)
      try await world.deliver(atMinutes: 72, 73, 74)
      let night = world.post.sent.filter { $0.address == .email("nora@example.com") }
      #expect(!night.isEmpty && night.allSatisfy { !$0.outgoing.body.contains("Ada 2") })
      for employee in [1, 3] {
        #expect(night.filter { $0.outgoing.body.contains("Ada \(employee)") }.count == 1)
      }
      _ = world.told()
      try await world.deliver(atMinutes: 180)
      #expect(world.post.sent.map(\.outgoing.body).allSatisfy { $0.contains("Ada 2") })
      #expect(world.told() == ["nora: Tracking of a shift may have gaps"])
    }
  }

  // R: M4
  @Test("a contact gets the topics that it has chosen, and a test at any time")
  func topics() async throws {
    try await withQuietNora(2, topics: ContactTopics(.reviews)) { world in
      try await world.phones[1].clockIn("blocked", reporting: .denied)
      try await world.deliver()
      let blocked = "An employee could not clock in"
      #expect(world.told() == ["mira: \(blocked)", "nora: \(blocked)"])
      try await world.phones[0].clockIn("in", reporting: .always)
      world.move(to: .seconds(10))
      try await world.report(.denied)
      try await world.deliver(atMinutes: 11)
      #expect(world.told() == ["mira: \(interrupted)"])
      world.move(to: .minutes(90))
      _ = try await world.operations.notifications.sendTest(
        toContact: 2, of: world.team, by: .arranger
      ).get()
      try await world.deliver()
      #expect(world.told() == ["nora: Test notification"])
      try await world.report(.always)
      try await world.deliver(atMinutes: 91, 200)
      #expect(world.told() == ["mira: \(resumed)"])
      _ = try await world.operations.notifications.changeContact(
        2, of: world.team, by: .arranger
      ) { $0.choices = ContactChoices() }.get()
      try await world.report(.denied)
      try await world.deliver(atMinutes: 220)
      #expect(world.told() == ["mira: \(interrupted)", "nora: \(interrupted)"])
    }
  }

  // R: M4, W6
  @Test("a shift that ended by itself is told once to who chose it, however long the app is closed")
  func endedByItself() async throws {
    try await withQuietNora(2, topics: ContactTopics(.automaticClockOuts)) { world in
      try await world.clockIn()
      world.move(to: .hours(17))
      try await world.reachLimits()
      for hour in stride(from: Int64(17), through: 80, by: 7) {
        try await world.deliver(at: .hours(hour))
        try await world.deliver(at: .hours(hour) + .minutes(2))
      }
      let ended = "nora: A shift ended without a clock-out"
      #expect(world.told() == [ended, ended])
      // The app has not been opened.
      #expect(
        try await world.waiting().map(\.notification.topic) == [.endedAtLimit, .endedAtLimit])
    }
  }

  // R: M4
  @Test("what a contact refuses still waits for the employee's app, if it is for both")
  func refused() async throws {
    try await withQuietNora(1, topics: ContactTopics(.automaticClockOuts)) { world in
      try await world.clockIn()
      world.move(to: .hours(17))
      try await world.reachLimits()
      world.post.answers { _ in .refused(reason: "status 550") }
      try await world.deliver()
      #expect(world.told() == ["nora: A shift ended without a clock-out"])
      #expect(try await world.history() == [])
      #expect(try await world.look().contains("ended_at_limit"))
    }
  }
}
