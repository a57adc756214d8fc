import NotificationQueue
import Postgres
import ShiftDomain
import ShiftOperations
import Testing

@testable import NotificationDelivery

@Suite("A test message") struct TestMessageTests {
  private static let ada = EmployeeID(1)

  /// By what, and with which answer.
  private func answers(_ crew: Crew, _ test: TestMessage) async throws -> [String] {
    try await crew.operations.answers(to: test).map { answer in
      "\(answer.way.channel?.code ?? "app") \(answer.outcome?.code ?? "-") \(answer.isFinal)"
    }
  }

  @Test("goes by every way that there is, marked as one, and tells who took it")
  func everyWay() async throws {
    try await Crew.run { crew in
      let test = try await crew.operations.sendTest(to: Self.ada)
      #expect(try await answers(crew, test) == ["fcm - false", "email - false"])
      crew.post.answers { address in
        address.channel == .fcm ? .accepted(reference: "m1") : .refused(reason: "status 550")
      }
      try await crew.deliver()
      #expect(crew.post.sent.map(\.message.event) == ["test", "test"])
      #expect(Set(crew.post.sent.map(\.message.key)) == ["e1-t10-s1-o2", "e1-t10-s1-o3"])
      #expect(
        Set(crew.post.collect()) == ["fcm: Test notification", "email: Test notification"])
      #expect(try await answers(crew, test) == ["fcm accepted true", "email refused true"])
      #expect(try await crew.operations.answers(to: test).last?.reason == "status 550")
      #expect(Set(try await crew.history()) == ["test told", "test expired"])
      #expect(try await crew.operations.outboxLoad().dead == 0, "nobody missed anything")
      let second = try await crew.operations.sendTest(to: Self.ada, at: [.email])
      #expect(second.number == 2 && second.ways.map(\.place) == ["ada1@example.com"])
    }
  }

  @Test("is shown by an open app, or tells that it was not")
  func openApp() async throws {
    try await Crew.run(hasPush: false) { crew in
      try await crew.open()
      let test = try await crew.operations.sendTest(to: Self.ada, at: [.inApp])
      try await crew.deliver()
      #expect(try await answers(crew, test) == ["app - false"])
      try await crew.write([markWritten(upTo: 1, of: Self.ada, at: crew.now)])
      try await crew.deliver(at: .seconds(1))
      #expect(try await answers(crew, test) == ["app accepted true"])
      let other = try await crew.operations.sendTest(to: Self.ada, at: [.inApp, .push])
      try await crew.deliver(at: .seconds(2))
      try await crew.deliver(at: .seconds(3))
      #expect(try await answers(crew, other) == ["app - true"])
    }
  }

  @Test("for a team goes to all who are told for it, whatever they were told a minute ago")
  func managers() async throws {
    try await Crew.run(2) { crew in
      try await crew.write([
        insertWebhook("https://example.com/hook", secret: Array(0..<32), of: crew.team)
      ])
      for _ in 0..<2 {
        let test = try await crew.operations.sendTest(toManagersOf: crew.team)
        try await crew.deliver()
        #expect(
          try await answers(crew, test) == ["email accepted true", "webhook accepted true"])
        #expect(crew.post.sent.map(\.message.body).allSatisfy { !$0.contains("Ada") })
        #expect(
          Set(crew.post.collect()) == ["email: Test notification", "webhook: Test notification"])
      }
      // The real ones that follow are not held back, nor is the test taken along.
      try await crew.lose()
      try await crew.deliver(at: .seconds(660))
      #expect(crew.post.sent.last?.message.title == "Tracking of a shift is interrupted")
    }
  }

  @Test("that is not taken in five minutes is over")
  func late() async throws {
    try await Crew.run { crew in
      crew.post.answers { _ in .retry(reason: "busy", after: .seconds(200)) }
      let test = try await crew.operations.sendTest(to: Self.ada, at: [.push])
      try await crew.deliver()
      #expect(try await answers(crew, test) == ["fcm retry true"])
      try await crew.deliver(at: .seconds(200))
      #expect(crew.post.collect().count == 2)
      #expect(try await crew.history() == ["test expired"])
    }
  }

  private func isRefused(_ body: () async throws -> TestMessage) async -> Bool {
    do {
      _ = try await body()
      return false
    } catch {
      guard case OperationError.notFound = error else { return false }
      return true
    }
  }

  @Test("needs somebody to go to")
  func nobody() async throws {
    try await Crew.run(hasPush: false) { crew in
      let operations = crew.operations
      #expect(await isRefused { try await operations.sendTest(to: Self.ada, at: [.push]) })
      #expect(await isRefused { try await operations.sendTest(to: EmployeeID(9)) })
      #expect(await isRefused { try await operations.sendTest(toManagersOf: TeamID(9)) })
      let waiting = try await crew.waiting()
      #expect(waiting.isEmpty)
    }
  }
}
