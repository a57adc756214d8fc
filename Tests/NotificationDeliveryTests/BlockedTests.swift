import Postgres
import ShiftDomain
import ShiftOperations
import Testing

@testable import NotificationDelivery

@Suite("A blocked clock-in") struct BlockedTests {
  @Test("managers hear of a blocked clock-in at once, and of others of the next minute together")
  func blocked() async throws {  // R: W3
    try await Crew.run(4) { crew in
      for (number, phone) in crew.phones.enumerated() {
        try await block(crew, phone, "in")
        if number == 0 {
          try await crew.deliver()
          #expect(crew.post.collect() == ["email: An employee could not clock in"])
        }
      }
      try await crew.deliver(at: .seconds(59))
      #expect(crew.post.collect() == [])
      try await crew.deliver(at: .seconds(60))
      let body = try #require(crew.post.sent.first?.message.body)
      #expect(["Ada 2", "Ada 3", "Ada 4"].allSatisfy { body.contains($0) }, "\(body)")
      #expect(crew.post.collect() == ["email: Several shifts need your attention"])
      try await crew.deliver(at: .hours(30))
      #expect(try await crew.waiting() == [] && crew.post.collect() == [])
    }
  }

  @Test("of one who stands at the gate and tries again they hear once in the cooldown")
  func blockedAgain() async throws {  // R: W3
    try await Crew.run(2) { crew in
      for (number, at) in [0, 30, 300, 660].enumerated() as EnumeratedSequence<[Int64]> {
        crew.move(to: .seconds(at))
        try await block(crew, crew.phones[0], "in \(number)")
        try await crew.deliver()
        #expect(
          crew.post.collect()
            == (at == 30 || at == 300 ? [] : ["email: An employee could not clock in"]),
          "\(at)")
      }
      // Another is told of at once, whatever was told of the first.
      try await crew.deliver(at: .seconds(800))
      try await block(crew, crew.phones[1], "in")
      try await crew.deliver()
      #expect(crew.post.collect() == ["email: An employee could not clock in"])
      try await crew.deliver(at: .hours(30))
      #expect(try await crew.waiting() == [] && crew.post.collect() == [])
    }
  }

  private func block(_ crew: Crew, _ phone: DeviceCredential, _ attempt: String) async throws {
    let state = PermissionState(authorization: .denied, accuracy: .full, services: .on)
    let tap = Tap(
      attemptID: attempt, bodyHash: Array(repeating: 1, count: 32),
      report: IncomingReport(state: state))
    _ = try await crew.operations.clockIn(
      tap, from: phone, receipt: Receipt(at: crew.now, monotonic: .now))
  }
}
